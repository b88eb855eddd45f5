"""How much memory may be taken because a file says so.

A few bytes of a file can ask for any amount of memory: a large index, a long line, a compressor's
window. Whoever is about to allocate what a file asks for asks `refusal` first, which knows the
limit: that of the call, else that of the process (`allow`), else half of the machine's memory.
"""

from __future__ import annotations

import os
from pathlib import Path

from novikoff._messages import Message, Setting

__all__ = ["allow", "as_bytes", "limit", "machine", "refusal", "shown"]

_UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12,
          "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}  # fmt: skip
_CONTAINER = Path("/sys/fs/cgroup/memory.max")  # what a container may use; "max" for everything
_UNKNOWN = 8 * 2**30  # where a system does not say what it has

_allowed: int | None = None  # by `allow`


def allow(n_bytes: int | None) -> None:
    """Set the limit for this process; None for the usual one."""
    global _allowed
    _allowed = n_bytes


def limit(given: int | None = None) -> int:
    """The limit in bytes; `given` is that of one call."""
    if given is not None:
        return given
    return machine() // 2 if _allowed is None else _allowed


def machine() -> int:
    """The memory that this machine has, or this container."""
    there = _UNKNOWN
    if hasattr(os, "sysconf"):  # not on Windows
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(there, int(_CONTAINER.read_text(encoding="ascii")))
    except (OSError, ValueError):
        return there


def refusal(n_bytes: int, what: str, *, given: int | None = None) -> Message | None:
    """Why so many bytes may not be taken, or None if they may.

    what : what takes them, as the subject of a sentence
    """
    allowed = limit(given)
    if n_bytes <= allowed:
        return None
    return Message(
        f"{what} would take {shown(n_bytes)} of memory, and {shown(allowed)} are allowed; ",
        Setting("max_memory"), " allows more",
    )  # fmt: skip


def as_bytes(text: str | int | None) -> int | None:
    """A size such as 4GB, 512MiB or a number of bytes; None stays None.

    >>> as_bytes("4GB"), as_bytes("1.5 GiB"), as_bytes(1000)
    (4000000000, 1610612736, 1000)
    """
    if text is None:
        return None
    spelled = str(text).strip().lower()
    number = spelled.rstrip("bkmgti ")
    unit = spelled[len(number) :].strip()
    try:
        n_bytes = int(float(number) * _UNITS[unit if unit in _UNITS else unit.removesuffix("b")])
    except (ValueError, KeyError, OverflowError):
        n_bytes = 0
    if n_bytes < 1:
        raise ValueError(Message(Setting("max_memory", text), " is no size such as 4GB or 512MiB."))
    return n_bytes


def shown(n_bytes: int) -> str:
    """A size for people.

    >>> shown(9_700_000_000), shown(64 * 2**20)
    ('9.7 GB', '67 MB')
    """
    for unit, name in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.{1 if n_bytes < 10 * unit else 0}f} {name}"
    return f"{n_bytes} bytes"
