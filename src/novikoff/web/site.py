"""The page as files: a folder for any web host, or one HTML file that opens anywhere."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote

from novikoff.replay import content_hash, json_block, template
from novikoff.replay.bundle import join, static

STYLES = ("replay/replay.css", "play.css", "layout.css")
_APART = re.compile(r"<!-- files -->\n.*<!-- end of files -->\n", re.DOTALL)
_NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'"

State = dict[str, Any]  # what the page saves as a state file


def index(state: State | None = None) -> str:
    """The page that finds its files beside it; it opens with `state`."""
    return _text("index.html").replace("</body>", _block("start", state) + "</body>")


def page(state: State | None = None) -> str:
    """The page as one file, without a network and without modules, which a disk cannot serve."""
    script = join("alone.js", _text)
    style = "".join(map(_text, STYLES))
    policy = (
        f"{_NOTHING_ELSE}; script-src '{content_hash(script)}'; style-src '{content_hash(style)}'; "
        "img-src data:; worker-src blob:"
    )
    icon = f"data:image/svg+xml,{quote(_text('icon.svg'))}"
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        f'<link rel="icon" href="{icon}">\n<style>{style}</style>\n'
    )
    # Compressed: most of the replay's script is in this one, too.
    saved = base64.b64encode(gzip.compress(template().encode(), mtime=0)).decode()
    body = (
        f'{_block("start", state)}<script type="text/plain" id="replay">{saved}</script>\n'
        f'<script id="alone">{script}</script>\n'
    )
    text = _APART.sub(lambda _: head, _text("index.html"))
    return text.replace("</body>", f"{body}</body>")


@cache
def folder() -> dict[str, bytes]:
    """Every file of the page, by its path."""
    found = {path: file.read_bytes() for path, file in _files(files("novikoff.web") / "static")}
    replay = _files(files("novikoff.replay") / "static", "replay/")
    found |= {path: file.read_bytes() for path, file in replay}
    found["replay.html"] = template().encode()
    # A service worker that is another one fetches everything anew.
    version = hashlib.sha256(b"".join(found[path] for path in sorted(found))).hexdigest()[:16]
    names = json.dumps(sorted(found.keys() - {"service.js"}))
    known = f"const VERSION = {json.dumps(version)};\nconst FILES = {names};\n"
    found["service.js"] = known.encode() + found["service.js"]
    return found


def _files(room: Traversable, before: str = "") -> Iterator[tuple[str, Traversable]]:
    for file in room.iterdir():
        if file.is_dir():
            yield from _files(file, f"{before}{file.name}/")
        else:
            yield f"{before}{file.name}", file


def _text(path: str) -> str:
    """A text of the page's, or of the replay's that it reuses."""
    if path.startswith("replay/"):
        return static(path.removeprefix("replay/"))
    return (files("novikoff.web") / "static" / path).read_text(encoding="utf-8")


def _block(name: str, value: State | None) -> str:
    if value is None:
        return ""
    return f'<script type="application/json" id="{name}">{json_block(value)}</script>\n'
