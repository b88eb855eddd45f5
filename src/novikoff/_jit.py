"""The one way to compile a kernel.

Every hot loop of the library is a plain function decorated with :data:`kernel`. Compiled code is
cached on disk, in a folder named after a hash of the kernel sources: numba looks only at the file
of the function it caches, so without the hash an edited callee would leave a stale caller behind.

``NUMBA_DISABLE_JIT=1`` turns the decorators into no-ops; the kernels then run as ordinary Python
and, because every decision is exact, give the same results bit for bit.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numba.extending
import numpy as np

__all__ = [
    "by_class", "finite_row_kernel", "kernel", "reordering_row_kernel", "row_kernel",
]  # fmt: skip

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent
config: Any = numba.config  # its names are set at run time


def _source_hash() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in sorted((_PACKAGE / "kernels").rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> str:
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


_FOLDER = cache_folder()
_FOREIGN: dict[type, str] = {}  # classes with forms outside of the package: a hash of their files


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
        _know_foreign(compiled)
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


def _know_foreign(compiled: Any) -> None:
    """Let what was compiled for somebody's own rule be found again only while its file is the same.

    The hash in the name of the folder knows the sources of this library, and no others.
    """
    cache = compiled._cache
    index_key = cache._index_key

    def with_forms(signature: Any, codegen: Any) -> Any:
        classes = (getattr(each, "instance_class", None) for each in signature)
        forms = tuple(_FOREIGN[cls] for cls in classes if cls in _FOREIGN)
        return (*index_key(signature, codegen), forms)

    cache._index_key = with_forms


def _note_foreign(cls: type, form: Any) -> None:
    code = form.__code__
    file = Path(code.co_filename)
    if _PACKAGE not in file.parents:  # in a notebook there is none
        told = file.read_bytes() if file.exists() else code.co_code + repr(code.co_consts).encode()
        _FOREIGN[cls] = hashlib.sha256(_FOREIGN.get(cls, "").encode() + told).hexdigest()


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


def by_class(function: Any) -> Any:
    """Let `function` be written once for each class of its first argument, a named tuple.

    ``@function.of(Class)`` adds the form it takes for a class. Compiled code picks the form while
    it is compiled, by the type of the argument, so that a choice costs nothing when it runs and
    the caller is cached like any other; plain Python looks it up.
    """
    forms: dict[type, Any] = {}

    @functools.wraps(function)
    def dispatch(first: Any, *rest: Any) -> Any:
        return forms[type(first)](first, *rest)

    def of(cls: type) -> Callable[[Function], Function]:
        def add(form: Function) -> Function:
            _note_foreign(cls, form)
            forms[cls] = _compile(form, **_PER_ROW)
            return form

        return add

    dispatch.of = of  # type: ignore[attr-defined]  # read by those who add a form
    if not config.DISABLE_JIT:
        options: Any = {**_PER_ROW, "nogil": True, "error_model": "numpy"}

        @numba.extending.overload(dispatch, jit_options=options, strict=False)
        def choose(first: Any, *rest: Any) -> Any:
            form = forms.get(getattr(first, "instance_class", object))
            return None if form is None else form.py_func

    return dispatch
