"""ES modules of ours as one script, for pages that must be a single file.

A browser loads ES modules one by one over HTTP; a file on a disk cannot. So the modules are joined:
each becomes a function that returns what it exports, called in the order of their imports. That
works for the forms the modules keep to, and anything else is refused: at the start of a line,
``import { a } from "./b.js";``, ``export { a };``, and ``export`` before a function, a class or a
const.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.\.?/[\w./-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)
_LIST = re.compile(r"^export \{([^{}]*)\};\n", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b|\bimport\(|\bimport\.meta\b", re.MULTILINE)


def static(name: str) -> str:
    """The text of one of the view's files."""
    return (files("novikoff.replay") / "static" / name).read_text(encoding="utf-8")


@cache
def bundle() -> str:
    """The whole view as the text of one script, which mounts every replay on its page."""
    return join("auto.js", static)


def join(entry: str, read: Callable[[str], str]) -> str:
    """The module `entry` and all it imports, as one script; `read` gives the text of a file."""
    done: dict[str, str] = {}
    _add(entry, read, done, ())
    return '"use strict";\n' + "\n".join(done.values())


def _add(
    name: str, read: Callable[[str], str], done: dict[str, str], above: tuple[str, ...]
) -> None:
    if name in above:
        raise ValueError(f"{name} imports itself: {' -> '.join([*above, name])}.")
    if name in done:
        return
    text = read(name)
    for _, wanted in _IMPORT.findall(text):
        _add(_resolved(name, wanted), read, done, (*above, name))
    done[name] = _as_function(name, text)


def _resolved(name: str, wanted: str) -> str:
    """The path of a file that the module `name` imports as `wanted`."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted))


def _variable(name: str) -> str:
    return "module_" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _as_function(name: str, text: str) -> str:
    exported = _EXPORT.findall(text) + _LIST.findall(text)

    def taken(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"const {{{names}}} = {_variable(_resolved(name, found[2]))};\n"

    body = _LIST.sub("", _EXPORT.sub("", _IMPORT.sub(taken, text)))
    other = _OTHER.search(body)
    if other:
        raise ValueError(f"{name} has an import or export that cannot be joined: {other[0]!r}.")
    returned = f"return {{ {', '.join(exported)} }};"
    return f"const {_variable(name)} = (() => {{\n{body}\n{returned}\n}})();\n"
