"""The trace as JSON: docs/trace-format.md describes every field.

All numbers are JSON numbers. Doubles are written with the digits that read back as the same double,
in Python and in JavaScript alike; floats of other types are doubles too, and integers beyond 2**53
do not occur.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff._arrays import Array, Floats
from novikoff.trace._document import Part, parse, read_array
from novikoff.trace._parts import RULES, Examples, Replacements
from novikoff.trace._trace import Trace

FORMAT, VERSION = "novikoff.trace", 1
_ORDERS = ("cyclic", "shuffled", "random")
_STATUSES = ("separated", "epoch_limit", "early_stopped")
_FLOATS = ("float32", "float64")
_DTYPES = (*_FLOATS, *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)))


# ---------------------------------------------------------------------- writing


def document_of(trace: Trace, with_examples: bool) -> dict[str, Any]:
    """See :meth:`novikoff.trace.Trace.document`."""
    scores: tuple[Any, Any] = (None, None)
    if trace.examples is not None or trace._read_scores is not None:
        scores = trace.score_before.tolist(), trace.score_after.tolist()
    return {
        "format": FORMAT,
        "version": VERSION,
        "classes": {"negative": trace.classes[0], "positive": trace.classes[1]},
        "fit_intercept": trace.fit_intercept,
        "rule": trace.rule,
        "parameters": trace.parameters,
        "margin": trace.margin,
        "ties": trace.ties,
        "eta": trace.eta,
        "order": trace.order,
        "status": trace.status,
        "n_epochs": trace.n_epochs,
        "dtype": trace.start_theta.dtype.name,
        "start": {"theta": trace.start_theta.tolist(), "offset": trace.start_offset},
        "updates": {
            **_lists(trace, "epoch", "t", "row", "y", "step"),
            "score_before": scores[0],
            "score_after": scores[1],
            **({} if trace.other is None else {"other": trace.other}),
        },
        "orders": None if trace.orders is None else [order.tolist() for order in trace.orders],
        "replacements": None if trace.replacements is None
        else _lists(trace.replacements, "k", "error"),
        "examples": _write_examples(trace.examples)
        if with_examples and trace.examples is not None else None,
    }  # fmt: skip


def _write_examples(examples: Examples) -> dict[str, Any]:
    X = examples.X
    document = {"dtype": X.dtype.name, "shape": list(X.shape), "side": examples.side.tolist()}
    if isinstance(X, np.ndarray):
        return document | {"rows": X.tolist()}
    return document | {"values": X.data.tolist()} | _lists(X, "indices", "indptr")


def _lists(owner: Any, *names: str) -> dict[str, Any]:
    """Some arrays of an object, by name."""
    return {name: getattr(owner, name).tolist() for name in names}


# ---------------------------------------------------------------------- reading


def read(text: str) -> Trace:
    """See :meth:`novikoff.trace.Trace.from_json`."""
    document = parse(text)
    found = document.get("format", str)
    if found != FORMAT:
        raise ValueError(f'Expected a document with "format": "{FORMAT}"; found {found!r}.')
    version = document.get("version", int)
    if version != VERSION:
        raise ValueError(f"This library reads version {VERSION} of {FORMAT}, not {version}.")
    dtype = document.choice("dtype", _FLOATS)
    start, updates = document.part("start"), document.part("updates")
    classes = document.part("classes")
    theta = start.array("theta", dtype)
    row = updates.array("row", np.int64)
    n = len(row)
    trace = Trace(
        start_theta=theta,
        start_offset=float(read_array("start.offset", [start.number("offset")], dtype, (1,))[0]),
        fit_intercept=document.get("fit_intercept", bool),
        margin=document.number("margin"),
        ties=document.choice("ties", tuple(RULES)),
        eta=document.number("eta"),
        order=document.choice("order", _ORDERS),
        classes=(classes.get("negative", str), classes.get("positive", str)),
        status=document.choice("status", _STATUSES),
        n_epochs=document.get("n_epochs", int),
        epoch=updates.array("epoch", np.int64, n),
        t=updates.array("t", np.int64, n),
        row=row,
        y=updates.array("y", np.int64, n),
        step=updates.array("step", dtype, n),
        orders=_read_orders(document),
        replacements=_read_replacements(document),
        examples=_read_examples(document, len(theta)),
        rule=document.get("rule", str) if "rule" in document.fields else "perceptron",
        parameters=_read_parameters(document),
        other=_read_other(updates, n),
        _read_scores=_read_scores(updates, n),
    )
    _check(trace)
    return trace


def _read_parameters(document: Part) -> dict[str, float]:
    if "parameters" not in document.fields:  # as of the perceptron, when there was no other rule
        return {}
    part = document.part("parameters")
    return {name: part.number(name) for name in part.fields}


def _read_scores(updates: Part, n: int) -> Floats | None:
    names = ("score_before", "score_after")
    if None in [updates.value(name) for name in names]:
        return None
    return np.array([updates.array(name, np.float64, n) for name in names])


def _read_other(updates: Part, n: int) -> tuple[str, ...] | None:
    if "other" not in updates.fields:
        return None
    other = updates.get("other", list)
    if len(other) != n or not all(type(label) is str for label in other):
        raise ValueError(f"The trace document's updates.other must hold {n} labels.")
    return tuple(other)


def _read_orders(document: Part) -> list[Array] | None:
    if document.value("orders") is None:
        return None
    orders = [
        read_array(f"orders[{e}]", order, np.int64)
        for e, order in enumerate(document.get("orders", list))
    ]
    highest = max((int(order.max(initial=0)) for order in orders), default=0)
    return [order.astype(np.min_scalar_type(highest)) for order in orders]


def _read_replacements(document: Part) -> Replacements | None:
    if document.value("replacements") is None:
        return None
    part = document.part("replacements")
    k = part.array("k", np.int64)
    return Replacements(k, part.array("error", np.float64, len(k)))


def _read_examples(document: Part, width: int) -> Examples | None:
    if document.value("examples") is None:
        return None
    part = document.part("examples")
    dtype = part.choice("dtype", _DTYPES)
    n, d = part.array("shape", np.int64, 2).tolist()
    if d != width:
        raise ValueError(f"The trace document's examples have {d} features; theta has {width}.")
    side = part.array("side", np.int8, n)
    if "rows" in part.fields:
        rows = part.get("rows", list)
        # A list without rows does not say how wide they would be.
        X: Any = read_array("examples.rows", rows, dtype, (n, d) if n or rows else (0,))
        X = X.reshape(n, d)
    else:
        X = _read_sparse(part, dtype, (n, d))
    values = X if isinstance(X, np.ndarray) else X.data
    if values.dtype.kind in "iu" and not (np.abs(values.astype(np.float64)) <= 2.0**53).all():
        raise ValueError("The trace document's examples hold an integer beyond 2**53.")
    return Examples(X, side)


def _read_sparse(part: Part, dtype: str, shape: tuple[int, int]) -> Any:
    values = part.array("values", dtype)
    indices = part.array("indices", np.int64, len(values))
    indptr = part.array("indptr", np.int64, shape[0] + 1)
    lengths = np.diff(indptr)
    starts = np.zeros(len(indices) + 1, bool)
    inside = indptr[0] == 0 and indptr[-1] == len(indices) and (lengths >= 0).all()
    if inside and len(indices):
        starts[indptr[:-1]] = True
        rising = np.diff(indices, prepend=-1) > 0
        inside = indices.min() >= 0 and indices.max() < shape[1]
        inside = inside and bool((rising | starts[:-1]).all())
    if not inside:
        raise ValueError(
            "The trace document's examples are no sparse matrix: indptr must rise from 0 to the "
            "number of values, and indices within each row."
        )
    return sp.csr_array((values, indices.astype(np.int32), indptr.astype(np.int32)), shape=shape)


def _check(trace: Trace) -> None:
    """Refuse a trace that contradicts itself."""
    n_rows = None if trace.examples is None else len(trace.examples.side)
    pocket = trace.replacements
    claims = [
        (np.isin(trace.y, (-1, 1)).all(), "every y must be -1 or +1"),
        ((np.sign(trace.step) == trace.y).all(), "every step must have the sign of its y"),
        (
            trace.rule not in ("PA-I", "PA-II") or trace.parameters.get("C", 0.0) > 0.0,
            "its rule has a C above 0",
        ),
        ((np.diff(trace.t, prepend=0) > 0).all(), "t must rise from 1"),
        (trace.n_epochs >= 0, "n_epochs cannot be below 0"),
        (
            # A run that never began has no epoch at all.
            (np.diff(trace.epoch, prepend=min(1, trace.n_epochs), append=trace.n_epochs) >= 0)
            .all(),
            "epochs must not fall, from 1 to n_epochs",
        ),
        ((trace.row >= 0).all(), "rows are numbered from 0"),
        (
            n_rows is None or trace.row.max(initial=-1) < n_rows,
            "an update is of a row that is not among the examples",
        ),
        ((trace.orders is None) == (trace.order == "cyclic"), "only a cyclic run has no orders"),
        (
            trace.orders is None or len(trace.orders) == trace.n_epochs,
            "there must be one visiting order per epoch",
        ),
        (
            pocket is None or (len(pocket.k) > 0 and (np.diff(pocket.k, prepend=-1) > 0).all()
            and pocket.k[0] == 0 and pocket.k[-1] <= len(trace)),
            "replacements must rise from 0 to at most the number of updates",
        ),
    ]  # fmt: skip
    for holds, claim in claims:
        if not holds:
            raise ValueError(f"The trace document contradicts itself: {claim}.")
    examples = trace.examples
    if examples is not None:
        if not np.isin(examples.side, (-1, 0, 1)).all():
            raise ValueError("The trace document's examples must have the side -1, 0 or +1.")
        wrong = np.flatnonzero(examples.side[trace.row] != trace.y)
        if len(wrong):
            raise ValueError(
                f"The trace document contradicts itself: update {wrong[0] + 1} has y = "
                f"{trace.y[wrong[0]]}, but its row {trace.row[wrong[0]]} has the side "
                f"{examples.side[trace.row[wrong[0]]]}."
            )
