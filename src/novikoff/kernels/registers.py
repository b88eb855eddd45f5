"""Instructions for the sums of several hyperplanes at a row, kept in registers all along it.

Each is written twice: as plain Python, and for the compiler. What it makes of a loop over
hyperplanes and values tests for arrays that overlap, or goes to memory for every value.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import instruction

REGISTER = 64  # bytes of weights that are taken at a time
FEWEST_BYTES = 16  # the shortest row that meets weights of 16 bits


def arrays(context, builder, signature, arguments):
    """What gives the array among the arguments at a position."""

    def array(position):
        return context.make_array(signature.args[position])(context, builder, arguments[position])

    return array


def converted(builder, x, old, new, vector):
    """A vector of numbers of the type `old`, as floats of the type `new`."""
    from numba import types

    if isinstance(old, types.Integer):
        return (builder.sitofp if old.signed else builder.uitofp)(x, vector)
    if old.bitwidth == new.bitwidth:
        return x
    return (builder.fpext if old.bitwidth < new.bitwidth else builder.fptrunc)(x, vector)


def _sums_of(n_planes):
    """What emits the sums of so many hyperplanes at a sparse row, kept in registers.

    Product and sum are rounded for one feature after the other.
    """

    def lower(_, theta, k, values, indices, low, high, scores):
        from numba import types
        from numba.core import cgutils

        ir = cgutils.ir
        word = cgutils.intp_t

        def emit(context, builder, signature, arguments):
            array = arrays(context, builder, signature, arguments)

            def load(data, p, wanted):
                """What is `wanted` from data[p] on: one number, or several."""
                place = builder.bitcast(builder.gep(data, [p]), wanted.as_pointer())
                return builder.load(place, align=1)

            kind = types.float32 if theta.dtype == types.uint16 else theta.dtype
            vector = ir.VectorType(context.get_value_type(kind), n_planes)
            anything = ir.Constant(vector, ir.Undefined)
            lanes = ir.Constant(ir.VectorType(cgutils.int32_t, n_planes), [0] * n_planes)

            def numbers_at(place):
                if theta.dtype != types.uint16:
                    return load(weights, place, vector)
                words = ir.VectorType(cgutils.int32_t, n_planes)
                bits = load(weights, place, ir.VectorType(ir.IntType(16), n_planes))
                bits = builder.shl(builder.zext(bits, words), ir.Constant(words, [16] * n_planes))
                return builder.bitcast(bits, vector)

            sums = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
            weights = builder.bitcast(array(0).data, cgutils.voidptr_t)
            next_plane, next_feature = cgutils.unpack_tuple(builder, array(0).strides)  # in bytes
            first, low, high = arguments[1], arguments[4], arguments[5]
            with cgutils.for_range_slice(builder, low, high, word(1), word) as (p, _):
                x = load(array(2).data, p, context.get_value_type(values.dtype))
                x = context.cast(builder, x, values.dtype, kind)
                x = builder.insert_element(anything, x, cgutils.int32_t(0))
                x = builder.shuffle_vector(x, anything, lanes)
                j = load(array(3).data, p, context.get_value_type(indices.dtype))
                j = context.cast(builder, j, indices.dtype, types.intp)
                place = builder.add(builder.mul(j, next_feature), builder.mul(first, next_plane))
                product = builder.fmul(numbers_at(place), x)
                builder.store(builder.fadd(builder.load(sums), product), sums)
            place = builder.gep(array(6).data, [first])
            place = builder.bitcast(place, vector.as_pointer())
            builder.store(builder.load(sums), place, align=1)
            return context.get_dummy_value()

        wanted = (theta, types.intp, values, indices, types.intp, types.intp, scores)
        return types.void(*wanted), emit

    return lower


def _rows_of(n_planes):
    """What emits the sums of so many hyperplanes at a dense row, kept in registers.

    A value is loaded and converted once for all of them. The last values of a row are taken
    together with some that were taken before, which are made zero. Weights of 16 bits meet bytes:
    their products are added in pairs, to sums of 32 bits, which most processors do at once.
    """

    def lower(_, theta, planes, place, values, low, length, scores):
        from numba import types
        from numba.core import cgutils

        ir, word = cgutils.ir, cgutils.intp_t
        short = isinstance(theta.dtype, types.Integer)

        def emit(context, builder, signature, arguments):
            array = arrays(context, builder, signature, arguments)
            stored, weight, number = map(
                context.get_value_type, (values.dtype, theta.dtype, scores.dtype)
            )
            row, length = builder.gep(array(3).data, [arguments[4]]), arguments[5]
            width = cgutils.unpack_tuple(builder, array(0).strides)[0]
            width = builder.sdiv(width, word(theta.dtype.bitwidth // 8))
            ours, places = [], []
            for a in range(n_planes):
                entry = builder.gep(array(1).data, [builder.add(arguments[2], word(a))])
                plane = context.cast(builder, builder.load(entry), planes.dtype, types.intp)
                ours.append(builder.gep(array(0).data, [builder.mul(plane, width)]))
                places.append(builder.gep(array(6).data, [plane]))

            def load(data, p, kind, lanes):
                vector = ir.VectorType(kind, lanes)
                place = builder.bitcast(builder.gep(data, [p]), vector.as_pointer())
                return builder.load(place, align=1)

            def widened(x, lanes):
                vector = ir.VectorType(number, lanes)
                if short:
                    return builder.zext(x, vector)
                return converted(builder, x, values.dtype, scores.dtype, vector)

            def multiplied(weights, x, total, lanes):
                """total + weights * x"""
                if not short:
                    fused = {"flags": ("contract",)}
                    return builder.fadd(total, builder.fmul(weights, x, **fused), **fused)
                products = builder.mul(builder.sext(weights, ir.VectorType(number, lanes)), x)
                anything = ir.Constant(ir.VectorType(number, lanes), ir.Undefined)
                half = ir.VectorType(cgutils.int32_t, lanes // 2)
                even, odd = (
                    builder.shuffle_vector(
                        products, anything, ir.Constant(half, list(range(first, lanes, 2)))
                    )
                    for first in (0, 1)
                )
                return builder.add(total, builder.add(even, odd))

            def added_up(total, lanes):
                vector = ir.VectorType(number, lanes)
                if short:
                    kind, name = ir.FunctionType(number, [vector]), f"add.v{lanes}i32"
                    rest, how = [], {}
                else:
                    kind = ir.FunctionType(number, [number, vector])
                    name = f"fadd.v{lanes}f{scores.dtype.bitwidth}"
                    rest, how = [number(0.0)], {"fastmath": ("reassoc",)}
                reduce = cgutils.get_or_insert_function(
                    builder.module, kind, f"llvm.vector.reduce.{name}"
                )
                return builder.call(reduce, [*rest, total], **how)

            def summed(lanes):
                n_sums = lanes // 2 if short else lanes
                zero = ir.Constant(ir.VectorType(number, n_sums), None)
                totals = [cgutils.alloca_once_value(builder, zero) for _ in ours]
                for total in totals:
                    builder.store(zero, total)

                def add(p, x):
                    x = widened(x, lanes)
                    for mine, total in zip(ours, totals, strict=True):
                        weights = load(mine, p, weight, lanes)
                        builder.store(multiplied(weights, x, builder.load(total), lanes), total)

                odd = builder.srem(length, word(lanes))
                end = builder.sub(length, odd)
                with cgutils.for_range_slice(builder, word(0), end, word(lanes), word) as (p, _):
                    add(p, load(row, p, stored, lanes))
                with builder.if_then(builder.icmp_signed(">", odd, word(0))):
                    p = builder.sub(length, word(lanes))
                    x = load(row, p, stored, lanes)
                    lane = ir.VectorType(cgutils.int32_t, lanes)
                    first = builder.trunc(builder.sub(word(lanes), odd), cgutils.int32_t)
                    first = builder.insert_element(
                        ir.Constant(lane, ir.Undefined), first, cgutils.int32_t(0)
                    )
                    first = builder.shuffle_vector(first, first, ir.Constant(lane, None))
                    new = builder.icmp_signed(">=", ir.Constant(lane, list(range(lanes))), first)
                    add(p, builder.select(new, x, ir.Constant(x.type, None)))
                for place, total in zip(places, totals, strict=True):
                    builder.store(added_up(builder.load(total), n_sums), place)

            many = 8 * REGISTER // theta.dtype.bitwidth
            if short:
                enough = builder.icmp_signed(">=", length, word(many))
                with builder.if_else(enough) as (then, otherwise):
                    with then:
                        summed(many)
                    with otherwise:
                        summed(FEWEST_BYTES)
            else:
                summed(many)
            return context.get_dummy_value()

        wanted = (theta, planes, types.intp, values, types.intp, types.intp, scores)
        return types.void(*wanted), emit

    return lower


def numbers_of(weights):
    """An array of weights, which may be bits of `bfloat`, as numbers."""
    if weights.dtype != np.uint16:
        return weights
    return (weights.astype(np.uint32) << np.uint32(16)).view(np.float32)


def _sums(n_planes, theta, k, values, indices, low, high, scores):
    weights = numbers_of(theta[k : k + n_planes, indices[low:high]])
    scores[k : k + n_planes] = weights @ values[low:high].astype(weights.dtype)


@instruction(_sums_of(4))
def four_sums(theta, k, values, indices, low, high, scores):
    """scores[k : k + 4] <- theta[k : k + 4] . x at a sparse row, for theta in Fortran order.

    theta : numbers, or the bits of `bfloat`; then `scores` are in single precision
    """
    _sums(4, theta, k, values, indices, low, high, scores)


@instruction(_sums_of(8))
def eight_sums(theta, k, values, indices, low, high, scores):
    """The same for eight hyperplanes."""
    _sums(8, theta, k, values, indices, low, high, scores)


@instruction(_sums_of(16))
def sixteen_sums(theta, k, values, indices, low, high, scores):
    """The same for sixteen hyperplanes."""
    _sums(16, theta, k, values, indices, low, high, scores)


@instruction(_sums_of(64))
def sixty_four_sums(theta, k, values, indices, low, high, scores):
    """The same for sixty-four hyperplanes."""
    _sums(64, theta, k, values, indices, low, high, scores)


def _rows(n_planes, theta, planes, place, values, low, length, scores):
    chosen, kind = planes[place : place + n_planes], scores.dtype
    scores[chosen] = theta[chosen].astype(kind) @ values[low : low + length].astype(kind)


@instruction(_rows_of(1))
def one_row(theta, planes, place, values, low, length, scores):
    """scores[k] <- theta[k] . x at a dense row of `length` values, for k = planes[place].

    theta : (K, length) in C order, and as many bytes to a row as `REGISTER` says, at least. Floats
        with scores in the same type; or, for rows of bytes, int16 with scores in int32, into which
        all sums must fit.
    """
    _rows(1, theta, planes, place, values, low, length, scores)


@instruction(_rows_of(5))
def five_rows(theta, planes, place, values, low, length, scores):
    """The same for five hyperplanes, planes[place : place + 5]."""
    _rows(5, theta, planes, place, values, low, length, scores)
