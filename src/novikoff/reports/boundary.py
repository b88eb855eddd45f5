"""The pictures of the boundary and of the hulls, in the plane of two features. In a worker."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np

from novikoff.analysis.wording import count, label, number, plain
from novikoff.reports.pictures import picture

MODULE = "novikoff.reports.boundary"


def get_ready() -> None:
    """Load matplotlib and what draws."""
    import matplotlib as mpl
    import matplotlib.pyplot

    import novikoff.displays  # noqa: F401  # loaded before the question comes
    from novikoff import AveragedPerceptron

    mpl.rcdefaults()  # a report looks the same on every machine
    mpl.use("Agg")
    AveragedPerceptron().fit([[0.0, 1.0], [1.0, 0.0]], [0, 1])


def answer(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The pictures as {"main": ...} and {"pair": ...}.

    question : model, the file of a fitted classifier; features, their names; pair, two numbers of
        features or None; regions, whether the plane can be coloured by class; units, shifts and
        scales of the features, or None where they are not scaled; or, for the hulls, see `_hulls`
    """
    from novikoff import load
    from novikoff.displays import BoundaryDisplay

    if "positive" in question:
        yield from _hulls(X, codes, question)
        return
    if not question["regions"]:
        return
    model, names, pair = load(question["model"]), question["features"], question["pair"]
    known = {label(name): name for name in model.classes_.tolist()}
    y = np.array([known[name] for name in question["classes"]])[codes]
    if X.shape[1] > 2:
        display = BoundaryDisplay.from_estimator(model, X, y)
        display.classes = list(known)
        yield {"main": picture(display, _about(display))}
    if question["units"] is not None:
        X, model = _in_units(X, model, *map(np.array, question["units"]))
    if X.shape[1] == 2 or pair is not None:
        chosen = (0, 1) if X.shape[1] == 2 else pair
        display = BoundaryDisplay.from_estimator(model, X, y, features=chosen)
        display.classes = list(known)
        display.names = (names[chosen[0]], names[chosen[1]])
        yield {"main" if X.shape[1] == 2 else "pair": picture(display, _about(display))}


def _in_units(X: Any, model: Any, shifts: Any, scales: Any) -> tuple[Any, Any]:
    """Rows and hyperplanes in the units of the file, in which a reader thinks."""
    same = copy(model)
    same.coef_ = model.coef_ / scales
    same.intercept_ = model.intercept_ - same.coef_ @ shifts
    return X * scales + shifts, same


def _about(display: Any) -> str:
    wrong, n = int(display.mistakes.sum()), len(display.codes)
    classes = ", ".join(plain(name) for name in display.classes)
    line = "the boundary as a line with θ as an arrow" if display.theta is not None else (
        "the region of each class tinted"
    )  # fmt: skip
    text = f"{count(n, 'row')} of the classes {classes} as points ({_axes(display)}), {line}."
    text += f" {wrong} on the wrong side." if wrong else " All are on their own side."
    if display.margin is not None and display.margin > 0:
        text += f" The nearest is {number(display.margin)} away from the boundary."
    return text


def _axes(display: Any) -> str:
    return f"{plain(display.names[0])} across, {plain(display.names[1])} upwards"


def _hulls(X: Any, codes: Any, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The picture and the verdict on these two features.

    X : (n, 2), not scaled, so that the verdict is that of `novikoff separable`
    question : features, two names; positive and negative, the labels of the sides
    """
    from novikoff.displays import ObstructionDisplay

    side = np.array(question["classes"])[codes] == question["positive"]
    if side.all() or not side.any():
        return
    display = ObstructionDisplay.from_data(X, side)
    display.names = (question["features"][0], question["features"][1])
    display.classes = [question["negative"], question["positive"]]
    yield {
        "picture": picture(display, _about_hulls(display)),
        "verdict": display.verdict,
    }


def _about_hulls(display: Any) -> str:
    names = " and ".join(plain(name) for name in display.classes)
    end = {
        "separable": "a street runs between them",
        "quasi-separable": "they touch",
        "overlapping": "they overlap",
    }[display.verdict]
    return f"The convex hulls of {names} ({_axes(display)}): {end}."
