"""The site stands alone: a page loads nothing from elsewhere, and what it points to is there.

The build fails otherwise. Sphinx itself checks the links that it makes; this looks at the pages as
they were written, with what the theme, the gallery and raw HTML have added.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from sphinx.application import Sphinx
from sphinx.errors import SphinxError

LOADS = {  # what a browser fetches by itself
    "audio": "src", "embed": "src", "iframe": "src", "img": "src", "link": "href",
    "object": "data", "script": "src", "source": "src", "video": "src",
}  # fmt: skip
POINTS = {"a": "href"}
RELATIONS = {"author", "canonical", "index", "next", "prev", "search"}  # of links not fetched


class _Addresses(HTMLParser):
    """Collects what a page loads, and what it points to."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.all: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        address = values.get((LOADS | POINTS).get(tag, ""))
        if not address:
            return
        self.all.append(address)
        relations = set((values.get("rel") or "").split())
        if tag in LOADS and not (tag == "link" and relations <= RELATIONS):
            self.loaded.append(address)


def complaints(site: Path) -> Iterator[str]:
    """Every sentence says what is wrong on a page."""
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site)
        if name.parts[0] == "_static":  # a template of the theme
            continue
        page = _Addresses()
        page.feed(path.read_text())
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{name} loads {address}"
        for address in page.all:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or not parts.path:
                continue
            if not (path.parent / unquote(parts.path)).exists():
                yield f"{name} points to {address}, which is not there"
    for path in sorted(site.rglob("*.css")):
        text = path.read_text()
        if any(start in text for start in ("url(http", "url(//", "@import url(")):
            yield f"{path.relative_to(site)} loads something from elsewhere"


def check(app: Sphinx, exception: Exception | None) -> None:
    """Look at the site once it is written."""
    if exception is None and app.builder.format == "html":
        found = list(complaints(Path(app.outdir)))
        if found:
            raise SphinxError("The site does not stand alone:\n" + "\n".join(found))


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
