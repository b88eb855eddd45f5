"""The interactive replay of a run: a small view in plain ES modules, and the pages that hold it.

`static/` is the view: it reads the trace format (docs/trace-format.md) and nothing else, and needs
no build step. :mod:`novikoff.replay.html` puts it into a page.
"""

from novikoff.replay.html import Fragment, content_hash, fragment, json_block, page, template

__all__ = ["Fragment", "content_hash", "fragment", "json_block", "page", "template"]
