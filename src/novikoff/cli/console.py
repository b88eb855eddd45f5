"""What is printed where: results on standard output, everything else on standard error.

On a terminal tables are rich tables; elsewhere they are aligned text without escape codes. With
`--json` the one JSON document of a command is all that standard output gets. Whatever is printed
passes through `printable`, so that no text of a file can command a terminal.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TextIO

from novikoff.analysis.wording import plain

# What is said instead where a terminal cannot print it; longer texts first.
SPELLED = {
    "θ₀": "theta_0", "θ": "theta", "η": "eta", "τ": "tau", "β": "beta", "γ": "gamma", "₀": "_0",
    "x̃": "x~",
    "·": "*", "×": "x", "−": "-", "±": "+/-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~",
    "²": "^2", "←": "<-", "→": "->", "‖": "||", "…": "...", "–": "-", "‘": "'", "’": "'",
    "“": '"', "”": '"', "√": "sqrt", "∞": "inf",
}  # fmt: skip


def printable(text: str, stream: TextIO) -> str:
    """`text` as `stream` can print it, on one line: `theta` for θ where θ cannot be encoded."""
    text = plain(text)
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        for symbol, spelled in SPELLED.items():
            text = text.replace(symbol, spelled)
        text = text.encode(encoding, "backslashreplace").decode(encoding)
    return text


def colourful(stream: TextIO) -> bool:
    """Whether escape codes may go to `stream`."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def rich_console(stream: TextIO) -> Any:
    """A rich console on `stream`; without any escape codes where they are not wanted."""
    from rich.console import Console

    return Console(
        file=stream,
        color_system="auto" if colourful(stream) else None,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def _write(stream: TextIO, text: str, style: str | None = None) -> None:
    text = printable(text, stream)
    if style is not None and colourful(stream):
        rich_console(stream).print(text, style=style, soft_wrap=True)
    else:
        stream.write(text + "\n")


def _say(text: str, style: str | None = None) -> None:
    """A message, of one line or more; a full disk costs the messages, not the result."""
    try:
        for line in text.split("\n"):
            _write(sys.stderr, line, style)
    except BrokenPipeError:
        raise
    except OSError:
        forget(sys.stderr)


def forget(stream: TextIO) -> None:
    """Let a stream that cannot be written lead nowhere; Python flushes it once more at the end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def note(text: str) -> None:
    """A message: what was decided, what happened."""
    _say(text, "dim")


def warn(text: str) -> None:
    """A message that should not be overlooked."""
    _say(f"warning: {text}", "yellow")


def complain(kind: str, text: str) -> None:
    """Why the command ends here."""
    _say(f"{kind}: {text}" if text else kind, "red")


def explain(text: str) -> None:
    """What only a developer wants to read."""
    _say(text.rstrip("\n"))


@dataclass(frozen=True)
class Output:
    """The results of one command, for a person or (`json`) for a program."""

    json: bool = False

    def line(self, text: str = "", style: str | None = None) -> None:
        """A line of results; nothing with `--json`."""
        if not self.json:
            _write(sys.stdout, text, style)

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Names and values, aligned."""
        pairs = list(pairs)
        width = max((len(name) for name, _ in pairs), default=0)
        if self.json:
            return
        for name, value in pairs:
            if colourful(sys.stdout):
                from rich.text import Text

                text = Text(f"{name:<{width}}  ", style="bold")
                text.append(printable(value, sys.stdout), style="not bold")
                rich_console(sys.stdout).print(text, soft_wrap=True)
            else:
                _write(sys.stdout, f"{name:<{width}}  {value}".rstrip())

    def table(
        self, heads: Sequence[str], rows: Iterable[Sequence[str]], numeric: Iterable[int] = ()
    ) -> None:
        """A table; the columns numbered in `numeric` are aligned on the right."""
        if self.json:
            return
        right = set(numeric)
        cells = [[printable(cell, sys.stdout) for cell in row] for row in (heads, *rows)]
        if sys.stdout.isatty():
            from rich import box
            from rich.table import Table

            table = Table(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)
            for j, head in enumerate(cells[0]):
                table.add_column(head, justify="right" if j in right else "left", overflow="fold")
            for row in cells[1:]:
                table.add_row(*row)
            rich_console(sys.stdout).print(table)
            return
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            aligned = (
                f"{cell:>{width}}" if j in right else f"{cell:<{width}}"
                for j, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            _write(sys.stdout, "  ".join(aligned).rstrip())

    def document(self, kind: str, fields: dict[str, Any]) -> None:
        """The one JSON document of a command; nothing without `--json`."""
        if self.json:
            document = {"format": f"novikoff.{kind}", "version": 1, **fields}
            # ASCII, so that it is the same on every terminal.
            sys.stdout.write(json.dumps(finite(document), allow_nan=False) + "\n")


def finite(value: Any) -> Any:
    """`value` as JSON can hold it: numbers that are not finite become None, arrays lists."""
    if hasattr(value, "tolist"):  # numpy's arrays and scalars
        value = value.tolist()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value
