"""The outside of a model file, or of a checkpoint: a mark, a header, the contents, a digest.

    novikoff model file\\n
    {"format": "novikoff.model", "version": 2, ..., "tree": t, "arrays": a}\\n
    t bytes: the model's structure as JSON, see `writing.py`
    a bytes: the contents of its arrays, one after the other
    32 bytes: the SHA-256 digest of all of the above

The digest finds damage. It does not tell who wrote a file: whoever can change the file can change
the digest too. That is why nothing beyond this module relies on it.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOENT
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from novikoff._arrays import Array
from novikoff._json import read_json
from novikoff.persistence.disk import replacing
from novikoff.persistence.errors import ModelFileError, require

_MOST_HEADER = 2**16
# The structure, without arrays; a vocabulary of a million words takes a tenth of it. How much
# memory it may take is another matter, see `Reader`.
MOST_TREE = 2**28
_DIGEST = 32
_CHUNK = 2**22


@dataclass(frozen=True)
class Kind:
    """What a file is about, and the version of its format: the only one since the release."""

    what: str
    format: str
    version: int

    @property
    def mark(self) -> bytes:
        """The first line."""
        return f"novikoff {self.what}\n".encode()


MODEL = Kind("model file", "novikoff.model", 2)


def write_file(path: Any, name: str, tree: bytes, arrays: list[Array], kind: Kind = MODEL) -> None:
    """Write a file at `path`, whole or not at all; `name` says of which class its contents are."""
    import sklearn

    require(len(tree) <= MOST_TREE, f"Its structure is too large for a {kind.what}.")
    header = {
        "format": kind.format,
        "version": kind.version,
        "class": name,
        "novikoff": import_module("novikoff").__version__,
        "numpy": np.__version__,
        "scikit-learn": sklearn.__version__,
        "tree": len(tree),
        "arrays": sum(array.nbytes for array in arrays),
    }
    target = Path(path)
    if target.is_dir():
        raise ModelFileError(f"{path} is a directory; a {kind.what} is one file: give it a name.")
    folder = Path(os.path.realpath(path)).parent  # of what a link leads to
    if not folder.is_dir():
        raise FileNotFoundError(
            ENOENT, f"There is no such directory for the {kind.what}; make it first",
            str(folder),
        )  # fmt: skip
    if target.exists() and not target.is_file():
        raise ModelFileError(f"{path} is not a regular file, so no {kind.what} is written there.")
    with replacing(target) as file:
        digest = hashlib.sha256()

        def write(piece: Any) -> None:
            digest.update(piece)
            file.write(piece)

        write(kind.mark)
        write(json.dumps(header).encode() + b"\n")
        write(tree)
        for array in arrays:
            write(array.reshape(-1, order="A").view(np.uint8).data)
        file.write(digest.digest())


@dataclass
class ModelFile:
    """An open model file whose digest is right; read from front to back."""

    header: dict[str, Any]
    tree: bytes
    left: int  # bytes of arrays not read yet
    _file: BinaryIO

    def read(self, array: NDArray[np.uint8]) -> None:
        """Fill `array` with the next bytes of the arrays."""
        require(array.nbytes <= self.left, "its arrays are longer than the file says.")
        self.left -= array.nbytes
        file: Any = self._file  # has readinto, though BinaryIO does not declare it
        filled = file.readinto(array.data) if array.nbytes else 0
        require(filled == array.nbytes, "it became shorter while it was read.")


@contextmanager
def open_file(path: Any, kind: Kind = MODEL) -> Iterator[ModelFile]:
    """Open a file, check its outside, and give every error about it the file's name."""
    name = os.fspath(path)
    if os.path.isdir(path):
        raise ModelFileError(f"{name} is a directory, not a {kind.what}.")
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        raise ModelFileError(f"{name} is not a regular file, so it is no {kind.what}.")
    with open(path, "rb") as file, refusing(name, kind):
        yield _checked(file, kind)


@contextmanager
def refusing(name: str, kind: Kind) -> Iterator[None]:
    """Turn whatever goes wrong with the contents of a file into an error that names it."""
    try:
        yield
    except ModelFileError as error:
        raise ModelFileError(f"{name} cannot be loaded: {error}") from error
    except (
        LookupError, TypeError, ValueError, AttributeError, ArithmeticError, MemoryError,
        RecursionError,
    ) as error:  # fmt: skip
        raise ModelFileError(
            f"{name} cannot be loaded: it is no well-formed {kind.what} "
            f"({type(error).__name__}: {str(error)[:200]})."
        ) from error


def _checked(file: BinaryIO, kind: Kind) -> ModelFile:
    size = os.fstat(file.fileno()).st_size
    mark = file.read(len(kind.mark))
    if mark != kind.mark:
        raise ModelFileError(_what_it_is(mark, kind))
    line = file.readline(_MOST_HEADER)
    require(line.endswith(b"\n"), "it is truncated or damaged: its header has no end.")
    try:
        header = read_json(line)
    except ValueError as error:
        raise ModelFileError(f"it is damaged: its header is no JSON ({error}).") from None
    require(
        isinstance(header, dict) and header.get("format") == kind.format,
        "its header is damaged.",
    )
    version = header.get("version")
    require(type(version) is int and version >= 1, "its header is damaged: no format version.")
    require(
        version >= kind.version,
        f"its format has version {version}, which only versions of novikoff before its release "
        f"wrote; this one reads version {kind.version}. Train again.",
    )
    require(
        version == kind.version,
        f"its format has version {version}, and this version of novikoff reads up to "
        f"{kind.version}. It was written by novikoff {str(header.get('novikoff'))[:40]}: install "
        "that or a later one.",
    )
    tree, arrays = header.get("tree"), header.get("arrays")
    for length in (tree, arrays):
        require(type(length) is int and length >= 0, "its header is damaged: no lengths.")
    require(tree <= MOST_TREE, f"its structure claims {tree} bytes; {MOST_TREE} are the most.")
    expected = len(kind.mark) + len(line) + tree + arrays + _DIGEST
    require(size >= expected, f"it is truncated: {size} of {expected} bytes are there.")
    require(size == expected, f"it was changed: {size - expected} bytes follow its end.")
    _check_digest(file, expected - _DIGEST)
    file.seek(len(kind.mark) + len(line))
    return ModelFile(header, file.read(tree), arrays, file)


def _check_digest(file: BinaryIO, length: int) -> None:
    digest = hashlib.sha256()
    file.seek(0)
    while length:
        piece = file.read(min(length, _CHUNK))
        require(bool(piece), "it became shorter while it was read.")
        digest.update(piece)
        length -= len(piece)
    require(
        digest.digest() == file.read(_DIGEST),
        "it was changed or damaged: its contents do not match its digest.",
    )


def _what_it_is(start: bytes, kind: Kind) -> str:
    """Why a file with this beginning is refused."""
    if not start:
        return "it is empty."
    if kind.mark.startswith(start):
        return "it is truncated: it ends within its first line."
    if start[:1] == b"\x80" and start[1:2] <= b"\x05":
        return "it is a pickle, which is never read: unpickling runs what the file says."
    if start[:2] == b"PK":
        return f"it is a zip archive (a skops file?), not a {kind.what} of novikoff."
    return f"it is not a {kind.what} of novikoff."
