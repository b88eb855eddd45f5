"""A playground on a free port of this machine, for as long as a test needs it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from novikoff.web.app import create_app
from novikoff.web.server import address, listen


@contextmanager
def serving(start: Any = None, **options: Any) -> Iterator[str]:
    """Its address, once requests are answered; the workers may still be getting ready."""
    listener = listen(0)
    config = uvicorn.Config(
        create_app(start, **options), log_level="warning", access_log=False, ws="none"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield address(listener).rstrip("/")
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()
        assert not thread.is_alive()
