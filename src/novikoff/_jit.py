"""The one way to compile a kernel.

Every hot loop of the library is a plain function decorated with :data:`kernel`. Compiled code is
cached on disk, in a folder named after a hash of the kernel sources: numba looks only at the file
of the function it caches, so without the hash an edited callee would leave a stale caller behind.

``NUMBA_DISABLE_JIT=1`` turns the decorators into no-ops; the kernels then run as ordinary Python
and, because every decision is exact, give the same results bit for bit.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

__all__ = ["finite_row_kernel", "kernel", "reordering_row_kernel", "row_kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
config: Any = numba.config  # its names are set at run time


def _source_hash() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in sorted((_PACKAGE / "kernels").glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> str:
    """A writable folder for compiled code, or "" where there is none: then nothing is cached."""
    chosen = str(config.CACHE_DIR)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    candidates = [chosen] if chosen else [str(_PACKAGE / "__pycache__"), home]
    for parent in candidates:
        folder = os.path.join(parent, f"novikoff-{_source_hash()}")
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return ""


_FOLDER = _cache_folder()


def _compile(function: Function, **options: Any) -> Function:
    if config.DISABLE_JIT:
        # Compiled code does not warn of overflow, so neither does the code it stands for.
        plain: Function = np.errstate(all="ignore")(function)
        return plain
    # numba reads the folder once, while it decorates; a user's own kernels keep theirs.
    before = config.CACHE_DIR
    config.CACHE_DIR = _FOLDER
    try:
        compiled: Function = numba.njit(
            cache=bool(_FOLDER), nogil=True, error_model="numpy", **options
        )(function)
    finally:
        config.CACHE_DIR = before
    if _FOLDER:
        _never_fail(compiled)
    return compiled


def _never_fail(compiled: Any) -> None:
    """Let a full disk or a damaged file cost the cache, not the fit: numba raises for both.

    What cannot be loaded is compiled again, and takes the place of the damaged file.
    """
    cache = compiled._cache
    load, save = cache.load_overload, cache.save_overload

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            return load(signature, context)
        except Exception:  # bytes that are no pickle, or of something else, raise almost anything
            try:
                cache.flush()  # numba reads the index again before it saves
            except OSError:
                cache.disable()
            return None

    def save_overload(signature: Any, result: Any) -> None:
        with contextlib.suppress(OSError):
            save(signature, result)

    cache.load_overload, cache.save_overload = load_overload, save_overload


# What runs once per row must neither be called nor count references: a call passes every array as
# seven numbers, a count is an atomic instruction, and either costs more than a short row. Arrays
# are kept alive by the kernel that such a function is compiled into; it must not be called from
# Python in a loop over arrays that nobody else holds.
_PER_ROW = {"forceinline": True, "_nrt": False}


def kernel(function: Function) -> Function:
    """Compile `function` with strict IEEE-754 arithmetic: nothing reordered, nothing fused."""
    return _compile(function)


def row_kernel(function: Function) -> Function:
    """Compile `function` like :func:`kernel`, for what another kernel does once per row."""
    return _compile(function, **_PER_ROW)


def reordering_row_kernel(function: Function) -> Function:
    """Compile `function` like :func:`row_kernel`, its sums free to be reordered and fused.

    Only for sums whose rounding error is bounded for *any* order (see
    :mod:`novikoff.kernels.filter`); never for an update.
    """
    return _compile(function, fastmath={"reassoc", "contract"}, **_PER_ROW)


def finite_row_kernel(function: Function) -> Function:
    """Compile `function` like :func:`reordering_row_kernel`, for values known to be finite."""
    return _compile(function, fastmath={"reassoc", "contract", "nnan", "nsz"}, **_PER_ROW)
