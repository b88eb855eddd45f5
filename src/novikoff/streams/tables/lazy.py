"""polars, imported when something of it is first used; and what to install where it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["pl", "require_polars"]


def require_polars() -> Any:
    """polars itself, or an error that says what to install; called to fail early."""
    try:
        import polars
    except ImportError as error:
        raise ImportError('reading tables needs polars: pip install "novikoff[tables]"') from error
    return polars


if TYPE_CHECKING:
    import polars as pl
else:

    class _Polars:
        def __getattr__(self, name: str) -> Any:
            return getattr(require_polars(), name)

    pl = _Polars()
