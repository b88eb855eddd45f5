"""`novikoff separable --family`: whether the estimates of a regression exist, from a file.

The certificate file holds the whole question (:mod:`novikoff.analysis.regression`), so that
`novikoff verify` can ask it of the data again; nothing in it is believed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.analysis.regression import Regression, Wanted, open_regression, read_frame
from novikoff.analysis.wording import count, first_of, plain
from novikoff.cli.certificate import (
    checking_the_proof,
    field,
    say_vipr,
    table_options,
    write_file,
)
from novikoff.cli.console import Output, note
from novikoff.cli.errors import Refused
from novikoff.cli.progress import waiting
from novikoff.cli.sources import say

if TYPE_CHECKING:
    from novikoff.certificates import Separation
    from novikoff.streams.bytes import Bytes
    from novikoff.streams.tables.options import TableOptions

FORMAT = "novikoff.regression"
MOST = 20  # separated rows that are listed


def answer(
    output: Output,
    source: Bytes,
    options: TableOptions,
    certificate: Path | None,
    time_limit: float | None,
    wanted: Wanted,
) -> dict[str, Any]:
    """Print whether the estimates exist; the same as something JSON can hold."""
    from novikoff import separation

    opened = open_regression(source, options, wanted)
    say(opened.decisions)
    regression, design = opened.regression, opened.design
    if wanted.formula is None:
        note(f"formula: {regression.formula}")
    with waiting(f"deciding about {source.name}"):
        result = separation(design, time_limit=time_limit)
    if certificate is not None and certificate.suffix == ".vipr":
        say_vipr(result.to_vipr(certificate, design))
    elif certificate is not None:
        contents = {
            "options": asdict(options),
            "regression": asdict(regression),
            "separation": json.loads(result.to_json()),
        }
        write_file(certificate, FORMAT, source.name, contents)
    lines = opened.lines(result.separated_rows)
    _show(output, result, lines)
    names = _apart([f"{outcome} {name}".strip() for outcome, name, _ in result.table()])
    return {
        "data": source.name,
        **asdict(regression),
        "rows": result.n_rows,
        "verdict": result.verdict,
        "separated_rows": result.separated_rows,
        "separated_lines": lines or None,
        "coefficients": dict(zip(names, result.coefficients, strict=True)),
        "notes": list(result.notes),
        "certificate": None if certificate is None else str(certificate),
    }


def _apart(names: list[str]) -> Iterator[str]:
    """The same, with a number behind those that stood before."""
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        while seen[name] > 1 and f"{name} ({seen[name]})" in names:
            seen[name] += 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def _show(output: Output, result: Separation, lines: list[int]) -> None:
    first, *others = str(result).split("\n")
    output.line(first, "bold")
    for line in others:
        output.line(line)
    if lines:
        noun = "line" if len(lines) == 1 else "lines"
        listed = first_of([*map(str, lines)], MOST, f" ({len(lines) - MOST} more)")
        output.line(f"Separated: {noun} {listed} of the file.")


@dataclass(frozen=True)
class Certificate:
    """A certificate file about a regression, read and not yet believed."""

    options: TableOptions
    regression: Regression
    result: Separation
    target: None = None  # the formula names it


def parsed(document: dict[str, Any]) -> Certificate:
    """The certificate in a document of this format."""
    from novikoff.certificates import Separation

    asked = field(document, "regression", dict)
    texts = {name: field(asked, name, str) for name in ("family", "formula")}
    for name in ("groups", "entry", "strata"):
        texts[name] = field(asked, name, str | None)
    absorb = tuple(field({"absorb": x}, "absorb", str) for x in field(asked, "absorb", list))
    if set(asked) != {each.name for each in fields(Regression)}:
        raise ValueError("its question has other fields than it should.")
    return Certificate(
        table_options(field(document, "options", dict)),
        Regression(**texts, absorb=absorb),
        Separation.from_json(json.dumps(field(document, "separation", dict))),
    )


def checked(found: Certificate, source: Bytes, output: Output) -> dict[str, Any]:
    """What the certificate says, held against the data; raises Refused."""
    regression, result = found.regression, found.result
    try:
        frame = read_frame(source, found.options, regression)
        design = regression.design(frame)
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise Refused(f"{source.name} does not go with its formula: {error}") from None
    with checking_the_proof():
        result.verify(design)
    output.line("Valid. Checked exactly, against the data as its formula says:", "bold")
    for line in str(replace(result, notes=design.notes)).split("\n"):  # others are not checked
        output.line(line)
    about = f"{count(len(frame), 'row')}; {regression.family}: {plain(regression.formula)}"
    output.line(f"Data: {source.name} ({about}).")
    return {**asdict(regression), "rows": len(frame), "verdict": result.verdict}
