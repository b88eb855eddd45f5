"""Decimal numbers become the nearest double, as Python's own `float` finds it."""

import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novikoff._jit import kernel
from novikoff.kernels.decimal import DECIDED, MALFORMED, PADDING, UNDECIDED, decimal
from tests.examples import examples

LARGEST = 2**53 - 1


@kernel
def decimal_at(text, p):
    return decimal(text, p)


def read(text, behind=b" "):
    padded = np.frombuffer(bytearray(text.encode() + behind * PADDING), np.uint8)
    value, end, outcome = decimal_at(padded, np.uint64(0))
    return float(value), int(end), outcome


def bits(number):
    return struct.pack("<d", number)


def check(text):
    """The kernel gives float(text) to the last bit, or says that it cannot tell."""
    value, end, outcome = read(text)
    assert outcome != MALFORMED
    assert end == len(text)
    if outcome == DECIDED:
        assert bits(value) == bits(float(text))
    else:
        assert len(text) > 19


def decimal_of(number):
    """A fraction whose denominator is a power of two, written out in full."""
    places = number.denominator.bit_length() - 1
    return f"{number.numerator * 5**places}e-{places}"


@examples(400)
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(2.2250738585072014e-308)
@example(2.225073858507201e-308)
@example(1.7976931348623157e308)
@example(-0.0)
@example(9007199254740993.0)
def test_every_double_is_read_back_from_its_repr(number):
    value, _, outcome = read(repr(number))
    assert outcome == DECIDED
    assert bits(value) == bits(number)
    check(f"{number:.6f}")
    check(f"{number:.16e}")
    check(f"{number:.18e}")
    check(f"{number:.25g}")


@examples(400)
@given(
    sign=st.sampled_from(["", "-", "+"]),
    digits=st.text("0123456789", min_size=1, max_size=40),
    point=st.integers(0, 41),
    exponent=st.none() | st.integers(-400, 400) | st.integers(-(10**15), 10**15),
    letter=st.sampled_from("eE"),
)
@example("", "0" * 30 + "1", 0, 10**14, "e")
@example("-", "0", 1, 500, "e")
@example("", "17976931348623158", 41, 292, "e")  # the largest double, rounded up
@example("", "17976931348623159", 41, 292, "e")  # beyond
def test_digits_with_a_point_anywhere_and_any_exponent(sign, digits, point, exponent, letter):
    text = sign + digits if point > len(digits) else sign + digits[:point] + "." + digits[point:]
    check(text if exponent is None else f"{text}{letter}{exponent}")


@examples(300)
@given(w=st.integers(1, 2**64 - 1), q=st.integers(-345, 310))
def test_whole_numbers_of_nineteen_digits_are_always_decided(w, q):
    text = f"{w % 10**19}e{q}"
    value, _, outcome = read(text)
    assert outcome == DECIDED
    assert bits(value) == bits(float(text))


@examples(300)
@given(
    mantissa=st.integers(2**52, LARGEST),
    exponent=st.integers(-1074, 971) | st.integers(-12, 12),
    nudge=st.sampled_from([-1, 0, 1]),
)
def test_halfway_between_two_doubles_goes_to_the_even_one(mantissa, exponent, nudge):
    halfway = (Fraction(mantissa) + Fraction(1, 2)) * Fraction(2) ** exponent
    text = decimal_of(halfway)
    digits, _, power = text.partition("e")
    check(text)
    check(f"{int(digits) * 10**30 + nudge}e{int(power) - 30}")


@pytest.mark.parametrize(
    ("text", "even"),
    [
        ("9007199254740993", 2.0**53),  # 2**53 + 1
        ("9007199254740995", 2.0**53 + 4),
        ("900719925474099.3e1", 2.0**53),
        ("9007199254740993e0000", 2.0**53),
        ("4503599627370496.5", 2.0**52),
        ("4503599627370497.5", 2.0**52 + 2),
        ("2251799813685248.25", 2.0**51),
        ("562949953421312.0625", 2.0**49),  # 10**-4 is the smallest power that can divide a half
    ],
)
def test_short_halfway_cases_are_decided(text, even):
    assert read(text)[::2] == (even, DECIDED)


@examples(200)
@given(k=st.integers(0, 2**52), digits=st.integers(1, 25), below=st.booleans())
@example(0, 17, True)
@example(0, 17, False)
@example(2**52 - 1, 19, False)
def test_subnormals_and_the_edge_to_zero(k, digits, below):
    halfway = (Fraction(k) + Fraction(1, 2)) * Fraction(2) ** -1074
    tens = math.floor(math.log10(halfway.numerator) - math.log10(halfway.denominator)) - digits
    w = int(halfway * Fraction(10) ** -tens) + (0 if below else 1)
    check(f"{w}e{tens}")


@pytest.mark.parametrize("text", ["1e309", "2e308", "123456789e301", "1e400", "9" * 400])
def test_too_large_a_number_is_infinite(text):
    value, _, outcome = read(text)
    assert (value, outcome) == (math.inf, DECIDED)


@pytest.mark.parametrize("text", ["1.", ".5", "+.5", "-1.e3", "00012", "0.0", "1E+05", "1e-0005"])
def test_forms_that_float_reads(text):
    check(text)


@pytest.mark.parametrize("text", ["", ".", "+", "-", "e5", "+.e1", "1e", "1e+", "1.5E-", "x"])
def test_forms_that_float_refuses(text):
    with pytest.raises(ValueError, match="could not convert"):
        float(text)
    assert read(text)[2] == MALFORMED


@pytest.mark.parametrize("text", ["nan", "-NaN", "inf", "+Infinity"])
def test_words_are_no_numbers(text):
    assert read(text)[2] == MALFORMED


@pytest.mark.parametrize(
    ("text", "end"), [("1_000", 1), ("0x10", 1), ("1.5.2", 3), ("1:2", 1), ("1e5e6", 3), ("--1", 1)]
)
def test_a_number_ends_where_it_ceases_to_be_one(text, end):
    assert read(text)[1] == end


@pytest.mark.parametrize("behind", [b"\0", b"\n", b"\xff", b":", b"/", b"\x80", b"\xb0"])
def test_no_byte_is_taken_for_a_digit(behind):
    for n in range(1, 20):
        value, end, outcome = read("1234567890123456789"[:n], behind)
        assert (value, end, outcome) == (float("1234567890123456789"[:n]), n, DECIDED)


def test_most_numbers_of_many_digits_are_decided():
    random = np.random.default_rng(0)
    texts = [f"0.{a}{b}" for a, b in random.integers(10**17, 10**18, (300, 2))]
    outcomes = [read(text)[2] for text in texts]
    assert outcomes.count(UNDECIDED) <= 3
