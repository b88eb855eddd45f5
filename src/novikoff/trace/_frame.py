"""A trace as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from novikoff.trace._trace import Trace

_MOST_NUMBERS = 50_000_000  # of theta, in one frame: 400 MB


def frame(trace: Trace, theta: bool) -> Any:
    """See :meth:`novikoff.trace.Trace.frame`."""
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "Trace.frame() needs pandas: pip install pandas. (The same columns are attributes of "
            "the trace.)"
        ) from error

    other = [] if trace.other is None else ["other"]
    columns = ["k", "epoch", "t", "row", "y", *other, "score_before", "score_after"]
    table = pd.DataFrame({name: getattr(trace, name) for name in columns})
    if not theta:
        return table
    width = len(trace.start_theta)
    if len(trace) * width > _MOST_NUMBERS:
        raise ValueError(
            f"theta at each of {len(trace)} updates would be {len(trace) * width} numbers. Use "
            "frame(theta=False), and blocks() to go through the hypotheses."
        )
    thetas, offsets = trace.hypotheses()
    names = [f"theta_{j}" for j in np.arange(1, width + 1)]
    weights = pd.DataFrame(thetas[1:], columns=names)
    return pd.concat([table, weights, pd.DataFrame({"offset": offsets[1:]})], axis=1)
