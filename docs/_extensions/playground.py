"""The playground on the site: the page that links open, from a web host or from a disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

PAGE = Path(__file__).parents[1] / "_generated" / "extra" / "playground"  # copied as it is


def write(_: Sphinx) -> None:
    """Write the page's folder, each file only if it has changed."""
    from novikoff.web.site import folder

    PAGE.mkdir(parents=True, exist_ok=True)
    for name, content in folder().items():
        path = PAGE / name
        if not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
