"""Options that several commands share, declared once.

`takes_table` gives a command the options that say how to read a table; the command receives them as
one object, its parameter `table`.
"""

from __future__ import annotations

import csv
import functools
import inspect
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from novikoff._memory import allow, as_bytes
from novikoff.analysis.sources import shipped
from novikoff.analysis.wording import for_shell
from novikoff.cli.errors import UsageError
from novikoff.streams.formats import Format
from novikoff.streams.tables.options import TableOptions

if TYPE_CHECKING:
    from novikoff.analysis.regression import Wanted
    from novikoff.rules import Rule

READING = "How a table is read"
REGRESSION = "A regression"

Ties = Literal["mistake", "sign", "correct"]  # what counts as a mistake
RuleName = Literal[  # when an example asks for an update, and what the update is
    "perceptron", "pa", "pa2", "alma", "romma", "aromma", "second-order", "cw", "arow", "scw",
    "scw2", "nherd", "auto",
]  # fmt: skip
Missing = Literal["impute", "error", "drop"]  # what to do with missing cells
Family = Literal["binomial", "poisson", "multinomial", "ordinal", "conditional", "cox"]


def _positive(value: float) -> float:
    if not 0 < value < math.inf:
        raise typer.BadParameter(f"{value:g} is no step; it must be a number above 0.")
    return value


def _threshold(value: float | None) -> float | None:
    if value is not None and not 0 <= value < math.inf:
        raise typer.BadParameter(f"{value:g} is no threshold; it must be 0 or a number above 0.")
    return value


def _allowed(size: str | None) -> str | None:
    """The limit holds for all that a command reads, whichever part of it reads."""
    try:
        allow(as_bytes(size))
    except ValueError as error:
        raise typer.BadParameter(for_shell(error)) from None
    return size


def _aggressiveness(value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise typer.BadParameter(f"{value:g} allows no step; it must be a number above 0, or inf.")
    return value


# The class in `novikoff.rules`, and what the name says of its parameters.
_RULES: dict[str, tuple[str, dict[str, Any]]] = {
    "pa": ("PassiveAggressive", {}),
    "pa2": ("PassiveAggressive", {"loss": "squared_hinge"}),
    "alma": ("ALMA", {}),
    "romma": ("ROMMA", {}),
    "aromma": ("ROMMA", {"aggressive": True}),
    "second-order": ("SecondOrder", {}),
    "cw": ("ConfidenceWeighted", {}),
    "arow": ("AROW", {}),
    "scw": ("SoftConfidenceWeighted", {}),
    "scw2": ("SoftConfidenceWeighted", {"variant": "II"}),
    "nherd": ("NHERD", {}),
}


def the_rule(name: RuleName, C: float | None, told: Iterable[str] | None = None) -> Rule | None:
    """The rule that the options name; None is the perceptron's, whose options are others.

    told : NAME=VALUE, parameters of the rule
    """
    from novikoff import rules

    if name == "auto":
        raise UsageError("--rule auto is for novikoff fit, which can try rules on its rows.")
    if name == "perceptron":
        if C is not None or told:
            unknown = "--C" if C is not None else "--set"
            raise UsageError(
                f"{unknown} means nothing to --rule perceptron: use --rule pa, or --eta0."
            )
        return None
    kind, fixed = _RULES[name]
    rule: Rule = getattr(rules, kind)(**fixed)
    given: dict[str, float | str] = {} if C is None else {"C": C}
    given |= dict(map(_parameter, told or ()))
    free = [key for key in rule.get_params() if key not in fixed]
    for key in given:
        if key not in free:
            parameters = f" It has {', '.join(free)}." if free else ""
            raise UsageError(f"{key} means nothing to --rule {name}.{parameters}")
    rule.set_params(**given)
    return rule


def _parameter(told: str) -> tuple[str, float | str]:
    """A name and its value: a number, or a word."""
    name, _, value = told.partition("=")
    if not value:
        raise UsageError(f"--set {told}: a parameter is set by NAME=VALUE, such as r=0.1.")
    try:
        return name, float(value)
    except ValueError:
        return name, value


def complete_names(incomplete: str) -> list[tuple[str, str]]:
    """For the shell: the names that begin like this; files are completed by the shell itself."""
    return [(d.name, d.about) for d in shipped().values() if d.name.startswith(incomplete)]


def _data(*, show_default: bool) -> Any:
    return typer.Argument(
        metavar="DATA",
        help="CSV, Parquet, Arrow, JSON lines, ARFF, LIBSVM text or Vowpal Wabbit's, plain or "
        "compressed; a folder of Parquet or Arrow; - is standard input; or a data set "
        "that ships (see novikoff datasets).",
        show_default=show_default,
        autocompletion=complete_names,
    )


Data = Annotated[str, _data(show_default=False)]
DataOrDefault = Annotated[str, _data(show_default=True)]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]
ThroughOrigin = Annotated[
    bool, typer.Option("--through-origin", help="No offset: hyperplanes go through the origin.")
]
Positive = Annotated[
    str | None,
    typer.Option(
        metavar="CLASS",
        help="The class that is +1; all others are -1. Without it, with two classes, the second.",
    ),
]
TieRule = Annotated[
    Ties,
    typer.Option(
        help="When a score on the threshold is a mistake: mistake (y s <= margin), sign (the "
        "prediction is wrong, 0 counting as +1), correct (y s < margin)."
    ),
]
Margin = Annotated[
    float,
    typer.Option(callback=_threshold, help="The margin rule: y s up to this is a mistake."),
]
MarginRule = Annotated[
    float | None,
    typer.Option(
        callback=_threshold,
        help="The margin rule: y s up to this is a mistake. 1 with --model margin, otherwise 0.",
        show_default=False,
    ),
]
UpdateRule = Annotated[
    RuleName,
    typer.Option(
        help="When a row asks for an update, and what it is: the perceptron's rule; "
        "passive-aggressive, the smallest move to y s = 1, with a largest step (pa: PA-I) or with "
        "a price (pa2: PA-II); ALMA, ROMMA and aggressive ROMMA; and those that keep a variance "
        "for every feature: the second-order perceptron, CW, AROW, SCW-I (scw), SCW-II (scw2), "
        "NHERD. auto, of fit: the one of perceptron, pa, arow and scw that errs least in a first "
        "epoch, each row predicted before it is learned from."
    ),
]
Aggressiveness = Annotated[
    float | None,
    typer.Option(
        "--C",
        callback=_aggressiveness,
        help="Of the rules pa and scw, the largest step; of pa2, scw2 and nherd, the price of what "
        "is missing; inf for no limit. 1 if not said. Of alma, the step.",
        show_default=False,
    ),
]
RuleParameters = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Another parameter of the --rule, such as r=0.1 of arow, eta=0.9 of cw, "
        "covariance=full. May be said again.",
        show_default=False,
    ),
]
Order = Annotated[
    Literal["cyclic", "shuffled", "random"], typer.Option(help="In which order rows are visited.")
]
Eta0 = Annotated[float, typer.Option(callback=_positive, help="The step of an update.")]
Epochs = Annotated[int, typer.Option(min=1, max=2**31, help="The most passes over the rows.")]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Same seed, same result.")]


def _reading(*names: str, **settings: Any) -> Any:
    return typer.Option(*names, rich_help_panel=READING, **settings)


@dataclass(frozen=True)
class TableArguments:
    """What the user said about a table."""

    target: Annotated[
        str | None,
        _reading(help="The column to predict: a name or a position (-1 is the last)."),
    ] = None
    drop: Annotated[
        list[str] | None,
        _reading(
            metavar="COLUMN",
            help="Leave this column out (repeatable; a,b works too, and '\"a,b\"' is one name).",
        ),
    ] = None
    keep: Annotated[
        list[str] | None,
        _reading(metavar="COLUMN", help="Keep this column even if it looks useless (repeatable)."),
    ] = None
    categorical: Annotated[
        list[str] | None,
        _reading(metavar="COLUMN", help="Its numbers are names of categories (repeatable)."),
    ] = None
    header: Annotated[
        bool | None,
        _reading(
            "--header/--no-header",
            help="Whether the first row names the columns. Detected if not said.",
            show_default=False,
        ),
    ] = None
    na: Annotated[
        list[str] | None,
        _reading(metavar="TEXT", help="Another spelling of a missing cell (repeatable)."),
    ] = None
    encoding: Annotated[
        str | None, _reading(help="Of a CSV file that is not UTF-8, for example latin-1.")
    ] = None
    delimiter: Annotated[
        str | None,
        _reading(help="What separates cells: a character, or tab. Detected if not said."),
    ] = None
    missing: Annotated[
        Missing,
        _reading(help="Missing cells: mean plus an is-missing column, an error, or drop the row."),
    ] = "impute"
    no_scale: Annotated[
        bool, _reading("--no-scale", help="Do not standardise numeric columns.")
    ] = False
    hash_bits: Annotated[
        int | None,
        _reading(min=1, max=30, help="Hash categories and words into 2^BITS columns."),
    ] = None
    zero_based: Annotated[
        bool, _reading("--zero-based", help="The first feature of LIBSVM text is 0, not 1.")
    ] = False
    format: Annotated[
        Format | None,
        _reading(
            "--input-format",
            help="What a text is, where its first lines do not tell.",
            show_default=False,
        ),
    ] = None
    max_memory: Annotated[
        str | None,
        _reading(
            metavar="SIZE",
            callback=_allowed,
            help="The most memory that may be taken for what a file says, such as 4GB. Half of "
            "what this machine has if not said.",
            show_default=False,
        ),
    ] = None

    def given(self) -> list[str]:
        """The parameters of a table that were given."""
        return [
            field.name.removeprefix("no_")
            for field in fields(self)
            if field.name not in ("zero_based", "format", "max_memory")  # not for tables alone
            and getattr(self, field.name) != field.default
            and getattr(self, field.name) not in (None, [])
        ]

    def options(self, *, scale: bool = True) -> TableOptions:
        """The same, as the library takes it."""
        return TableOptions(
            target=as_target(self.target),
            drop=_listed("--drop", self.drop),
            keep=_listed("--keep", self.keep),
            categorical=_listed("--categorical", self.categorical),
            header=self.header,
            na=tuple(self.na or ()),
            encoding=self.encoding,
            delimiter=_delimiter(self.delimiter),
            missing=self.missing,
            scale=scale and not self.no_scale,
            hash_bits=self.hash_bits,
        )


def _of_regression(**settings: Any) -> Any:
    return typer.Option(rich_help_panel=REGRESSION, show_default=False, **settings)


@dataclass(frozen=True)
class RegressionArguments:
    """What the user said about a regression."""

    family: Annotated[Family | None, _of_regression(help="What the outcomes are.")] = None
    formula: Annotated[
        str | None,
        _of_regression(
            help="Such as 'y ~ x + C(firm)'; without it, the target on all other columns. Left of "
            "~ stands a column, or two: successes + failures, time + event."
        ),
    ] = None
    absorb: Annotated[
        list[str] | None,
        _of_regression(
            metavar="COLUMN", help="Fixed effects: a coefficient per level (repeatable)."
        ),
    ] = None
    event: Annotated[
        str | None, _of_regression(metavar="COLUMN", help="Of cox: 1 who failed, 0 who did not.")
    ] = None
    groups: Annotated[
        str | None, _of_regression(metavar="COLUMN", help="Of conditional: the groups.")
    ] = None
    entry: Annotated[
        str | None, _of_regression(metavar="COLUMN", help="Of cox: the times of entry.")
    ] = None
    strata: Annotated[str | None, _of_regression(metavar="COLUMN", help="Of cox: the strata.")] = (
        None
    )

    def wanted(self) -> Wanted | None:
        """The same, as the library takes it; None if nothing was said."""
        from novikoff.analysis.regression import Wanted

        given = Wanted(
            self.family, self.formula, self.event, self.groups, self.entry, self.strata,
            _listed("--absorb", self.absorb),
        )  # fmt: skip
        return given if given.settings else None


def as_target(text: str | None) -> str | int | None:
    """A position if it is written as one: `-1`, `0`, `3`; a name otherwise."""
    if text is not None and re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    return text


def _listed(option: str, given: list[str] | None) -> tuple[str, ...]:
    """`--drop a --drop b` and `--drop a,b` say the same."""
    return tuple(name for text in given or () for name in names_in(option, text))


def names_in(option: str, text: str) -> list[str]:
    """Names separated by commas, as in a line of CSV: one that holds a comma stands in quotes.

    >>> names_in("--drop", 'size,"a,b"')
    ['size', 'a,b']
    """
    try:
        (names,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        raise UsageError(
            f"{option} {text}: these are no names. Separate them by commas; one that holds a comma "
            "or begins with a quote stands in double quotes, and quotes in it are doubled."
        ) from None
    return [name for name in names if name]


def numbers_in(option: str, text: str) -> list[float]:
    """Finite numbers, separated by commas or blanks."""
    try:
        numbers = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise UsageError(f"{option} {text}: expected numbers, as in {option} 1,0,-0.5.") from None
    if not all(map(math.isfinite, numbers)):
        raise UsageError(f"{option} {text}: numbers must be finite.")
    return numbers


def _delimiter(text: str | None) -> str | None:
    return {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"}.get(
        text or "", text
    )


Command = Callable[..., None]


def takes_table(*without: str) -> Callable[[Command], Command]:
    """Give a command with a parameter `table` the options of a table in its place.

    `without` names those that make no sense, such as "no_scale" where nothing is ever scaled.
    """
    return lambda command: _taking(command, "table", TableArguments, without)


def takes_regression(command: Command) -> Command:
    """Give a command with a parameter `regression` the options of one in its place."""
    return _taking(command, "regression", RegressionArguments, ())


def _taking(command: Command, parameter: str, kind: Any, without: tuple[str, ...]) -> Command:
    """The command with the fields of a dataclass as options, which it gets as one object."""
    hints = get_type_hints(kind, include_extras=True)
    options = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default,
            annotation=hints[field.name],
        )
        for field in fields(kind)
        if field.name not in without
    ]
    names = [option.name for option in options]
    signature = inspect.signature(command, eval_str=True)
    own = [p for p in signature.parameters.values() if p.name != parameter]

    @functools.wraps(command)
    def run(**arguments: Any) -> None:
        given = kind(**{name: arguments.pop(name) for name in names})
        command(**arguments, **{parameter: given})

    own = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    # typer reads the parameters of a command there; mypy knows functions without it.
    vars(run)["__signature__"] = signature.replace(parameters=[*own, *options])
    run.__annotations__ = {p.name: p.annotation for p in [*own, *options]}
    del run.__wrapped__
    return run
