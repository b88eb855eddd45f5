"""From the DATA argument to rows, with progress shown and every decision said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from novikoff._messages import Setting
from novikoff.analysis import sources
from novikoff.analysis.sources import Loaded, about_rows, load_table, load_text
from novikoff.analysis.wording import as_option, count, for_shell, grouped, plain
from novikoff.cli.console import note, warn
from novikoff.cli.options import TableArguments
from novikoff.cli.progress import progress
from novikoff.streams.tables.options import TOPICS, Decision

if TYPE_CHECKING:
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.tables.table import Table

__all__ = [
    "Loaded", "about_rows", "find", "is_text", "load", "load_table", "say", "survey"
]  # fmt: skip


def find(data: str, arguments: TableArguments) -> Bytes:
    """The bytes that DATA stands for."""
    return sources.find(data, arguments.format)


def is_text(data: Bytes, arguments: TableArguments) -> bool:
    """Whether this is text of rows; options of the other kind are refused."""
    return sources.is_text(
        data, arguments.given(), arguments.encoding, zero_based=arguments.zero_based
    )


def survey(
    data: Bytes,
    arguments: TableArguments,
    *,
    scale: bool,
    holdout: float = 0.0,
    seed: int = 0,
    silent: tuple[str, ...] = (),
) -> Table:
    """A table after its first pass; what was decided is printed, but for the `silent` topics."""
    from novikoff.streams.tables.table import open_table

    with progress(f"surveying {data.name}", expected=about_rows(data)) as bar:
        table = open_table(
            data, arguments.options(scale=scale), holdout=holdout, seed=seed, progress=bar
        )
    # Where nothing is ever scaled, that nothing was scaled is no decision.
    say(d for d in table.decisions if (scale or d.topic != "scale") and d.topic not in silent)
    return table


def say(decisions: Iterable[Decision]) -> None:
    """Print what was decided about a table, in a fixed order, on standard error."""
    for decision in sorted(decisions, key=lambda d: TOPICS.index(d.topic)):
        text = plain(for_shell(decision.message))
        if decision.topic in ("leak", "doubt"):
            warn(text)
        else:
            note(f"{decision.topic}: {text}")


def load(data: Bytes, arguments: TableArguments, silent: tuple[str, ...] = ()) -> Loaded:
    """Read everything, unscaled: what `separable`, `verify` and `trace` speak about."""
    if is_text(data, arguments):
        with progress(f"reading {data.name}", expected=about_rows(data)) as bar:
            loaded = load_text(data, bar, zero_based=arguments.zero_based)
        _say_narrowed(loaded)
        return loaded
    table = survey(data, arguments, scale=False, silent=silent)
    if len(table.left_out) > 1:  # each alone is told with its option
        keep = as_option(Setting("keep", tuple(table.left_out)))
        note(f"column: {keep} keeps all that are left out")
    return load_table(table, arguments.options(scale=False), data)


def _say_narrowed(loaded: Loaded) -> None:
    numbered = loaded.kind == "libsvm" and loaded.features
    last = int(loaded.features[-1]) if numbered else 0
    if last > len(loaded.features):
        note(
            f"column: the largest index is {grouped(last)}; only the "
            f"{count(len(loaded.features), 'feature')} that occur are kept"
        )
