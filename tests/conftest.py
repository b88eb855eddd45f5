"""What tests of several rooms share: one browser for all of them."""

from tests.browser import browser

__all__ = ["browser"]
