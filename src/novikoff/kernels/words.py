"""Instructions that neither Python nor numba has a name for: on 64-bit words, doubles and memory.

Each is written twice: as plain Python, and for the compiler.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import instruction

__all__ = [
    "eight_sums", "error_of_product", "four_sums", "leading_zeros", "prefetch", "sixteen_sums",
    "trailing_zeros", "upper_half",
]  # fmt: skip


def _ctlz(_, word):
    def emit(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], _undefined_for_zero(context))

    return word(word), emit


def _cttz(_, word):
    def emit(context, builder, signature, arguments):
        return builder.cttz(arguments[0], _undefined_for_zero(context))

    return word(word), emit


def _undefined_for_zero(context):
    from numba import types

    return context.get_constant(types.boolean, True)


def _mulhi(_, a, b):
    def emit(context, builder, signature, arguments):
        narrow = arguments[0].type
        wide = type(narrow)(128)
        product = builder.mul(*(builder.zext(word, wide) for word in arguments))
        return builder.trunc(builder.lshr(product, wide(64)), narrow)

    return a(a, b), emit


def _prefetch(_, array, index):
    from numba import types
    from numba.core import cgutils

    def emit(context, builder, signature, arguments):
        data = context.make_array(array)(context, builder, arguments[0]).data
        place = builder.gep(data, [arguments[1]])
        place = builder.bitcast(place, cgutils.voidptr_t)
        kinds = [cgutils.voidptr_t, *[cgutils.int32_t] * 3]
        call = cgutils.get_or_insert_function(
            builder.module, cgutils.ir.FunctionType(cgutils.ir.VoidType(), kinds), "llvm.prefetch"
        )
        read, keep, data_cache = (cgutils.int32_t(x) for x in (0, 3, 1))
        builder.call(call, [place, read, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, index), emit


def _sums_of(n_planes):
    """What emits the sums of so many hyperplanes at a sparse row, kept in registers."""

    def lower(_, theta, k, values, indices, low, high, scores):
        from numba import types
        from numba.core import cgutils

        ir = cgutils.ir
        word = cgutils.intp_t

        def emit(context, builder, signature, arguments):
            def array(position):
                kind, value = signature.args[position], arguments[position]
                return context.make_array(kind)(context, builder, value)

            def load(data, p, wanted):
                """What is `wanted` from data[p] on: one number, or several."""
                place = builder.bitcast(builder.gep(data, [p]), wanted.as_pointer())
                return builder.load(place, align=1)

            number = context.get_value_type(theta.dtype)
            vector = ir.VectorType(number, n_planes)
            anything = ir.Constant(vector, ir.Undefined)
            lanes = ir.Constant(ir.VectorType(cgutils.int32_t, n_planes), [0] * n_planes)
            sums = cgutils.alloca_once_value(builder, ir.Constant(vector, None))
            weights = builder.bitcast(array(0).data, cgutils.voidptr_t)
            next_plane, next_feature = cgutils.unpack_tuple(builder, array(0).strides)  # in bytes
            first, low, high = arguments[1], arguments[4], arguments[5]
            with cgutils.for_range_slice(builder, low, high, word(1), word) as (p, _):
                x = load(array(2).data, p, context.get_value_type(values.dtype))
                x = context.cast(builder, x, values.dtype, theta.dtype)
                x = builder.insert_element(anything, x, cgutils.int32_t(0))
                x = builder.shuffle_vector(x, anything, lanes)
                j = load(array(3).data, p, context.get_value_type(indices.dtype))
                j = context.cast(builder, j, indices.dtype, types.intp)
                place = builder.add(builder.mul(j, next_feature), builder.mul(first, next_plane))
                fused = {"flags": ("contract",)}
                product = builder.fmul(load(weights, place, vector), x, **fused)
                builder.store(builder.fadd(builder.load(sums), product, **fused), sums)
            place = builder.gep(array(6).data, [first])
            place = builder.bitcast(place, vector.as_pointer())
            builder.store(builder.load(sums), place, align=1)
            return context.get_dummy_value()

        wanted = (theta, types.intp, values, indices, types.intp, types.intp, scores)
        return types.void(*wanted), emit

    return lower


_SPLIT = 134217729.0  # 2**27 + 1: what cuts a double into two halves (Veltkamp)


def _fused(_, a, b, product):
    def emit(context, builder, signature, arguments):
        triple, _, features = context.codegen().magic_tuple()
        if triple.startswith(("x86", "i686")) and "+fma" not in features.split(","):
            return context.compile_internal(builder, _dekker, signature, arguments)
        return builder.fma(*arguments[:2], builder.fneg(arguments[2]))

    return a(a, b, product), emit


def _dekker(a, b, product):
    """`error_of_product`, each factor cut into two halves of 26 digits."""
    wide_a, wide_b = _SPLIT * a, _SPLIT * b
    high_a, high_b = wide_a - (wide_a - a), wide_b - (wide_b - b)
    low_a, low_b = a - high_a, b - high_b
    return low_a * low_b - (((product - high_a * high_b) - low_a * high_b) - high_a * low_b)


@instruction(_ctlz)
def leading_zeros(word):
    """The zero bits above the highest one of a word that is not zero."""
    return np.uint64(64 - int(word).bit_length())


@instruction(_cttz)
def trailing_zeros(word):
    """The zero bits below the lowest one of a word that is not zero."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


@instruction(_mulhi)
def upper_half(a, b):
    """The upper 64 bits of a * b."""
    return np.uint64((int(a) * int(b)) >> 64)


@instruction(_fused)
def error_of_product(a, b, product):
    """a b - product, for the rounded product of two doubles: exact, unless it underflows.

    One instruction, or where there is none, and in Python, the seventeen of Dekker (1971), which
    overflow earlier.
    """
    return _dekker(a, b, product)


@instruction(_prefetch)
def prefetch(array, index):
    """Have the number at ``array[index]``, of one dimension, on its way from memory."""


def _sums(n_planes, theta, k, values, indices, low, high, scores):
    weights = theta[k : k + n_planes, indices[low:high]]
    scores[k : k + n_planes] = weights @ values[low:high].astype(theta.dtype)


@instruction(_sums_of(4))
def four_sums(theta, k, values, indices, low, high, scores):
    """scores[k : k + 4] <- theta[k : k + 4] . x at a sparse row, for theta in Fortran order."""
    _sums(4, theta, k, values, indices, low, high, scores)


@instruction(_sums_of(8))
def eight_sums(theta, k, values, indices, low, high, scores):
    """The same for eight hyperplanes."""
    _sums(8, theta, k, values, indices, low, high, scores)


@instruction(_sums_of(16))
def sixteen_sums(theta, k, values, indices, low, high, scores):
    """The same for sixteen hyperplanes."""
    _sums(16, theta, k, values, indices, low, high, scores)
