"""Designs from formulas, by formulaic, which is not imported unless a formula is passed.

formulaic evaluates what a formula calls as Python. A formula may come from a certificate that
somebody sent, so it is read first: it names columns of the data, and functions of formulaic and of
numpy that do no more than compute.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from numbers import Number
from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._messages import Message, Setting
from novikoff.certificates.design import Design, column_of, described, refuse_twice
from novikoff.certificates.sources import count, taken
from novikoff.geometry.doubles import refuse_large_integers

MOST = 5  # columns with missing values that are named
CONSTANT = "Intercept"  # what formulaic calls the column of ones
SIDES = re.compile(r"((?:`[^`]*`|[^`~])*)~(.*)", re.DOTALL)
NAME = re.compile(r"`([^`]+)`|([^`+]+)")
# What may stand in a formula beside names and calls, as Python calls it.
EXPRESSIONS = (
    ast.BinOp, ast.UnaryOp, ast.Compare, ast.Constant, ast.List, ast.Tuple, ast.operator,
    ast.unaryop, ast.cmpop, ast.expr_context,
)  # fmt: skip


def formula_design(formula: str, data: Any, **details: Any) -> Design:
    """The design of a formula and a data frame, as `separation` and `verify` take it.

    details : as for :func:`novikoff.separation`; names of columns will do
    """
    data = data.collect() if hasattr(data, "collect") else data  # a lazy frame of polars
    if not hasattr(data, "columns"):
        raise TypeError(
            f"A formula needs a data frame of pandas or polars, not a {type(data).__name__}."
        )
    if hasattr(data, "reset_index"):  # formulaic leaves out rows by their labels
        data = data.reset_index(drop=True)
    there = list(data.columns)
    refuse_twice(there)
    both = sorted({"fit_intercept", "names"} & set(details))
    if both:
        raise ValueError(f"The formula says which columns there are; leave out {', '.join(both)}.")
    outcomes, right = _sides(formula, there)
    asked = Design(None, None, fit_intercept=True, names=None, **details)  # the formula says both
    beside = [column_of(data, given) for given in asked.beside]
    y = [data[name] for name in outcomes]
    missing = [_missing(values) for values in (*y, *beside) if values is not None]
    gone = set(np.flatnonzero(np.any(missing, axis=0)).tolist())
    named = [given for given in asked.beside if isinstance(given, str)]
    others = [name for name in there if name not in {*outcomes, *named}]
    terms = _terms(right, there, others)
    regressors = _columns_of(terms, there)
    data = _in_numbers(data, regressors)
    for factor in {factor for term in terms for factor in term.factors}:
        _refuse_dates(factor.expr, data)
    known = set(gone)
    with _readable(right):
        matrix = terms.get_model_matrix(data, output="sparse", drop_rows=gone)
    n = len(data)
    made = sorted(gone - known - _incomplete(data, gone - known))
    if made:
        raise ValueError(
            f"The formula's {right.strip()!r:.99} is not a number at row {made[0]}, where no "
            "cell is missing. Change it, or leave such rows out."
        )
    because = _missing_of(data, [*outcomes, *regressors, *named])
    if len(gone) == n:
        raise ValueError(f"No row is left: each has a missing value ({because}).")
    used = np.setdiff1d(np.arange(n), np.array(sorted(gone), np.int64))
    y = [taken(values, used) for values in y]
    X, names = sp.csr_array(matrix), list(matrix.model_spec.column_names)
    constant = CONSTANT in names
    if constant:  # no column of the others, but a coefficient where the family has one
        X = X[:, [j for j, name in enumerate(names) if name != CONSTANT]]
        names.remove(CONSTANT)
    left_side = y[0] if len(y) == 1 else _together(y, asked.family)
    groups, entry, strata, *absorb = (taken(values, used) for values in beside)
    design = described(
        X, left_side, family=asked.family, fit_intercept=constant, names=names, groups=groups,
        entry=entry, strata=strata, absorb=tuple(absorb),
    )  # fmt: skip
    if not gone:
        return design
    note = f"{count(len(gone), 'row')} of {n} with missing values left out"
    note += f" ({because})." if because else "."
    return replace(design, notes=(note,), rows=used, n_rows=n)


def columns_of(
    formula: str, columns: Sequence[str], beside: Collection[str]
) -> tuple[list[str], list[str]]:
    """The outcomes and the regressors of a formula; its "." stands for none of `beside`."""
    outcomes, right = _sides(formula, columns)
    others = [name for name in columns if name not in {*outcomes, *beside}]
    return outcomes, _columns_of(_terms(right, columns, others), columns)


def _sides(formula: str, columns: Sequence[str]) -> tuple[list[str], str]:
    """The outcomes that a formula begins with, and its right side."""
    sides = SIDES.fullmatch(formula)
    left = [] if sides is None else NAME.findall(sides[1])
    outcomes = [name for in_ticks, bare in left if (name := in_ticks or bare.strip())]
    if sides is None or not outcomes or not set(outcomes) <= set(columns):
        raise ValueError(
            f"The formula {formula!r} must begin with a column of the data, or two joined by +, "
            f"and ~. {_listed(columns)}"
        )
    return outcomes, sides[2]


def _together(columns: list[Any], family: str) -> Any:
    """Outcomes that are several columns: a time and an event, or numbers side by side."""
    if family == "cox" and len(columns) == 2:
        return tuple(columns)
    for column in columns:
        refuse_large_integers("The left side of the formula", column)
    return np.column_stack([np.asarray(column, float) for column in columns])


def quoted(names: Iterable[str]) -> str:
    """The sum of columns as a formula has it."""
    for name in names:
        if name in ("", "1", CONSTANT) or {"`", "\\"} & set(name):
            raise ValueError(
                Message(
                    f"A formula cannot name the column {name!r}. Rename it, or leave it out: ",
                    Setting("drop", (name,)),
                    ".",
                )
            )
    return " + ".join(f"`{name}`" for name in names)


def _terms(right: str, columns: Sequence[str], others: list[str]) -> Any:
    """The right side of a formula, read; `others` is what "." stands for."""
    try:
        from formulaic import Formula
        from formulaic.utils.structured import Structured
    except ImportError as error:
        raise ImportError('A formula needs formulaic: pip install "novikoff[stats]".') from error
    with _readable(right):
        formula: Any = Formula(right, _context={"__formulaic_variables_available__": others})
        if isinstance(formula, Structured):
            told = f"The formula's {right.strip()!r:.99} has more than one part. Fixed effects are"
            raise ValueError(Message(told, " said by ", Setting("absorb"), "."))
        for factor in {factor for term in formula for factor in term.factors}:
            _refuse_strange(factor, columns)
    return formula


@contextmanager
def _readable(right: str) -> Iterator[None]:
    """What formulaic cannot read is said of the right side of a formula."""
    from formulaic.errors import FormulaicError

    try:
        yield
    except (FormulaicError, SyntaxError, RecursionError) as error:
        told = str(error).partition("\n")[0].rstrip(".")
        raise ValueError(f"The formula's {right.strip()!r:.99} cannot be read: {told}.") from None


def _columns_of(terms: Any, columns: Sequence[str]) -> list[str]:
    """The columns that terms are made of, in the order of the data."""
    from formulaic.utils.code import sanitize_variable_names

    found = set()
    for factor in {factor for term in terms for factor in term.factors}:
        aliases: dict[str, str] = {}
        if factor.eval_method.value == "lookup":
            found.add(factor.expr)
        elif factor.eval_method.value == "python":
            tree = ast.parse(sanitize_variable_names(factor.expr, {}, aliases), mode="eval")
            names = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
            found |= {aliases.get(name, name) for name in names}
    return [name for name in columns if name in found]


def _in_numbers(data: Any, columns: Collection[str]) -> Any:
    """The same frame: columns of decimals, and of numbers as objects, hold doubles; NaN is null."""
    if hasattr(data, "with_columns"):  # polars, where formulaic leaves out null only
        import polars as pl

        kinds = {name: data.schema[name] for name in columns}
        return data.with_columns(
            pl.col(name).cast(pl.Float64 if kind.is_decimal() else kind).fill_nan(None)
            for name, kind in kinds.items() if kind.is_decimal() or kind.is_float()
        )  # fmt: skip
    data = data.copy(deep=False)
    for name in columns:
        if data[name].dtype == object and all(map(_is_real, data[name].dropna())):
            refuse_large_integers(f"The column {name!r}", data[name])
            data[name] = data[name].astype(float)
    return data


def _is_real(value: Any) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool | complex)


def _refuse_strange(factor: Any, columns: Collection[str]) -> None:
    """Raise ValueError unless a factor of a formula is a column, a number, or computed of such."""
    from formulaic.utils.code import sanitize_variable_names

    kind, text = factor.eval_method.value, factor.expr
    if kind == "lookup":
        _refuse_unknown(text, columns)
        quoted([text])
    elif kind == "python":
        aliases: dict[str, str] = {}
        code = sanitize_variable_names(text, {}, aliases)  # what formulaic will evaluate
        for name in aliases.values():
            _refuse_unknown(name, columns)
        try:
            tree = ast.parse(code, mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise ValueError(f"In the formula, {text!r} cannot be read.") from None
        _refuse_strange_code(tree, text, {*columns, *aliases})


def _refuse_dates(name: str, data: Any) -> None:
    """Raise ValueError where a column of dates, or of durations, stands for numbers."""
    kind = str(data[name].dtype).lower() if name in list(data.columns) else ""
    if kind.startswith(("date", "time", "duration")):
        raise ValueError(
            f"The column {name!r} holds dates or durations. Say what to compute of them, or "
            f"C({name}) for a coefficient each."
        )


def _refuse_strange_code(node: ast.AST, text: str, columns: Collection[str]) -> None:
    from formulaic.transforms import TRANSFORMS

    inner: Iterable[ast.AST] = ast.iter_child_nodes(node)
    if isinstance(node, ast.Name):
        if node.id not in TRANSFORMS or node.id in ("np", "contr"):
            _refuse_unknown(node.id, columns)
    elif isinstance(node, ast.Attribute):  # np.log, contr.sum
        root = node.value.id if isinstance(node.value, ast.Name) else ""
        contrasts = (
            root == "contr" and node.attr in vars(TRANSFORMS["contr"]) and node.attr[0] != "_"
        )
        if not (contrasts or (root == "np" and isinstance(getattr(np, node.attr, 0), np.ufunc))):
            raise ValueError(f"In the formula, {text!r} may not use {ast.unparse(node)}.")
        inner = ()
    elif isinstance(node, ast.Call):
        of_numpy = isinstance(node.func, ast.Attribute) and ast.unparse(node.func)[:3] == "np."
        known = isinstance(node.func, ast.Attribute) or (
            isinstance(node.func, ast.Name) and node.func.id in TRANSFORMS
        )
        if not known or (of_numpy and node.keywords):
            raise ValueError(
                f"In the formula, {text!r} may not call {ast.unparse(node)}. There are the "
                f"functions np.log and its like, {', '.join(TRANSFORMS)}."
            )
        inner = (node.func, *node.args, *(each.value for each in node.keywords))
    elif isinstance(node, ast.BinOp) and not any(isinstance(n, ast.Name) for n in ast.walk(node)):
        raise ValueError(f"In the formula, {text!r} must have {ast.unparse(node)} as one number.")
    elif not isinstance(node, EXPRESSIONS):
        raise ValueError(f"In the formula, {text!r} may not have {ast.unparse(node)}.")
    for each in inner:
        _refuse_strange_code(each, text, columns)


def _refuse_unknown(name: str, columns: Collection[str]) -> None:
    if name not in columns:
        raise ValueError(f"The formula names {name!r}. {_listed(columns)}")


def _listed(columns: Collection[str]) -> str:
    return f"The columns are {', '.join(map(repr, list(columns)[:20]))}."


def _incomplete(data: Any, rows: set[int]) -> set[int]:
    """Those of the rows of a frame that have a missing cell."""
    if not rows:
        return set()
    missing = np.any([_missing(data[name]) for name in data.columns], axis=0)
    return rows & set(np.flatnonzero(missing).tolist())


def _missing_of(data: Any, columns: Iterable[str]) -> str:
    """In which columns values are missing, and how many, the most first."""
    found = sorted((-int(np.sum(_missing(data[name]))), name) for name in columns)
    told = [f"{name}: {-n}" for n, name in found if n]
    return ", ".join(told[:MOST]) + ", ..." * (len(told) > MOST)


def _missing(values: Any) -> Any:
    """Where values of a column are missing."""
    if hasattr(values, "isna"):
        return np.asarray(values.isna())
    found = np.asarray(values.is_null()) if hasattr(values, "is_null") else False
    array = np.asarray(values)
    return found | (np.isnan(array) if array.dtype.kind == "f" else np.zeros(len(array), bool))
