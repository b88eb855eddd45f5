"""What stands between the network and the application.

The server is for one person on one machine, but any page that this person visits can send requests
to it. So requests must name the server as itself in `Host` (another name that resolves to it would
make a foreign page same-origin: DNS rebinding), and must not come from another origin. Every
answer carries a strict content policy, and every request is limited in size and time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novikoff.web.questions import MOST_BYTES, MOST_SECONDS

POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": POLICY.encode("ascii"),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cross-origin-resource-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_DISCARDED = 8  # times as much as a request may have is read of one that has more
_DISCARDING = 2.0  # seconds


class RefusalError(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message


class Guard:
    """An ASGI middleware around everything.

    hosts : the names the server may be called by
    """

    def __init__(
        self,
        app: ASGIApp,
        hosts: Iterable[str] = LOOPBACK,
        most_bytes: int = MOST_BYTES,
        seconds: float = MOST_SECONDS,
    ) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.most_bytes = most_bytes
        self.seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # there are no sockets here
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_headers(message.get("headers", []))
            await send(message)

        try:
            headers = _single(scope)
            self._check(scope, headers)
            body = await self._body(headers, receive)
        except RefusalError as refusal:
            if refusal.status == 413:
                await self._discard(receive)
            await _refuse(guarded_send, refusal)
            return
        await self.app(scope, _replayed(body, receive), guarded_send)

    def _check(self, scope: Scope, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if _without_port(host) not in self.hosts:
            raise RefusalError(
                403, "refused", "This server answers only to the name of this machine itself."
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            raise RefusalError(403, "refused", "This server does not answer other pages.")
        # A link from elsewhere may open the page, but nothing else may ask for anything.
        foreign = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        if foreign and scope["path"] != "/":
            raise RefusalError(403, "refused", "This server does not answer other pages.")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] == "POST" and kind != "application/json":
            raise RefusalError(
                415, "invalid", "Questions are JSON: send Content-Type: application/json."
            )

    async def _body(self, headers: dict[str, str], receive: Receive) -> bytes:
        """All of the body, if it is small and comes in time."""
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > self.most_bytes:
            raise self._too_large()
        try:
            return await asyncio.wait_for(self._read(receive), self.seconds)
        except TimeoutError:
            raise RefusalError(
                408, "too_slow", f"The request did not arrive within {self.seconds:g} seconds."
            ) from None

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":  # the client has gone
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self.most_bytes:
                raise self._too_large()
            if not message.get("more_body", False):
                return bytes(body)

    async def _discard(self, receive: Receive) -> None:
        """Let the rest of what is too large arrive, up to a limit, and forget it.

        A connection that is closed on bytes nobody has read is reset, and the answer may be lost.
        """

        async def read() -> None:
            left, more = _DISCARDED * self.most_bytes, True
            while more and left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                more = message.get("more_body", False)

        with suppress(TimeoutError):
            await asyncio.wait_for(read(), min(self.seconds, _DISCARDING))

    def _too_large(self) -> RefusalError:
        return RefusalError(
            413, "too_large", f"A request may have at most {self.most_bytes} bytes."
        )


def error_body(kind: str, message: str, field: str | None = None) -> bytes:
    """The body of an answer that is not 200."""
    error = {"kind": kind, "message": message, "field": field}
    return json.dumps({"error": error}).encode("ascii")


def _single(scope: Scope) -> dict[str, str]:
    """The headers as text; those that matter here must not be given twice."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key = name.decode("latin-1").lower()
        if key in found and key in ("host", "origin", "content-length", "content-type"):
            raise RefusalError(400, "invalid", f"The header {key} is given twice.")
        found[key] = value.decode("latin-1")
    return found


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    if colon and port.isdigit() and (not name.startswith("[") or name.endswith("]")):
        return name.lower()
    return host.lower()


def _with_headers(headers: Iterable[tuple[bytes, bytes]]) -> list[Any]:
    kept = [(name, value) for name, value in headers if name.lower() not in HEADERS]
    if not any(name.lower() == b"cache-control" for name, _ in kept):
        kept.append((b"cache-control", b"no-store"))
    return [*kept, *HEADERS.items()]


async def _refuse(send: Send, refusal: RefusalError) -> None:
    body = error_body(refusal.kind, refusal.message)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode("ascii")),
        (b"connection", b"close"),  # what is left of the request is not read
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, and then waits for the client to go."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
