"""The certificate file: what data it speaks of, how that was encoded, and the proofs.

One JSON object, documented in docs/command-line.md. A certificate comes from somebody else, so
nothing in it is believed: the data is surveyed and encoded afresh with the options it names, and
what comes out must be what it says, to the bit; only then are its proofs checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_origin, get_type_hints

from novikoff._json import read_json
from novikoff.analysis.verdicts import sentence
from novikoff.cli.console import note
from novikoff.cli.errors import Refused
from novikoff.cli.progress import waiting
from novikoff.persistence.disk import replace_text
from novikoff.streams.formats import TEXTS

if TYPE_CHECKING:
    from novikoff.analysis.verdicts import Sides
    from novikoff.certificates.results import Separability
    from novikoff.cli import regression
    from novikoff.cli.sources import Loaded
    from novikoff.streams.tables.options import TableOptions

FORMAT, VERSION = "novikoff.certificate", 1
LARGEST = 1 << 28  # bytes of a certificate that are read at all
TABLE = "table"


def write(path: Path, loaded: Loaded, found: list[tuple[Sides, Separability]]) -> None:
    """Write the certificate of what was found about `loaded`."""
    table = loaded.table
    numbering = {"zero_based": loaded.zero_based}
    encoding: dict[str, Any] = {"kind": loaded.kind, "options": numbering, "columns": None}
    if table is not None and loaded.options is not None:
        columns = json.loads(table.encoder.to_json())
        encoding |= {"options": asdict(loaded.options), "columns": columns}
    contents = {
        "target": None if table is None else table.target,
        "encoding": {**encoding, "features": loaded.features},
        "claims": [
            {
                "positive": sides.positive,
                "negative": sides.negative,
                "separability": json.loads(proof.to_json()),
            }
            for sides, proof in found
        ],
    }
    write_file(path, FORMAT, loaded.name, contents)


def write_file(path: Path, format: str, data: str, contents: dict[str, Any]) -> None:
    """Write a certificate about some data, and say so."""
    from novikoff import __version__

    head = {"format": format, "version": VERSION, "novikoff": __version__, "data": Path(data).name}
    replace_text(path, json.dumps({**head, **contents}) + "\n")
    note(f"certificate: written to {path}; check it with novikoff verify")


def say_vipr(written: Iterable[Path]) -> None:
    """Say where a proof was written for other programs."""
    note(f"certificate: written to {' and '.join(map(str, written))}; check it with viprchk")


@dataclass(frozen=True)
class Claim:
    """That one class can, or cannot, be separated from another or from the rest."""

    positive: str
    negative: str
    proof: Separability

    @property
    def sentence(self) -> str:
        """The same in words."""
        origin = not self.proof.fit_intercept
        return sentence(self.positive, self.negative, self.proof.verdict, origin)


@dataclass(frozen=True)
class Certificate:
    """A certificate file, read and not yet believed."""

    novikoff: str
    data: str
    target: str | None
    kind: str
    options: TableOptions | None
    zero_based: bool  # of LIBSVM text
    columns: Any
    features: list[str]
    claims: list[Claim]


def read(path: Path) -> Certificate | regression.Certificate:
    """Read a certificate file; whatever is wrong with it, it is refused."""
    if path.stat().st_size > LARGEST:
        raise Refused(f"{path} has {path.stat().st_size} bytes; no certificate is that long.")
    try:
        return _parsed(read_json(path.read_bytes()))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Refused(f"{path} is not a certificate: it is not JSON ({place}).") from None
    except UnicodeDecodeError:
        raise Refused(f"{path} is not a certificate: it is not JSON, nor text at all.") from None
    except MemoryError:
        raise Refused(f"{path} is large beyond any certificate.") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"{path} is not a certificate: {str(error).rstrip('.')}.") from None


def _parsed(document: Any) -> Certificate | regression.Certificate:
    from novikoff.certificates.results import Separability
    from novikoff.cli import regression

    kind = document.get("format") if isinstance(document, dict) else None
    if kind not in (FORMAT, regression.FORMAT):
        raise ValueError(f'expected "format": "{FORMAT}", found {kind!r:.80}.')
    if document.get("version") != VERSION:
        raise ValueError(
            f"this program reads version {VERSION}; it has {document.get('version')!r:.80}."
        )
    if kind == regression.FORMAT:
        return regression.parsed(document)
    encoding = field(document, "encoding", dict)
    how = field(encoding, "kind", str)
    if how not in (TABLE, *TEXTS):
        raise ValueError(f"the kind of its encoding is {how!r:.80}.")
    claims = field(document, "claims", list)
    if not claims:
        raise ValueError("it claims nothing.")
    features = field(encoding, "features", list)
    options = field(encoding, "options", dict)
    return Certificate(
        novikoff=field(document, "novikoff", str),
        data=field(document, "data", str),
        target=field(document, "target", str) if how == TABLE else None,
        kind=how,
        options=table_options(options) if how == TABLE else None,
        zero_based=how != TABLE and field(options, "zero_based", bool),
        columns=encoding.get("columns"),
        features=features,
        claims=[
            Claim(
                field(claim, "positive", str),
                field(claim, "negative", str),
                Separability.from_json(json.dumps(field(claim, "separability", dict))),
            )
            for claim in claims
        ],
    )


@contextmanager
def checking_the_proof() -> Iterator[None]:
    """Refuse a certificate whose proof fails, or cannot even be checked."""
    try:
        with waiting("checking the proof"):
            yield
    except (RecursionError, MemoryError) as error:
        raise Refused(f"its proof cannot be checked: {type(error).__name__}.") from None
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise Refused(f"its proof fails: {error}") from None


def field(document: Any, name: str, kind: Any) -> Any:
    """A field of a document, of the type it must have."""
    if not isinstance(document, dict) or name not in document:
        raise ValueError(f"the field {name!r} is missing.")
    value = document[name]
    if not isinstance(value, kind):
        raise ValueError(f"the field {name!r} holds {value!r:.80}.")
    return value


def table_options(written: dict[str, Any]) -> TableOptions:
    """The options of a table, each of its own type; anything else is refused."""
    from novikoff.streams.tables.options import TableOptions

    hints = get_type_hints(TableOptions)
    if written.keys() != hints.keys():
        added, lacking = sorted(written.keys() - hints), sorted(hints.keys() - written)
        odd = f"hold {added[0]!r:.40}" if added else f"lack {lacking[0]!r}"
        raise ValueError(f"its table options {odd}.")
    values: dict[str, Any] = {}
    for name, value in written.items():
        kind = list if get_origin(hints[name]) is tuple else hints[name]  # JSON has no tuples
        fits = isinstance(value, kind) and (kind is not list or all(type(v) is str for v in value))
        if not fits or (isinstance(value, bool) and name in ("target", "hash_bits")):
            raise ValueError(f"its table option {name!r} is {value!r:.80}.")
        values[name] = tuple(value) if isinstance(value, list) else value
    if values["scale"]:
        raise ValueError("it speaks of scaled columns; a certificate never does.")
    return TableOptions(**values)
