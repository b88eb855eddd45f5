"""A playground on a free port of this machine, for as long as a test needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from novikoff.web.server import listen
from novikoff.web.site import PageState


@contextmanager
def serving(state: PageState | None = None) -> Iterator[str]:
    """Its address, without a slash at the end."""
    with listen(0, state) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.address.rstrip("/")
        server.shutdown()
        thread.join(20)
        assert not thread.is_alive()
