"""Starting the playground, and stopping it."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

from novikoff._messages import Message, Setting
from novikoff.web.replies import Start

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """A socket on this machine's own address; port 0 is any that is free."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(64)
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            taken = error.errno == errno.EADDRINUSE
            reason = "is in use, perhaps by another playground" if taken else "is not permitted"
            told = f"Port {port} {reason}: choose another with "
            raise ValueError(Message(told, Setting("port"), ", 0 for any that is free.")) from None
        raise
    return listener


def address(listener: socket.socket) -> str:
    """Where the page is."""
    return f"http://{HOST}:{listener.getsockname()[1]}/"


def serve(
    listener: socket.socket, start: Start | None = None, opened: Callable[[], None] | None = None
) -> None:
    """Serve until interrupted; `opened` is called once requests are answered."""
    import uvicorn

    from novikoff.web.app import create_app
    from novikoff.web.pool import Pool

    pool = Pool()
    config = uvicorn.Config(
        create_app(start, pool=pool),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=1,
        limit_concurrency=100,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if opened is not None and self.started:
                opened()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            # First: a question that waits is then answered, and need not be cancelled.
            await asyncio.to_thread(pool.close)
            await super().shutdown(sockets=sockets)

    Server(config).run(sockets=[listener])
