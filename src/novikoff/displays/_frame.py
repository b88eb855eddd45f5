"""The numbers of a display as a table."""

from __future__ import annotations

from typing import Any


def frame_of(columns: dict[str, Any]) -> Any:
    """A pandas DataFrame of these columns, all of one length."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "frame() needs pandas: pip install pandas. (The same numbers are attributes of the "
            "display.)"
        ) from error
    return pd.DataFrame(columns)
