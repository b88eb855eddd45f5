"""Three instructions on 64-bit words that neither Python nor numba has a name for.

Each is written twice: as plain Python, for ``NUMBA_DISABLE_JIT=1``, and for the compiler.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from novikoff._jit import config

__all__ = ["leading_zeros", "trailing_zeros", "upper_half"]


def _leading_zeros(word):
    return np.uint64(64 - int(word).bit_length())


def _trailing_zeros(word):
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def _upper_half(a, b):
    return np.uint64((int(a) * int(b)) >> 64)


def _ctlz(_, word):
    def instruction(context, builder, signature, arguments):
        undefined_for_zero = context.get_constant(types.boolean, True)
        return builder.ctlz(arguments[0], undefined_for_zero)

    return word(word), instruction


def _cttz(_, word):
    def instruction(context, builder, signature, arguments):
        undefined_for_zero = context.get_constant(types.boolean, True)
        return builder.cttz(arguments[0], undefined_for_zero)

    return word(word), instruction


def _mulhi(_, a, b):
    def instruction(context, builder, signature, arguments):
        narrow = arguments[0].type
        wide = type(narrow)(128)
        product = builder.mul(*(builder.zext(word, wide) for word in arguments))
        return builder.trunc(builder.lshr(product, wide(64)), narrow)

    return a(a, b), instruction


# The zero bits above the highest one, and below the lowest one, of a word that is not zero.
leading_zeros: Any = _leading_zeros if config.DISABLE_JIT else intrinsic(_ctlz)
trailing_zeros: Any = _trailing_zeros if config.DISABLE_JIT else intrinsic(_cttz)

# The upper 64 bits of a * b.
upper_half: Any = _upper_half if config.DISABLE_JIT else intrinsic(_mulhi)
