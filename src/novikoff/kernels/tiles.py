"""Two instructions for a few rows at a time: turning them into columns, and scoring those.

Numba has vectors only where its compiler finds them in a loop; here they are spelled out.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import instruction
from novikoff.kernels.registers import REGISTER, arrays, converted

WIDTH = 2 * REGISTER  # bytes of a tile: the scores of 32 rows in single precision, or of 16


def _eight_by_eight(_, values, place, width, columns, j, r):
    """Eight registers, one a row; three rounds of pairing them up make them one a column."""
    from numba import types
    from numba.core import cgutils

    ir, word, n = cgutils.ir, cgutils.intp_t, 8

    def emit(context, builder, signature, arguments):
        array = arrays(context, builder, signature, arguments)
        stored, vector = (
            ir.VectorType(context.get_value_type(each.dtype), n) for each in (values, columns)
        )
        lines = []
        for q in range(n):
            p = builder.add(arguments[1], builder.mul(arguments[2], word(q)))
            line = builder.bitcast(builder.gep(array(0).data, [p]), stored.as_pointer())
            x = builder.load(line, align=1)
            lines.append(converted(builder, x, values.dtype, columns.dtype, vector))
        half = [(q // 2) + n * (q % 2) for q in range(n)]
        pairings = [
            ir.Constant(ir.VectorType(cgutils.int32_t, n), [q + first for q in half])
            for first in (0, n // 2)
        ]
        for _ in range(3):
            lines = [
                builder.shuffle_vector(lines[q // 2], lines[q // 2 + n // 2], pairings[q % 2])
                for q in range(n)
            ]
        for q, line in enumerate(lines):
            p = _place(
                context, builder, array(3), [builder.add(arguments[4], word(q)), arguments[5]]
            )
            builder.store(line, builder.bitcast(p, vector.as_pointer()), align=1)
        return context.get_dummy_value()

    wanted = (values, types.intp, types.intp, columns, types.intp, types.intp)
    return types.void(*wanted), emit


def _tile_of(n_planes):
    """What emits so many sums for each of a tile's rows, kept in registers."""

    def lower(_, theta, k, begin, columns, n_columns, r, scores):
        from numba import types
        from numba.core import cgutils

        ir, word = cgutils.ir, cgutils.intp_t

        def emit(context, builder, signature, arguments):
            array = arrays(context, builder, signature, arguments)
            number = context.get_value_type(scores.dtype)
            lanes = 8 * WIDTH // scores.dtype.bitwidth
            vector = ir.VectorType(number, lanes)
            all_lanes = ir.Constant(ir.VectorType(cgutils.int32_t, lanes), None)

            def at(made, first, second, kind):
                place = _place(context, builder, made, [first, second])
                return builder.bitcast(place, kind.as_pointer())

            mine = [builder.add(arguments[1], word(a)) for a in range(n_planes)]
            places = [at(array(6), plane, arguments[5], vector) for plane in mine]
            sums = [cgutils.alloca_once(builder, vector) for _ in mine]
            for total, place in zip(sums, places, strict=True):
                builder.store(builder.load(place, align=1), total)
            weights = [at(array(0), plane, arguments[2], number) for plane in mine]
            with cgutils.for_range(builder, arguments[4], intp=word) as loop:
                x = builder.load(at(array(3), loop.index, arguments[5], vector), align=1)
                for total, ours in zip(sums, weights, strict=True):
                    weight = builder.load(builder.gep(ours, [loop.index]))
                    weight = builder.insert_element(
                        ir.Constant(vector, ir.Undefined), weight, cgutils.int32_t(0)
                    )
                    weight = builder.shuffle_vector(weight, weight, all_lanes)
                    product = builder.fmul(weight, x)
                    builder.store(builder.fadd(builder.load(total), product), total)
            for total, place in zip(sums, places, strict=True):
                builder.store(builder.load(total), place, align=1)
            return context.get_dummy_value()

        wanted = (theta, *[types.intp] * 2, columns, *[types.intp] * 2, scores)
        return types.void(*wanted), emit

    return lower


def _place(context, builder, array, indices):
    """Where an entry of a matrix in C order is."""
    from numba.core import cgutils

    bytes_a_row = cgutils.unpack_tuple(builder, array.strides)[0]
    row = builder.bitcast(array.data, cgutils.voidptr_t)
    row = builder.gep(row, [builder.mul(indices[0], bytes_a_row)])
    return builder.gep(builder.bitcast(row, array.data.type), [indices[1]])


@instruction(_eight_by_eight)
def turn_eight(values, place, width, columns, j, r):
    """columns[j : j + 8, r : r + 8] <- eight values of each of eight dense rows, `width` apart."""
    rows = place + width * np.arange(8)[:, None] + np.arange(8)
    columns[j : j + 8, r : r + 8] = values[rows].T


def _add(n_planes, theta, k, begin, columns, n_columns, r, scores):
    tile = slice(r, r + WIDTH // scores.itemsize)
    for j in range(n_columns):
        weights = theta[k : k + n_planes, begin + j, None]
        scores[k : k + n_planes, tile] += weights * columns[j, tile]


@instruction(_tile_of(4))
def add_four(theta, k, begin, columns, n_columns, r, scores):
    """scores[k : k + 4, r : r + tile] += those of so many columns, the features from `begin` on.

    Product and sum are rounded for one feature after the other. All arrays are in C order and of
    one type; a tile is WIDTH bytes.
    """
    _add(4, theta, k, begin, columns, n_columns, r, scores)


@instruction(_tile_of(2))
def add_two(theta, k, begin, columns, n_columns, r, scores):
    """The same for two hyperplanes."""
    _add(2, theta, k, begin, columns, n_columns, r, scores)
