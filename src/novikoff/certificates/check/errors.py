"""What is raised when a certificate does not hold."""

from __future__ import annotations

from fractions import Fraction


class CertificateError(ValueError):
    """A claim of a certificate is false; the message says which, and where."""


def require(claim: bool, message: str) -> None:
    """Raise unless `claim` is true."""
    if not claim:
        raise CertificateError(message)


def show(number: Fraction | int) -> str:
    """A number for a message: as it is if short, rounded otherwise.

    >>> show(Fraction(1, 3)), show(Fraction(10**30 + 1, 10**30)), show(Fraction(7**9000))
    ('1/3', 'about 1', 'about 2**25266')
    """
    number = Fraction(number)
    if max(abs(number.numerator), number.denominator) < 10**12:
        return str(number)
    power = abs(number.numerator).bit_length() - number.denominator.bit_length()
    if abs(power) < 1000:
        return f"about {float(number):.6g}"
    return f"about {'-' * (number < 0)}2**{power}"
