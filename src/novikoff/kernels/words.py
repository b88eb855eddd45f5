"""Instructions that neither Python nor numba has a name for: on 64-bit words, doubles and memory.

Each is written twice: as plain Python, and for the compiler.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import instruction

__all__ = [
    "bfloat", "error_of_product", "leading_zeros", "prefetch", "trailing_zeros", "upper_half",
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


def _bfloat(_, x):
    from numba import types
    from numba.core import cgutils

    def emit(context, builder, signature, arguments):
        bits = context.cast(builder, arguments[0], x, types.float32)
        bits = builder.bitcast(bits, cgutils.int32_t)
        rounded = builder.add(bits, cgutils.int32_t(0x8000))
        upper = builder.lshr(rounded, cgutils.int32_t(16))
        return builder.trunc(upper, context.get_value_type(types.uint16))

    return types.uint16(x), emit


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


@instruction(_bfloat)
def bfloat(x):
    """A number, or an array, as the bits of a bfloat16: single precision's upper half, rounded."""
    rounded = np.asarray(x, np.float32).view(np.uint32) + np.uint32(0x8000)
    return (rounded >> np.uint32(16)).astype(np.uint16)
