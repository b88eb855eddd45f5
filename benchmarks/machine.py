"""What a run was measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
from numba import njit

from benchmarks.timing import in_turns

PACKAGES = (
    "novikoff", "scikit-learn", "numpy", "numba", "pandas", "polars", "vowpalwabbit", "distributed",
)  # fmt: skip


def machine() -> str:
    """The processor and how many of its cores there are."""
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return f"{[*models, platform.machine()][0]}, {os.cpu_count()} cores"


def versions() -> dict[str, str]:
    """The packages that are measured here, where they are installed."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@njit(fastmath={"reassoc"})
def _sum(values: np.ndarray) -> float:
    total = np.float32(0)
    for i in range(values.shape[0]):
        total += values[i]
    return total


def read_bandwidth() -> float:
    """Bytes per second that one thread can read from memory."""
    values = np.ones(50_000_000, np.float32)
    _sum(values[:10])
    return float(values.nbytes / in_turns(lambda: _sum(values), repeat=3).min())
