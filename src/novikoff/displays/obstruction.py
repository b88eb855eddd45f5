"""Why two classes cannot be separated, or how far apart they are."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from novikoff._arrays import Floats, Ints
from novikoff.certificates import max_margin, separability
from novikoff.displays import _data, _plane
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import COLOURS, HULL, canvas, number
from novikoff.displays._plane import hull
from novikoff.displays._stage import Stage
from novikoff.displays._view import pair_view
from novikoff.geometry import Hyperplane
from novikoff.geometry.sparse import dense

_EPOCHS = 1000  # for the perceptron to find its line in
_CAPTIONS = {
    "separable": "Separable: a street runs between the hulls",
    "quasi-separable": "Quasi-separable: the hulls touch; no line is strict",
    "overlapping": "Overlapping: the hulls have inner points in common",
}


@dataclass(eq=False, repr=False, kw_only=True)
class ObstructionDisplay:
    """The convex hulls of two classes, and what lies in both of them, or between them.

    Not separable: a point that lies in both hulls. It is a weighted mean of some rows of one class,
    and of some of the other; no line has all of these on their sides. Separable: the
    widest street between the hulls, beside the line that the perceptron found.

    Of two features, with an offset. Make one with :meth:`from_data`.

    Parameters
    ----------
    points, codes, classes, box, units, names, note
        As in :class:`BoundaryDisplay`.
    verdict : {"separable", "quasi-separable", "overlapping"}
    hulls : (array, array)
        The corners of the hulls, counterclockwise, in the picture's units.
    rows : (r,) int
        The rows of the obstruction, or those that hold the widest street in place.
    weights : (r,)
        Their weights, of sum 1 in each class.
    common : (2,) or None
        The point in both hulls.
    street : ((2,), float, float) or None
        theta, offset and half the width of the widest street, in the picture's units.
    line : ((2,), float) or None
        theta and offset of the perceptron's own line.

    Attributes
    ----------
    ax_, figure_
    points_, hulls_, rings_, common_, ties_, street_, band_, line_ : artists, or None

    Examples
    --------
    >>> from novikoff.displays import ObstructionDisplay
    >>> X = [[0.0, 0.0], [2.0, 2.0], [0.0, 2.0], [2.0, 0.0]]
    >>> display = ObstructionDisplay.from_data(X, ["same", "same", "other", "other"])
    >>> display.verdict, display.common
    ('overlapping', array([1., 1.]))
    >>> display.frame()
       row  class    x    y  weight
    0    0   same  0.0  0.0     0.5
    1    1   same  2.0  2.0     0.5
    2    2  other  0.0  2.0     0.5
    3    3  other  2.0  0.0     0.5
    """

    points: Floats
    codes: Ints
    classes: list[str]
    verdict: str
    hulls: tuple[Floats, Floats]
    rows: Ints
    weights: Floats
    common: Floats | None
    street: tuple[Floats, float, float] | None
    line: tuple[Floats, float] | None
    box: Floats
    units: Floats
    names: tuple[str, str]
    note: str | None = None

    @classmethod
    def from_data(
        cls,
        X: Any,
        y: Any,
        *,
        estimator: Any = None,
        features: Sequence[Any] | None = None,
        standardize: bool | str = "auto",
    ) -> ObstructionDisplay:
        """Decide whether the classes are separable by a line, and compute what shows it.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n, d)
        y : array-like of shape (n,)
            Two classes.
        estimator : fitted linear classifier of the same two features, optional
            Whose line to draw if they are separable; by default that of a new `Perceptron`, which
            learns from the points as the picture scales them.
        features : two names or numbers, optional
            Needed if there are more than two. The question is then asked of this pair alone.
        standardize : bool or "auto", default="auto"
            As in :meth:`BoundaryDisplay.from_estimator`. The widest street is the one that is
            widest in the picture.
        """
        names = _data.feature_names(X)
        full, classes, side = _data.two_classes(X, y)
        if features is None and full.shape[1] != 2:
            raise ValueError(
                f"Hulls are drawn in the plane; X has {full.shape[1]} features. Choose two: "
                "features=(0, 1)."
            )
        view = pair_view(full, names, (0, 1) if features is None else features, standardize)
        original = dense(full[:, view.basis.argmax(axis=0)])
        points = original / view.units
        verdict = separability(original, side)
        codes = ((side + 1) // 2).astype(np.int64)
        street = line = common = None
        if verdict.verdict == "separable":
            best = max_margin(points, side)
            theta = np.array([float(t) for t in best.theta])
            street = (theta, float(best.offset), best.margin)
            rows, exact = best.support, [Fraction(w) for w in best.weights]
            line = _line(estimator, points, side, view.units)
        else:
            found = verdict.obstruction
            assert found is not None
            rows, exact = found.rows, [Fraction(w) for w in found.weights]
            common = _common_point(original, codes, rows, exact) / view.units
        return cls(
            points=points, codes=codes, classes=[str(c) for c in classes], verdict=verdict.verdict,
            hulls=(hull(points[codes == 0]), hull(points[codes == 1])), rows=rows,
            weights=_shares(codes[rows], exact), common=common, street=street, line=line,
            box=np.array(_plane.window(points)), units=view.units, names=view.names,
            note="lengths in standard deviations" if (view.units != 1.0).any() else None,
        )  # fmt: skip

    def frame(self) -> Any:
        """One row per row of the proof: its class, where it is, its weight within its class."""
        at = self.points[self.rows] * self.units
        labels = np.array(self.classes, dtype=object)
        return frame_of(
            {
                "row": self.rows, "class": labels[self.codes[self.rows]],
                "x": at[:, 0], "y": at[:, 1], "weight": self.weights,
            }
        )  # fmt: skip

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ObstructionDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        theme : {"light", "dark"}, optional
        """
        stage = Stage(canvas(ax, theme), _plane.Box(*self.box), units=self.units, names=self.names)
        self.ax_, self.figure_ = stage.ax, stage.canvas.figure
        self.common_ = self.street_ = self.line_ = None
        self.band_: list[Any] = []
        self.hulls_ = [
            stage.ax.fill(
                *(corners * self.units).T, facecolor=stage.theme.pale(colour, HULL), alpha=0.7,
                edgecolor=colour, linewidth=1.0, zorder=1,
            )[0]
            for corners, colour in zip(self.hulls, COLOURS, strict=False)
        ]  # fmt: skip
        self.points_ = stage.points(self.points, self.codes, self.classes)
        accent = stage.theme.accent
        if self.street is not None:
            theta, offset, half = self.street
            self.street_ = stage.line(theta, offset, "widest street", color=accent, linewidth=1.6)
            self.band_ = stage.band(
                theta, offset, half, f"its edges, {number(2 * half)} apart", color=accent
            )
            if self.line is not None:
                self.line_ = stage.line(*self.line, "the perceptron's line")
        self.ties_ = [
            stage.path(np.array([self.points[row], end]), color=accent, linewidth=0.8, zorder=4)
            for row, end in zip(self.rows, self._ends(), strict=True)
        ]
        self.rings_ = stage.rings(
            self.rows, "rows of the proof" if self.common is not None else "rows that hold it"
        )
        if self.common is not None:
            self.common_ = stage.path(
                self.common[None], "a point in both hulls", color=accent, marker="*", markersize=11,
                markeredgecolor=stage.theme.ink, markeredgewidth=0.5, linestyle="none", zorder=6,
            )  # fmt: skip
        stage.finish(_CAPTIONS[self.verdict] + (f"\n{self.note}" if self.note else ""))
        return self

    # ---------------------------------------------------------------- drawing

    def _ends(self) -> Floats:
        """(r, 2): where each row of the proof is tied to: the mean of its class's proof rows."""
        ends = np.empty((len(self.rows), 2))
        for code in (0, 1):
            mine = self.codes[self.rows] == code
            ends[mine] = self.weights[mine] @ self.points[self.rows[mine]]
        return ends


def _line(estimator: Any, points: Floats, side: Ints, units: Floats) -> tuple[Floats, float]:
    """theta and offset, in the picture's units, of the estimator or of a new perceptron."""
    if estimator is None:
        from novikoff.estimators.perceptron import Perceptron

        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            estimator = Perceptron(max_iter=_EPOCHS).fit(points, side)
        units = np.ones(2)
    plane = Hyperplane.from_estimator(estimator)
    if len(plane.theta) != 2:
        raise ValueError(
            f"The estimator was fitted on {len(plane.theta)} features; its line is drawn in the "
            "two of the picture. Fit it on these."
        )
    return plane.theta * units, plane.offset


def _common_point(X: Floats, codes: Ints, rows: Ints, weights: list[Fraction]) -> Floats:
    """The mean of the obstruction's positive rows, which is that of its negative ones; exact."""
    chosen = [(w, X[row]) for w, row in zip(weights, rows, strict=True) if codes[row] == 1]
    total = sum((w for w, _ in chosen), Fraction(0))
    return np.array(
        [float(sum((w * Fraction(x[j]) for w, x in chosen), Fraction(0)) / total) for j in (0, 1)]
    )


def _shares(codes: Ints, weights: list[Fraction]) -> Floats:
    """The weights, divided by their sum within each class."""
    totals = [
        sum((w for w, c in zip(weights, codes, strict=True) if c == k), Fraction(0)) for k in (0, 1)
    ]
    return np.array([float(w / totals[c]) for w, c in zip(weights, codes, strict=True)])
