"""The independent checker: does a certificate prove what it says?

It imports NumPy and the standard library only and shares no code with the solvers, so that a
mistake in a solver cannot certify itself. Everything is decided in exact arithmetic over the
doubles in X; floating point only decides quickly what a rigorous error bound leaves no doubt about.

Read `separability.py`, `separation.py` and `margins.py` for the claims; `families.py` builds the
rows of a regression's cone; `signs.py`, `parts.py`, `spans.py` and
`modular.py` hold the arithmetic they rest on; `data.py` and `digest.py` say what data is spoken of.
"""

from novikoff.certificates.check.digest import digest, digest_of_model, digest_of_sides
from novikoff.certificates.check.errors import CertificateError
from novikoff.certificates.check.margins import check_max_margin
from novikoff.certificates.check.separability import check_separability
from novikoff.certificates.check.separation import check_separation

__all__ = [
    "CertificateError",
    "check_max_margin",
    "check_separability",
    "check_separation",
    "digest",
    "digest_of_model",
    "digest_of_sides",
]
