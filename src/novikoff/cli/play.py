"""`novikoff play`: the playground, in a browser or as a file."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.analysis.sources import find, is_text
from novikoff.cli.console import Output, note
from novikoff.cli.errors import INTERRUPTED, UsageError, refuse_unwritable
from novikoff.cli.options import Positive, as_target, complete_names, names_in

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.web.site import PageState

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
    axes: Annotated[
        str | None,
        typer.Option(metavar="X,Y", help="The two columns of a table. Chosen if not said."),
    ] = None,
    target: Annotated[
        str | None, typer.Option(help="The column of the labels. Chosen if not said.")
    ] = None,
    positive: Positive = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0 for any port that is free.")
    ] = 8362,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address.")
    ] = False,
    export: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE | FOLDER",
            help="Write the page instead of opening it: as one file if the name ends in .html or "
            ".htm, which needs no server and no network, otherwise as a folder for a web host, "
            "from which it can be installed.",
        ),
    ] = None,
) -> None:
    """Open the playground: points, the algorithm step by step, and what is known about it.

    The page computes by itself. It is served to this machine only; Ctrl-C ends that.
    """
    columns = names_in("--axes", axes or "")
    if axes is not None and len(columns) != 2:
        raise UsageError("--axes takes two columns, as in --axes height,weight.")
    fragment, state = _beginning(what, columns, as_target(target), positive)
    if export is not None:
        _write(export, state or ({"link": fragment} if fragment else None))
        return
    from novikoff.web.server import listen

    with listen(port, None if fragment else state) as server:
        url = server.address + fragment
        Output().line(f"The playground is at {url} (Ctrl-C ends it).")
        sys.stdout.flush()  # whoever started it may be reading through a pipe
        if not no_browser:
            # In a thread: some browsers return only when they are closed.
            threading.Thread(target=_browse, args=(url,), daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            note("The playground is closed.")
            raise typer.Exit(INTERRUPTED) from None


def _browse(url: str) -> None:
    import webbrowser

    if not webbrowser.open(url):
        note("No browser could be opened; open the address above.")


def _write(path: Path, state: PageState | None) -> None:
    """The page as a file or a folder."""
    from novikoff.persistence.disk import replace_text, replacing
    from novikoff.web.site import folder, page

    if path.suffix.lower() in (".html", ".htm"):
        refuse_unwritable("--export", path)
        replace_text(path, page(state))
        note(f"play: written to {path}; open it in a browser")
        return
    path.mkdir(parents=True, exist_ok=True)
    for name, content in folder(state).items():
        with replacing(path / name) as stream:
            stream.write(content)
    note(f"play: written to {path}{os.sep}; put it where a web server finds it")


def _beginning(what: str | None, *choice: Any) -> tuple[str, PageState | None]:
    """The fragment of the address to open, and the same for a page that is opened without one.

    choice : of a table's columns, as `read_points` takes it
    """
    if what is None:
        return "", None
    if what.startswith(("http://", "https://", "file://", "#")):
        _, _, fragment = what.partition("#")
        if not fragment:
            raise UsageError(f"{what}: there is nothing after a # that the page could show.")
        if not fragment.isascii() or not fragment.isprintable() or " " in fragment:
            raise UsageError("The link holds characters that no link of the page has.")
        return f"#{fragment}", None

    data = find(what)
    if data.peek(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return "", _saved(data)
    from novikoff.web.documents import fragment_of

    state = _points(data, *choice)
    return fragment_of(state) or "", state


def _saved(data: Bytes) -> PageState:
    """The state that the page has saved."""
    from novikoff._json import read_json
    from novikoff.web.documents import STATE

    with data.open() as stream:
        text = stream.read(MOST_STATE + 1)
    if len(text) > MOST_STATE:
        raise UsageError(f"{data.name} is too large for a saved state.")
    try:
        state = read_json(text.decode("utf-8-sig"))
    except ValueError as error:
        raise UsageError(f"{data.name} is not a saved state: {error}.") from None
    if not isinstance(state, dict) or (state.get("format"), state.get("version")) != STATE:
        raise UsageError(
            f'{data.name} is not a state of the playground (its "format" is not "{STATE[0]}", or '
            f'its "version" is not {STATE[1]}).'
        )
    return state


def _points(data: Bytes, *choice: Any) -> PageState:
    """The points of a table."""
    from novikoff.analysis.plane import read_points
    from novikoff.streams.chunks import reopenable
    from novikoff.web.documents import state_of

    if is_text(data):
        raise UsageError(f"{data.name} is no table; the playground takes one, with names.")
    found = read_points(reopenable(data), *choice)
    note(found.note)
    return state_of(found.points, axes=found.axes, classes=found.classes, end=True, note=found.note)
