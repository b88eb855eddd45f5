"""Decimal numbers in text to the nearest double, ties to even: what Python's ``float`` gives.

A number is w * 10**q with a whole w < 2**64. If w <= 2**53 and |q| <= 22, both w and 10**|q| are
doubles and one multiplication or division rounds once (Clinger 1990). Otherwise w is multiplied by
the leading 128 bits of 5**q, which decides the rounding of every such w (Eisel and Lemire: Lemire
2021, "Number parsing at a gigabyte per second"; that no case is left over, Mushtak and Lemire
2023). Of more than 19 digits the first 19 are taken: if w and w + 1 round to the same double, so
does the number; if not, the kernel says UNDECIDED and the caller asks ``float``.

Digits are read eight at a time, as bytes of one 64-bit word. Text must therefore go on for
`PADDING` bytes behind its last number, whatever they are.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from novikoff._jit import kernel, row_kernel
from novikoff.kernels.words import leading_zeros, trailing_zeros, upper_half

PADDING = 16

# What became of a number. The value of an UNDECIDED one is the caller's to find.
DECIDED, UNDECIDED, MALFORMED = 0, 1, 2

_SMALLEST, _LARGEST = -342, 308  # exponents: below, w * 10**q is 0; above, it is infinite


def _power_of_five(q: int) -> int:
    """The leading 128 bits of 5**q; for negative q rounded as Mushtak and Lemire's proof has it."""
    if q >= 0:
        power = 5**q
        excess = power.bit_length() - 128
        return power >> excess if excess > 0 else power << -excess
    power = 5**-q
    bits = power.bit_length()
    if q >= -27:  # 5**27 < 2**64: rounded up, so that exact quotients are recognised
        return (1 << (bits + 127)) // power + 1
    # 5**-q is no power of two, so its reciprocal has exactly 128 leading bits here.
    return (1 << (bits + 127)) // power


def _table() -> Any:
    """(651, 2) uint64: the upper and the lower halves."""
    powers = [_power_of_five(q) for q in range(_SMALLEST, _LARGEST + 1)]
    return np.array([(power >> 64, power & (2**64 - 1)) for power in powers], np.uint64)


_FIVES = _table()
_TENS = np.array([10.0**q for q in range(23)])  # exact
_WHOLE_TENS = np.array([10**q for q in range(9)], np.uint64)

# numba makes a signed number of unsigned plus literal, so every constant has its type.
_0, _1, _3, _8, _9, _10 = (np.uint64(n) for n in (0, 1, 3, 8, 9, 10))
_16, _32, _63, _64 = (np.uint64(n) for n in (16, 32, 63, 64))
_NINE_ONES = np.uint64(0x1FF)
_EXACT = np.uint64(2**53)  # whole numbers up to here are doubles
_MOST_DIGITS = np.uint64(19)  # 10**19 < 2**64
_BITS = np.uint64(52)  # of a double behind its leading one
_INFINITY = np.uint64(0x7FF << 52)

_TOPS = np.uint64(0x8080808080808080)
_ZEROS = np.uint64(0x3030303030303030)  # "00000000"
_OVER_NINE = np.uint64(0x7676767676767676)  # carries into the top bit from 10 on
_PAIRS = np.uint64(0x000000FF000000FF)
_UPPER_PAIRS = np.uint64(100 + (10**6 << 32))
_LOWER_PAIRS = np.uint64(1 + (10**4 << 32))

_MINUS, _PLUS, _POINT = np.uint8(45), np.uint8(43), np.uint8(46)
_LETTER_E, _LOWER = np.uint8(101), np.uint8(32)
_ZERO = np.uint8(48)


@row_kernel
def eight_bytes(text, p):
    """text[p : p + 8] as one word, the first byte lowest; the compiler makes one load of it."""
    word = np.uint64(text[p])
    word |= np.uint64(text[p + _1]) << _8
    word |= np.uint64(text[p + np.uint64(2)]) << _16
    word |= np.uint64(text[p + _3]) << np.uint64(24)
    word |= np.uint64(text[p + np.uint64(4)]) << _32
    word |= np.uint64(text[p + np.uint64(5)]) << np.uint64(40)
    word |= np.uint64(text[p + np.uint64(6)]) << np.uint64(48)
    word |= np.uint64(text[p + np.uint64(7)]) << np.uint64(56)
    return word


@row_kernel
def digits(text, p):
    """The number that the digits at `p` spell, eight of them at most, and how many they are."""
    word = eight_bytes(text, p) ^ _ZEROS  # a digit's byte is now its value
    # The top bit of each byte that is no digit. A carry spoils only bytes behind the first such.
    other = ((word + _OVER_NINE) | word) & _TOPS
    if other == _0:
        count = _8
    else:
        count = trailing_zeros(other) >> _3
        if count == _0:
            return _0, _0
        word <<= _64 - (count << _3)  # zeros in front, what follows is dropped
    word = word * _10 + (word >> _8)  # pairs of digits, in every second byte
    upper = (word & _PAIRS) * _UPPER_PAIRS
    lower = ((word >> _16) & _PAIRS) * _LOWER_PAIRS
    return (upper + lower) >> _32, count


@kernel
def nearest(w, q):
    """The bits of the double nearest to w * 10**q, for any w < 2**64; infinity if it overflows."""
    if w == _0 or q < _SMALLEST:
        return _0
    if q > _LARGEST:
        return _INFINITY
    shift = leading_zeros(w)
    w <<= shift
    row = q - _SMALLEST
    five = _FIVES[row, 0]
    high, low = upper_half(w, five), w * five
    if (high & _NINE_ONES) == _NINE_ONES:  # all ones: a carry from below may matter
        carry = upper_half(w, _FIVES[row, 1])
        low += carry
        if low < carry:
            high += _1
    upper = high >> _63
    drop = upper + _9
    mantissa = high >> drop  # 54 bits: one to round by
    # floor(q * log2(10)) + 63, exact for these q.
    exponent = ((217706 * q) >> 16) + 63 + np.int64(upper) - np.int64(shift) + 1023
    if exponent <= 0:
        if exponent <= -63:
            return _0
        mantissa >>= np.uint64(1 - exponent)
        mantissa += mantissa & _1
        return mantissa >> _1  # 2**52 is the smallest normal number, as bits too
    # Halfway between two doubles, exactly: only for small |q|, and then the product is exact.
    if low <= _1 and -4 <= q <= 23 and (mantissa & _3) == _1:
        if (mantissa << drop) == high:
            mantissa -= _1
    mantissa = (mantissa + (mantissa & _1)) >> _1
    # Adding the leading one to the exponent carries over a mantissa that was rounded up to 2**53.
    bits = (np.uint64(exponent - 1) << _BITS) + mantissa
    return min(bits, _INFINITY)


@row_kernel
def _more_digits(text, p, w):
    """w, continued by the digits at `p` (modulo 2**64), and where they end."""
    count = _8
    while count == _8:
        value, count = digits(text, p)
        w = w * _WHOLE_TENS[count] + value
        p += count
    return w, p


@kernel
def _exponent(text, p):
    """The exponent behind the letter at `p`, and its end; its end is `p` if there is none."""
    sign = text[p + _1]
    q = p + _1 + np.uint64((sign == _MINUS) | (sign == _PLUS))
    first, count, value = q, _8, 0
    while count == _8:
        piece, count = digits(text, q)
        # Capped where no text is long enough to make up for it.
        value = min(value * np.int64(_WHOLE_TENS[count]) + np.int64(piece), 10**10)
        q += count
    if q == first:
        return 0, p
    return (-value if sign == _MINUS else value), q


@kernel
def _long(text, p, end, exponent):
    """The bits of the number whose digits (more than 19, with or without a point) are at `p`."""
    w, n_digits, fraction, rest = _0, 0, False, False
    while p < end:
        byte = text[p]
        p += _1
        if byte == _POINT:
            fraction = True
            continue
        if n_digits < 19:
            w = w * _10 + np.uint64(byte - _ZERO)
            n_digits += w != _0
            exponent -= fraction
        else:
            rest = rest or byte != _ZERO
            exponent += not fraction
    bits = nearest(w, exponent)
    if rest and bits != nearest(w + _1, exponent):
        return bits, UNDECIDED
    return bits, DECIDED


@row_kernel
def decimal(text, p):
    """The number at text[p], its end, and what became of it (DECIDED, UNDECIDED or MALFORMED).

    The number is the longest that starts at `p`; what follows is for the caller to judge. Read are
    a sign, digits with a point before, between or behind them, an exponent.
    """
    sign = text[p]
    negative = sign == _MINUS
    p += np.uint64(negative | (sign == _PLUS))
    first = p
    w, n_fraction = np.uint64(text[p] - _ZERO), 0
    if w < _10 and text[p + _1] == _POINT:  # the usual form, without a search for its end
        p += _1
    else:
        w, p = _more_digits(text, p, _0)
    n_digits = p - first
    if text[p] == _POINT:
        fraction = p + _1
        w, p = _more_digits(text, fraction, w)
        n_digits += p - fraction
        n_fraction = np.int64(p - fraction)
    end, q = p, -n_fraction
    if n_digits == _0:
        return 0.0, first, MALFORMED
    if (text[p] | _LOWER) == _LETTER_E:
        exponent, p = _exponent(text, p)
        if p == end:
            return 0.0, p, MALFORMED
        q += exponent
    outcome = DECIDED
    if w <= _EXACT and -22 <= q <= 22 and n_digits <= _MOST_DIGITS:
        value = np.float64(np.int64(w))
        value = value / _TENS[-q] if q < 0 else value * _TENS[q]
    elif n_digits <= _MOST_DIGITS:
        value = np.uint64(nearest(w, q)).view(np.float64)
    else:
        bits, outcome = _long(text, first, end, q + n_fraction)
        value = np.uint64(bits).view(np.float64)
    return (-value if negative else value), p, outcome


_NUMBER = re.compile(rb"([+-]?)(\d*\.?\d*)(?:[eE]([+-]?\d+)?)?")


@decimal.by_numpy
def _(text, p):
    size = 32
    # Cut behind "e" or "e-", a number seems to end before it.
    while (found := _NUMBER.match(text[p : p + size].tobytes())).end() > size - 3:
        size *= 2
    sign, digits_, exponent = found.groups()
    if digits_ in (b"", b"."):
        return 0.0, np.uint64(p + len(sign)), MALFORMED
    if exponent is None and found.end() > found.end(2):
        return 0.0, np.uint64(p + found.end(2)), MALFORMED
    return float(found[0]), np.uint64(p + found.end()), DECIDED
