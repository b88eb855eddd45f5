"""Three instructions on 64-bit words that neither Python nor numba has a name for.

Each is written twice: as plain Python, and for the compiler.
"""

from __future__ import annotations

import numpy as np

from novikoff._jit import instruction

__all__ = ["leading_zeros", "trailing_zeros", "upper_half"]


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
