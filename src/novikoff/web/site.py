"""The page as files: modules to be served, one HTML file, or that file made for a web host."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any
from urllib.parse import quote

from novikoff.replay import content_hash, json_block, template
from novikoff.replay.bundle import join, static

STYLES = ("replay/replay.css", "play.css", "layout.css")
_APART = "<!-- files -->\n", "<!-- end of files -->\n"  # what one file has inside it

PageState = dict[str, Any]  # what the page saves as a state file


def modules(state: PageState | None = None) -> dict[str, bytes]:
    """The page as it is written, by path: modules that a browser shows as such, for a server."""
    found = {path: file.read_bytes() for path, file in _files(files("novikoff.web") / "static")}
    replay = _files(files("novikoff.replay") / "static", "replay/")
    found |= {path: file.read_bytes() for path, file in replay}
    found["replay.html"] = template().encode()
    text = _text("index.html").replace("</body>", f"{_start(state)}</body>")
    return found | {"index.html": text.encode()}


def page(state: PageState | None = None) -> str:
    """The page as one file, without a network and without modules, which a disk cannot serve."""
    return _alone(state, "")


def folder(state: PageState | None = None) -> dict[str, bytes]:
    """The one-file page with what it takes to be installed from a web host, by path."""
    found = {name: _text(name).encode() for name in ("icon.svg", "play.webmanifest")}
    found["index.html"] = _alone(state, " data-hosted").encode()
    # A service worker that is another one fetches everything anew.
    version = hashlib.sha256(b"".join(found.values())).hexdigest()[:16]
    found["service.js"] = f'const VERSION = "{version}";\n{_text("service.js")}'.encode()
    return found


def _alone(state: PageState | None, hosted: str) -> str:
    script = join("alone.js", _text)
    style = "".join(map(_text, STYLES))
    more = " 'self'; manifest-src 'self'" if hosted else ""
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; "
        f"script-src '{content_hash(script)}'; style-src '{content_hash(style)}'; "
        f"img-src data:; worker-src blob:{more}"
    )
    icon = f"data:image/svg+xml,{quote(_text('icon.svg'))}"
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        f'<link rel="icon" href="{icon}">\n<style>{style}</style>\n'
    )
    # Compressed: most of the replay's script is in this one, too.
    saved = base64.b64encode(gzip.compress(template().encode(), mtime=0)).decode()
    body = (
        f'{_start(state)}<script type="text/plain" id="replay">{saved}</script>\n'
        f'<script id="alone">{script}</script>\n'
    )
    before, _, rest = _text("index.html").partition(_APART[0])
    text = before + head + rest.partition(_APART[1])[2]
    text = text.replace('<div id="play"', f'<div id="play"{hosted}')
    return text.replace("</body>", f"{body}</body>")


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


def _start(state: PageState | None) -> str:
    """What the page opens with, where its address does not say."""
    if state is None:
        return ""
    return f'<script type="application/json" id="start">{json_block(state)}</script>\n'
