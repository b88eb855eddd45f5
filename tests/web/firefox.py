"""Debian's Firefox, driven through Marionette, its own remote control: no other program is needed.

Marionette speaks JSON over a socket, each message after its length and a colon: a command is
[0, id, name, parameters], an answer [1, id, error, result].
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from typing import Any


class Firefox:
    """A browser without a window, with a profile of its own."""

    def __init__(self, path: str, profile: Any) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        self._process = subprocess.Popen(
            [path, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._connection = self._connected(port)
        self._n = 0
        self._read()  # what it is
        self.send("WebDriver:NewSession")

    def _connected(self, port: int) -> socket.socket:
        end = time.monotonic() + 90
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), 90)
            except ConnectionRefusedError:
                if self._process.poll() is not None or time.monotonic() > end:
                    self._process.kill()
                    self._process.wait()
                    raise AssertionError("Firefox does not listen") from None
                time.sleep(0.2)

    def _read(self) -> Any:
        size = b""
        while not size.endswith(b":"):
            size += self._connection.recv(1)
        left = int(size[:-1])
        text = b""
        while len(text) < left:
            text += self._connection.recv(left - len(text))
        return json.loads(text)

    def send(self, command: str, **parameters: Any) -> Any:
        """The result of a command."""
        self._n += 1
        text = json.dumps([0, self._n, command, parameters]).encode()
        self._connection.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def open(self, address: str) -> None:
        self.send("WebDriver:Navigate", url=address)

    def evaluate(self, expression: str) -> Any:
        script = f"return {expression};"
        return self.send("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def press(self, key: str) -> None:
        keys = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keys", "actions": keys}
        self.send("WebDriver:PerformActions", actions=[source])

    def close(self) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait(30)
