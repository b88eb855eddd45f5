"""The page's own files, and those of the replay it reuses."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import novikoff.replay

ROOT = Path(__file__).parent / "static"
REPLAY = Path(novikoff.replay.__file__).parent / "static"
# Spelled out: what a system's own table says of .js is not to be relied on.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
}
_PATH = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*")


class Page:
    """A file that may be served."""

    def __init__(self, content: bytes, kind: str) -> None:
        self.content = content
        self.headers = {
            "content-type": kind,
            "etag": f'"{hashlib.sha256(content).hexdigest()[:32]}"',
            # Asked about each time, so that an update of the library is an update of the page.
            "cache-control": "no-cache",
        }


def find(path: str) -> Page | None:
    """The file of that path below /static/; None if there is none to be served."""
    if not _PATH.fullmatch(path):  # no dots at the beginning of a part: neither .. nor hidden files
        return None
    root = ROOT
    if path.startswith("replay/"):
        root, path = REPLAY, path.removeprefix("replay/")
    file = root / path
    kind = TYPES.get(file.suffix)
    if kind is None or not file.is_file() or not file.resolve().is_relative_to(root.resolve()):
        return None
    return Page(file.read_bytes(), kind)
