"""`novikoff verify`: check a certificate exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from novikoff._messages import Setting
from novikoff.analysis.verdicts import sides
from novikoff.analysis.wording import count, for_shell, option, plain, words
from novikoff.cli import regression
from novikoff.cli.certificate import Certificate, checking_the_proof, read
from novikoff.cli.console import Output
from novikoff.cli.errors import REFUSED, Refused
from novikoff.cli.options import AsJson, Data, TableArguments, takes_table
from novikoff.cli.sources import Loaded, find, load, load_table
from novikoff.streams.formats import TEXTS


@takes_table("no_scale")
def verify(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A file by novikoff separable --certificate."),
    ],
    data: Data,
    as_json: AsJson = False,
    *,
    table: TableArguments,
) -> None:
    """Check a certificate against DATA, in exact arithmetic; exit code 1 if it is refused.

    DATA is read and encoded as the certificate says. Options of a table are demands here: the
    certificate must have been made with them.
    """
    output = Output(as_json)
    try:
        document = _checked(certificate, data, table, output)
    except Refused as error:
        output.line(f"Refused: {error}", "bold")
        output.document("verify", {"valid": False, "reason": str(error)})
        raise typer.Exit(REFUSED) from None
    output.document("verify", {"valid": True, "reason": None, **document})


def _checked(path: Path, data: str, demanded: TableArguments, output: Output) -> dict[str, Any]:
    """Everything a certificate says, held against the data; raises Refused."""
    found = read(path)
    source = find(data, demanded)
    _check_demands(found, demanded)
    if isinstance(found, regression.Certificate):
        return {"data": data, **regression.checked(found, source, output)}
    loaded = _encoded(found, source)
    _check_encoding(found, loaded)
    for claim in found.claims:
        _check_claim(claim, loaded)
    _check_columns(found, loaded)
    output.line("Valid. Checked exactly, against the data as it is encoded unscaled:", "bold")
    for claim in found.claims:
        output.line(claim.sentence)
    about = f"{count(loaded.X.shape[0], 'row')}, {count(loaded.X.shape[1], 'feature')}"
    target = "" if found.target is None else f", target {plain(found.target)}"
    output.line(f"Data: {loaded.name} ({about}{target}).")
    return {
        "data": data,
        "target": found.target,
        "rows": loaded.X.shape[0],
        "features": loaded.X.shape[1],
        "claims": [
            {
                "positive": claim.positive,
                "negative": claim.negative,
                "verdict": claim.proof.verdict,
                "through_origin": not claim.proof.fit_intercept,
                "digest": claim.proof.digest,
            }
            for claim in found.claims
        ],
    }


def _check_demands(found: Certificate | regression.Certificate, demanded: TableArguments) -> None:
    """What the user says about the table must be what the certificate says."""
    if found.options is None:  # text of rows
        if demanded.zero_based and not found.zero_based:
            raise Refused("it was made without --zero-based; it speaks of another question.")
        if demanded.given():
            raise Refused(
                f"it speaks of {TEXTS[found.kind]}, not of a table: {option(demanded.given()[0])}."
            )
        return
    wanted = demanded.options(scale=False)
    for name in demanded.given():
        ours, theirs = getattr(wanted, name), getattr(found.options, name)
        if ours != theirs and not (name == "target" and ours == found.target):
            raise Refused(
                f"it was made {_spelled(name, theirs)}, not {_spelled(name, ours)}; it speaks of "
                "another question."
            )


def _spelled(name: str, value: Any) -> str:
    """With or without an option, as it would be typed."""
    if value is None or value == ():
        return f"without {option(name)}"
    return plain(f"with {' '.join(words(Setting(name, value))):.80}")


def _encoded(found: Certificate, source: Any) -> Loaded:
    """DATA, encoded as the certificate says."""
    from novikoff.streams.bytes import recognise

    kind = recognise(source)
    if found.kind != (kind if kind in TEXTS else "table"):
        here, there = (TEXTS.get(each, "a table") for each in (kind, found.kind))
        raise Refused(f"it speaks of {there}, and {source.name} is {here}.")
    from novikoff.streams.tables.table import open_table

    try:
        if found.options is None:
            return load(source, TableArguments(zero_based=found.zero_based))
        table = open_table(source, found.options)
    except (ValueError, LookupError) as error:
        raise Refused(
            f"{source.name} cannot be encoded as the certificate says: {for_shell(error)}"
        ) from None
    return load_table(table, found.options, source)


def _check_encoding(found: Certificate, loaded: Loaded) -> None:
    """What is encoded is what the certificate speaks of."""
    if loaded.table is not None and loaded.table.target != found.target:
        raise Refused(
            f"it says the target is {found.target!r:.80}, and with its options it is "
            f"{loaded.table.target!r}."
        )
    if found.features != loaded.features:
        raise Refused(_feature_difference(found, loaded))


def _check_columns(found: Certificate, loaded: Loaded) -> None:
    """The same of the columns; of other data their proofs have been refused before."""
    if loaded.table is not None and found.columns != json.loads(loaded.table.encoder.to_json()):
        raise Refused(
            f"its description of the columns is not that of {loaded.name} (it was made by "
            f"novikoff {plain(found.novikoff[:20])})."
        )


def _feature_difference(found: Certificate, loaded: Loaded) -> str:
    if len(found.features) != len(loaded.features):
        return (
            f"it speaks of {count(len(found.features), 'feature')}; {loaded.name} gives "
            f"{len(loaded.features)}."
        )
    pairs = zip(found.features, loaded.features, strict=True)
    theirs, ours = next((a, b) for a, b in pairs if a != b)
    return f"it names the feature {theirs!r:.80} where {loaded.name} gives {ours!r:.80}."


def _check_claim(claim: Any, loaded: Loaded) -> None:
    """The proof proves this verdict about these sides of these rows."""
    try:
        (question,) = sides(loaded.y, claim.positive)
    except ValueError:
        raise Refused(
            f"it speaks of a class {claim.positive!r:.80}, which {loaded.name} does not have."
        ) from None
    if claim.negative != question.negative:
        raise Refused(
            f"it says {claim.positive!r:.40} is set against {claim.negative!r:.40}; in "
            f"{loaded.name} that is {question.negative!r:.40}."
        )
    with checking_the_proof():
        claim.proof.verify(loaded.X, question.y)
