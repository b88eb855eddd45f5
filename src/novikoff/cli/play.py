"""`novikoff play`: the playground, in a browser."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.console import Output, note
from novikoff.cli.errors import INTERRUPTED, UsageError
from novikoff.cli.options import complete_names

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.web.replies import Start

STATE = ("novikoff.play", 1)  # format and version of a state file
MOST_STATE = 1 << 24  # bytes


def play(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="LINK | FILE",
            help="A link to the page, a state file saved by it, or a table: two of its columns "
            "and a target become the points. Names of data sets that ship work too.",
            autocompletion=complete_names,
        ),
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any port that is free.")
    ] = 8362,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
) -> None:
    """Open the playground: points, the algorithm step by step, and what is known about it.

    The page is served to this machine only, and works without a network. Ctrl-C ends it.
    """
    try:
        from novikoff.web.server import address, listen, serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _PACKAGES:
            raise
        raise ImportError(
            f'the playground needs {error.name}: pip install "novikoff[play]"'
        ) from error
    fragment, start = _beginning(what)
    listener = listen(port)
    url = address(listener) + fragment
    output = Output()

    def opened() -> None:
        output.line(f"The playground is at {url} (Ctrl-C ends it).")
        sys.stdout.flush()  # whoever started it may be reading through a pipe
        if not no_browser:
            # In a thread: some browsers return only when they are closed.
            threading.Thread(target=_browse, args=(url,), daemon=True).start()

    try:
        serve(listener, start, opened)
    except KeyboardInterrupt:
        note("The playground is closed.")
        raise typer.Exit(INTERRUPTED) from None
    finally:
        listener.close()


_PACKAGES = ("fastapi", "pydantic", "starlette", "uvicorn")


def _browse(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        note("No browser could be opened; open the address above.")


def _beginning(what: str | None) -> tuple[str, Start | None]:
    """The fragment of the address to open, and what the page finds there."""
    if what is None:
        return "", None
    if what.startswith(("http://", "https://", "#")):
        _, _, fragment = what.partition("#")
        if not fragment:
            raise UsageError(f"{what}: there is nothing after a # that the page could show.")
        if not fragment.isascii() or not fragment.isprintable() or " " in fragment:
            raise UsageError("The link holds characters that no link of the page has.")
        return f"#{fragment}", None
    from novikoff.analysis.sources import find

    data = find(what)
    if data.peek(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "", _saved(data)
    return "", _points(data)


def _saved(data: Bytes) -> Start:
    """The state that the page has saved."""
    from novikoff._json import read_json
    from novikoff.web.replies import Start

    with data.open() as stream:
        text = stream.read(MOST_STATE + 1)
    if len(text) > MOST_STATE:
        raise UsageError(f"{data.name} is too large for a saved state.")
    try:
        state: Any = read_json(text.decode("utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"{data.name} is not a saved state: {error}.") from None
    if not isinstance(state, dict) or (state.get("format"), state.get("version")) != STATE:
        raise UsageError(
            f'{data.name} is not a state of the playground (its "format" is not "{STATE[0]}", or '
            f'its "version" is not {STATE[1]}).'
        )
    return Start(title=data.name, state=state)


def _points(data: Bytes) -> Start:
    """The points of a table, its columns chosen by what they look like."""
    from novikoff.analysis.sources import is_text
    from novikoff.streams.spool import reopenable
    from novikoff.web.replies import Start
    from novikoff.web.tables import read

    if is_text(data):
        raise UsageError(f"{data.name} is no table; the playground takes one, with names.")
    data = reopenable(data)
    suggested = read(data).suggested
    if suggested.features is None or suggested.target is None:
        raise UsageError(
            f"{data.name}: it takes two columns of numbers, and a third with few values as the "
            "target."
        )
    found = read(data, suggested.features, suggested.target)
    assert found.classes is not None
    x, y = suggested.features
    chosen = (
        f"{data.name}: {x} and {y}; {suggested.target} is the target, {found.classes.positive} "
        f"against {found.classes.negative}."
    )
    note(chosen)
    return Start(
        points=found.points, title=data.name, axes=suggested.features, classes=found.classes,
        note=" ".join([chosen, *found.notes[-2:]]),
    )  # fmt: skip
