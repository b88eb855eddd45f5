"""The page's files, served to this machine: modules and workers need HTTP."""

from __future__ import annotations

import errno
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from novikoff._messages import Message, Setting
from novikoff.web.site import PageState, modules

HOST = "127.0.0.1"
# Spelled out: what a system's own table says of .js is not to be relied on.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}


class Server(ThreadingHTTPServer):
    """Answers with the files of the page, and nothing else."""

    daemon_threads = True  # a browser that keeps its connection does not keep the program

    def __init__(self, port: int, state: PageState | None = None) -> None:
        super().__init__((HOST, port), _Handler)
        self.files = modules(state)
        self.names = [f"{name}:{self.server_port}" for name in (HOST, "localhost")]

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{HOST}:{self.server_port}/"


class _Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = urlsplit(self.path).path.removeprefix("/") or "index.html"
        content = self.server.files.get(path)
        # A foreign name that is made to resolve to this machine would be of the page's origin.
        if content is None or self.headers.get("Host") not in self.server.names:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", TYPES[PurePosixPath(path).suffix])
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")  # an update of the library is one of the page
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing: who asks is the one who started it."""


def listen(port: int, state: PageState | None = None) -> Server:
    """A server of this machine's own; port 0 is any that is free."""
    try:
        return Server(port, state)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        taken = error.errno == errno.EADDRINUSE
        reason = "is in use, perhaps by another playground" if taken else "is not permitted"
        told = f"Port {port} {reason}: choose another with "
        raise ValueError(Message(told, Setting("port"), ", 0 for any that is free.")) from None
