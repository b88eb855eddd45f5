"""The one way to compile a kernel, and the one place that decides whether to.

Every hot loop of the library is a plain function decorated with :data:`kernel`. It can run as it
stands, as ordinary Python, and compiled by numba; because every decision is exact, both give the
same results bit for bit. Small work is not worth a compiler: see `Kernel`, and
docs/design/0023-small-work.md. numba is imported by the first call that is, and where there is no
numba all runs as ordinary Python.

Compiled code is cached on disk, in a folder named after a hash of the kernel sources: numba looks
only at the file of the function it caches, so without the hash an edited callee would leave a stale
caller behind. ``NUMBA_DISABLE_JIT=1`` keeps numba out altogether.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import os
import sys
import time
import types
import uuid
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

__all__ = [
    "by_class", "compiling_at_once", "compiling_told", "fusing_row_kernel", "inner_kernel",
    "instruction", "kernel", "reordering_row_kernel", "row_kernel", "steady_kernel",
]  # fmt: skip

Function = TypeVar("Function", bound=Callable[..., Any])

_PACKAGE = Path(__file__).parent

# What a kernel may spend as ordinary Python, in seconds, before it is compiled: about what it takes
# to load it where it lies on disk, without numba and with it, and to compile it where it does not.
_WORTH_NUMBA, _WORTH_LOADING, _WORTH_COMPILING = 0.5, 0.05, 2.0
_A_VALUE = 4e-7  # seconds that ordinary Python takes for one number of an array, at least
# The same where numpy takes all of them at once; such a kernel is short, and soon compiled.
_A_VALUE_AT_ONCE, _WORTH_COMPILING_SHORT = 2e-9, 0.3
# Seconds to be used instead of all these: 0 compiles everything, inf nothing.
patience = float(os.environ["NOVIKOFF_PATIENCE"]) if "NOVIKOFF_PATIENCE" in os.environ else None


def _source_hash() -> str:
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for source in sorted((_PACKAGE / "kernels").rglob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def cache_folder() -> str:
    """A writable folder for compiled code, or "" where there is none: then nothing is cached."""
    numba = sys.modules.get("numba")
    chosen = str(numba.config.CACHE_DIR) if numba else os.environ.get("NUMBA_CACHE_DIR", "")
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


@functools.cache
def _numba() -> Any:
    """numba, told what kernels are; or None where there is none, or where it is not wanted."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return None
    try:
        import numba
    except ImportError:
        return None
    config: Any = numba.config  # its names are set at run time
    if config.DISABLE_JIT:
        return None
    from numba.core.registry import cpu_target
    from numba.extending import typeof_impl

    @typeof_impl.register(Kernel)
    @typeof_impl.register(Instruction)
    @typeof_impl.register(Choice)
    def _(value: Any, _: Any) -> Any:
        return cpu_target.typing_context.resolve_value_type(value.compiled)

    return numba


class Kernel:
    """A function that runs as ordinary Python while it has little to do, and compiled from then on.

    What there is to do is guessed by the arrays of a call, and what was done is measured: when it
    would have been worth the compiler it is, for the types at hand, and the count starts again. So
    nobody waits more than twice as long as for the better choice. Nothing switches inside a call.
    """

    __name__: str

    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = self._in_python = function
        self._given_loop = False
        self._a_value, self._worth = _A_VALUE, _WORTH_COMPILING
        self._options = options
        self._spent = self._looked = 0.0  # `_looked`: before so much nothing lay on disk
        self._ready: Any = None  # numba's dispatcher, once there is one

    def __call__(self, *arguments: Any) -> Any:
        if self._ready is None:
            if not self._worth_compiling(arguments):
                return self._plainly(*arguments)
            self._ready = self.compiled
        return self._ready(*arguments)

    def runs_compiled(self, *arguments: Any) -> bool:
        """Whether it will, for arguments like these: what plain Python does not use is not made."""
        return self._ready is not None or (self._seems_worth(arguments) and _numba() is not None)

    @functools.cached_property
    def plain(self) -> Any:
        """The function as ordinary Python, which calls others in that form, too."""
        plain = _plain(self._in_python)
        return functools.partial(plain, _plain(self._function)) if self._given_loop else plain

    def by_numpy(self, function: Any) -> None:
        """Let `function` be the plain form: it does the same, with a call of numpy for a loop."""
        self._in_python = function

    def wholly_by_numpy(self, function: Any) -> None:
        """Let `function` be the plain form: it does the same, and has no loop over the rows."""
        self._in_python = function
        self._a_value, self._worth = _A_VALUE_AT_ONCE, _WORTH_COMPILING_SHORT

    def at_once(self, function: Any) -> None:
        """Let `function` be the plain form: for all rows at once it does what is clear.

        For the rest it is given the loop, before all other arguments.
        """
        self._in_python, self._given_loop = function, True

    @functools.cached_property
    def compiled(self) -> Any:
        """numba's dispatcher. It asks again for types that it does not know yet."""
        compiled = _compile(self._function, **self._options)
        compile_for = compiled._compile_for_args

        def decide(*arguments: Any) -> Any:
            if not self._worth_compiling(arguments):
                return self._plainly
            self._spent = self._looked = 0.0
            with _keeping_garbage():
                return compile_for(*arguments)

        compiled._compile_for_args = decide
        return compiled

    def _plainly(self, *arguments: Any) -> Any:
        began = time.perf_counter()
        try:
            # Compiled code does not warn of overflow, so neither does the code it stands for.
            with np.errstate(all="ignore"):
                return self.plain(*arguments)
        finally:
            self._spent += time.perf_counter() - began

    def _worth_compiling(self, arguments: Any) -> bool:
        worth = self._seems_worth(arguments)
        if worth and _numba() is None:
            _miss_numba()
            return False
        return worth

    def _seems_worth(self, arguments: Any) -> bool:
        estimate = self._spent + self._a_value * _size(arguments)
        if patience is not None:
            return estimate >= patience
        loading = _WORTH_LOADING if "numba" in sys.modules else _WORTH_NUMBA
        if estimate > self._worth:
            return True
        if estimate <= max(loading, self._looked):
            return False
        found = self._is_on_disk(arguments)
        if not found:  # to look again at every call would cost more than many of them
            self._looked = 2.0 * estimate
        return found

    def _is_on_disk(self, arguments: Any) -> bool:
        """Whether it lies there compiled for the types of these arguments."""
        if not self._has_file or _numba() is None:
            return False
        cache, context = self.compiled._cache, self.compiled.targetctx
        types = tuple(map(self.compiled.typeof_pyval, arguments))
        with contextlib.suppress(Exception):  # a damaged file raises almost anything
            return cache._index_key(types, context.codegen()) in cache._cache_file._load_index()
        return False

    @functools.cached_property
    def _has_file(self) -> bool:
        """Whether it lies there compiled for any types: known without numba."""
        module, folder = self.__module__.rpartition(".")[2], cache_folder()
        return bool(folder) and any(Path(folder).rglob(f"{module}.{self.__name__}-*.nbi"))


class RowKernel(Kernel):
    """A kernel that other kernels are made of; called from Python it is ordinary Python."""

    __call__ = Kernel._plainly


class SteadyKernel(Kernel):
    """A kernel whose results are rounded as the form that runs rounds them.

    So the form depends on the size of the arguments alone, not on what has been run before.
    """

    def __init__(self, function: Any, most: int) -> None:
        super().__init__(function, {})
        self._most = most

    def __call__(self, *arguments: Any) -> Any:
        form = self.compiled if self._worth_compiling(arguments) else self._plainly
        return form(*arguments)

    def _worth_compiling(self, arguments: Any) -> bool:
        return _size(arguments) > self._most and _numba() is not None


def _size(arguments: Any) -> int:
    """How many numbers the arrays among `arguments` have."""
    total = 0
    for each in arguments:
        if isinstance(each, np.ndarray):
            total += each.size
        elif isinstance(each, tuple):
            total += _size(each)
    return total


@functools.cache
def _miss_numba() -> None:
    if sys.modules.get("numba") is None and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"):
        warnings.warn(
            "This takes long without a compiler: install numba (pip install numba) to make it "
            "some hundred times as fast. The results are the same.",
            stacklevel=2,
        )


_plain_worlds: dict[int, dict[str, Any]] = {}  # by the id of a module's globals


def _plain(function: Any) -> Any:
    """`function`, with the plain forms of this package's kernels in place of the kernels.

    Somebody's own function is left as it is: what it looks up may be replaced at any time.
    """
    world = function.__globals__
    if not str(world.get("__name__")).startswith("novikoff."):
        return function
    plain_world = _plain_worlds.get(id(world))
    if plain_world is None:
        plain_world = _plain_worlds[id(world)] = dict(world)
        for name, value in world.items():
            if isinstance(value, Kernel | Instruction | Choice):
                plain_world[name] = value.plain
    return types.FunctionType(
        function.__code__, plain_world, function.__name__, function.__defaults__
    )


@contextlib.contextmanager
def _keeping_garbage() -> Iterator[None]:
    """Look for no garbage meanwhile: a compiler makes objects by the million, and few cycles."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


_unknown: list[Any] = []  # what numba is to be told of before it compiles anything


class Instruction:
    """A function that is one instruction to the compiler: `plain` is Python, `lower` emits it."""

    def __init__(self, plain: Any, lower: Any) -> None:
        functools.update_wrapper(self, plain)
        self.plain, self._lower = plain, lower
        _unknown.append(self)

    def __call__(self, *arguments: Any) -> Any:
        return self.plain(*arguments)

    @functools.cached_property
    def compiled(self) -> Any:
        """numba's intrinsic."""
        return _numba().extending.intrinsic(self._lower)


def instruction(lower: Any) -> Callable[[Callable[..., Any]], Any]:
    """Let `lower`, in the form of numba's intrinsics, stand for the function in compiled code."""
    return lambda plain: Instruction(plain, lower)


_told: ContextVar[Callable[[str], None] | None] = ContextVar("told", default=None)


@contextlib.contextmanager
def compiling_told(tell: Callable[[str], None] | None) -> Iterator[None]:
    """Let `tell` know, once, if something is compiled meanwhile: that takes seconds."""
    token = _told.set(tell)
    try:
        yield
    finally:
        _told.reset(token)


@contextlib.contextmanager
def compiling_at_once(wanted: bool) -> Iterator[None]:
    """Compile all that is called meanwhile, if that is `wanted`: for work that is yet to come."""
    global patience
    before = patience
    patience = 0.0 if wanted else before
    try:
        yield
    finally:
        patience = before


_FOREIGN: dict[type, str] = {}  # classes with forms outside of the package: a hash of their files


def _compile(function: Any, **options: Any) -> Any:
    numba, folder = _numba(), cache_folder()
    while _unknown:  # before numba begins: it looks for what is new once per compilation
        _unknown.pop().compiled  # noqa: B018 - asking for it makes it
    # numba reads the folder once, while it decorates; a user's own kernels keep theirs.
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        compiled = numba.njit(cache=bool(folder), no_cfunc_wrapper=True, **{**_ALWAYS, **options})(
            function
        )
    finally:
        numba.config.CACHE_DIR = before
    if folder:
        _keep_apart(compiled)
        _never_fail(compiled)
        _know_foreign(compiled)
    return compiled


def _keep_apart(compiled: Any) -> None:
    """Give every file of compiled code a name of its own.

    numba numbers the files of a function: two processes that compile at the same time may take the
    same number for different types, and a third would run the one code on arrays of the other type.
    """
    file = compiled._cache._cache_file
    numbered = file._data_name
    file._data_name = lambda number: f"{uuid.uuid4().hex[:12]}-{numbered(number)}"


def _never_fail(compiled: Any) -> None:
    """Let a full disk or a damaged file cost the cache, not the fit: numba raises for both.

    What cannot be loaded is compiled again, and takes the place of the damaged file.
    """
    cache = compiled._cache
    load, save = cache.load_overload, cache.save_overload

    def load_overload(signature: Any, context: Any) -> Any:
        try:
            found = load(signature, context)
        except Exception:  # bytes that are no pickle, or of something else, raise almost anything
            found = None
            try:
                cache.flush()  # numba reads the index again before it saves
            except OSError:
                cache.disable()
        tell = _told.get()
        if found is None and tell is not None:
            _told.set(None)
            tell("compiling; the result is kept on disk")
        return found

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


# Strict arithmetic has to be asked for: what is not said a function takes from the one that it is
# first compiled for, and one that may reorder its sums calls others that must not.
_ALWAYS = {"nogil": True, "error_model": "numpy", "fastmath": False}
# Python has the plain form only of what other kernels call: the way from Python into compiled code
# takes long to compile.
_WITHIN = {"no_cpython_wrapper": True}
# What runs once per row must neither be called nor count references: a call passes every array as
# seven numbers, a count is an atomic instruction, and either costs more than a short row. Arrays
# are kept alive by the kernel that such a function is compiled into; it must not be called from
# Python in a loop over arrays that nobody else holds.
_PER_ROW = {"forceinline": True, "_nrt": False, **_WITHIN}


def kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` with strict IEEE-754 arithmetic: nothing reordered, nothing fused."""
    return Kernel(function, {})


def steady_kernel(most: int) -> Callable[[Callable[..., Any]], Any]:
    """Compile like :func:`kernel` what has arrays of more than `most` numbers, and nothing else.

    For sums in any order that somebody sees, if only in the choices of a search.
    """
    return lambda function: SteadyKernel(function, most)


def row_kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` like :func:`kernel`, for what another kernel does once per row."""
    return RowKernel(function, _PER_ROW)


def inner_kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` like :func:`kernel`, for what other kernels call now and then."""
    return RowKernel(function, _WITHIN)


def reordering_row_kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` like :func:`row_kernel`, its sums free to be reordered and fused.

    Only for sums whose rounding error is bounded for *any* order (see
    :mod:`novikoff.kernels.filter`), and that nobody sees; never for an update.
    """
    options = {"fastmath": {"reassoc", "contract"}, **_PER_ROW}
    return RowKernel(function, options)


def fusing_row_kernel(function: Callable[..., Any]) -> Any:
    """Compile `function` like :func:`reordering_row_kernel`, but sum in the order that is written.

    For loops over sparse rows: free to reorder those, the compiler gathers weights by vectors, and
    that takes longer than to load them one by one.
    """
    return RowKernel(function, {"fastmath": {"contract"}, **_PER_ROW})


class Choice:
    """A function with one form for each class of its first argument; see `by_class`."""

    def __init__(self, function: Any) -> None:
        functools.update_wrapper(self, function)
        self._forms: dict[type, Any] = {}
        self._plain_forms: dict[type, Any] = {}
        _unknown.append(self)

    def of(self, cls: type) -> Callable[[Function], Function]:
        """Add the form for arguments of this class."""

        def add(form: Function) -> Function:
            _note_foreign(cls, form)
            self._forms[cls] = form
            self._plain_forms.pop(cls, None)
            return form

        return add

    def plain(self, first: Any, *rest: Any) -> Any:
        """What ordinary Python calls."""
        form = self._plain_forms.get(type(first))
        if form is None:
            form = self._plain_forms[type(first)] = _plain(self._forms[type(first)])
        return form(first, *rest)

    __call__ = plain

    @functools.cached_property
    def compiled(self) -> Any:
        """A function that numba replaces by the form for the type of its first argument."""

        def stand_in(first: Any, *rest: Any) -> Any: ...

        options: Any = {**_ALWAYS, **_PER_ROW}

        def choose(first: Any, *rest: Any) -> Any:
            return self._forms.get(getattr(first, "instance_class", object))

        _numba().extending.overload(stand_in, jit_options=options, strict=False)(choose)
        return stand_in


def by_class(function: Any) -> Any:
    """Let `function` be written once for each class of its first argument, a named tuple.

    ``@function.of(Class)`` adds the form it takes for a class. Compiled code picks the form while
    it is compiled, by the type of the argument, so that a choice costs nothing when it runs and
    the caller is cached like any other; plain Python looks it up.
    """
    return Choice(function)
