"""Certificates: whether two classes are linearly separable, by how much, and the proof."""

from novikoff.certificates.check import CertificateError
from novikoff.certificates.estimates import Separation
from novikoff.certificates.margin import max_margin, mistake_bound
from novikoff.certificates.parts import Combination, Separator
from novikoff.certificates.results import MaxMargin, MistakeBound, NotSeparableError, Separability
from novikoff.certificates.separability import separability
from novikoff.certificates.separation import separation

__all__ = [
    "CertificateError",
    "Combination",
    "MaxMargin",
    "MistakeBound",
    "NotSeparableError",
    "Separability",
    "Separation",
    "Separator",
    "max_margin",
    "mistake_bound",
    "separability",
    "separation",
]
