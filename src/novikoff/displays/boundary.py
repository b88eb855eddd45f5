"""Where a classifier's classes are: half-spaces, boundary, theta, margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Bools, Floats, Ints
from novikoff.displays import _data, _plane
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import canvas, number, plain
from novikoff.displays._stage import Stage
from novikoff.displays._view import view_for
from novikoff.geometry import Hyperplane

_GRID = 181  # points per side at which a boundary that is no line is asked for


@dataclass(eq=False, repr=False, kw_only=True)
class BoundaryDisplay:
    """The half-spaces of a classifier, its boundary, and the points on either side.

    For one hyperplane: theta as an arrow from the boundary, perpendicular to it; the parallel line
    through the origin, at the distance -theta_0 / ||theta||; if the points are separated, the
    margin band, with the nearest points ringed. Mistakes are crossed out. Kernels, votes and more
    than two classes are drawn as regions.

    Make one with :meth:`from_estimator`.

    Parameters
    ----------
    points : (n, 2)
        Where the rows are in the picture, in its units: those of the features, or standard
        deviations where the units of the features are unlike.
    codes, predicted : (n,) int
        The class number of every row, as it is and as it is predicted.
    mistakes : (n,) bool
        Two classes: y s <= 0, so that a point on the boundary is one. More: predicted wrongly.
    classes : list of str
        Two classes: the negative one first.
    theta, offset : (2,) and float, or None
        The boundary in the picture; None if it is not one hyperplane. theta = 0 has no boundary.
    distances : (n,) or None
        The signed distances s / ||theta||, in the picture's units; None if there is no hyperplane,
        or if the picture does not show them true to scale (a pair of several features).
    margin : float or None
        The smallest y s / ||theta||; -inf if the rows are not separated, None like `distances`.
    grid : tuple of (nx,), (ny,), (ny, nx, C) or None
        Scores of the classes on a grid, where there is no single hyperplane.
    box : (2, 2)
        The window: lower left and upper right corner.
    units : (2,)
        What one unit of the picture is on each axis.
    names : (str, str)
    note : str or None
        What plane is looked at, if it is not simply the two features.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.
    points_, half_spaces_ : list of artists
    boundary_, theta_, origin_line_, offset_mark_, rings_, crosses_ : artists, or None
    band_ : list of artists

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> from novikoff.displays import BoundaryDisplay
    >>> X, y = [[2.0, 1.0], [1.0, 3.0], [-1.0, -1.0], [0.0, -2.0]], [1, 1, 0, 0]
    >>> display = BoundaryDisplay.from_estimator(Perceptron(order="cyclic").fit(X, y), X, y)
    >>> display.theta, display.offset
    (array([2., 1.]), 1.0)
    >>> display.frame()["distance"].round(3).tolist()
    [2.683, 2.683, -0.894, -0.447]
    """

    points: Floats
    codes: Ints
    predicted: Ints
    mistakes: Bools
    classes: list[str]
    theta: Floats | None
    offset: float | None
    distances: Floats | None
    margin: float | None
    grid: tuple[Floats, Floats, Floats] | None
    box: Floats
    units: Floats
    names: tuple[str, str]
    note: str | None = None

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        features: Sequence[Any] | None = None,
        standardize: bool | str = "auto",
        origin: bool | str = "auto",
    ) -> BoundaryDisplay:
        """Compute the picture of a fitted classifier on rows X with labels y.

        Parameters
        ----------
        estimator : fitted classifier
            Any of this library, or another one with `classes_` and `predict`.
        X : {array-like, sparse matrix} of shape (n, d), d >= 2
        y : array-like of shape (n,)
        features : two names or numbers, optional
            The pair to look at; other features rest at their means. By default, with more than two
            features: for one hyperplane, the plane of theta and the leading direction orthogonal
            to it, in which the distance of every row from the boundary is true to scale;
            otherwise the plane of the two leading directions through the mean.
        standardize : bool or "auto", default="auto"
            Whether to scale features by their standard deviations; "auto" does where these differ
            by a factor of five or more. Ticks stay in original units.
        origin : bool or "auto", default="auto"
            Whether the window must hold the origin; "auto": if the points still fill most of it.
        """
        _data.check_fitted(estimator)
        names, given = _data.feature_names(X, estimator), X
        X = _data.matrix(X)
        if X.shape[1] < 2:
            raise ValueError("A picture needs at least two features; X has one.")
        codes = _data.class_codes(y, estimator.classes_, X.shape[0])
        plane = Hyperplane.from_estimator(estimator) if _data.is_line(estimator) else None
        theta = None if plane is None else plane.theta
        view = view_for(X, names, features, theta, standardize)
        points = view.points(X)
        common: dict[str, Any] = {
            "points": points, "codes": codes, "units": view.units, "names": view.names,
            "classes": [str(label) for label in estimator.classes_], "note": view.note,
        }  # fmt: skip
        box = _plane.window(points, origin)
        if plane is None:
            axes = tuple(np.linspace(box.low[i], box.high[i], _GRID) for i in (0, 1))
            mesh = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
            scores = _data.class_scores(estimator, view.lift(mesh))
            predicted = np.searchsorted(estimator.classes_, estimator.predict(given))
            return cls(
                **common, predicted=predicted, mistakes=predicted != codes, theta=None, offset=None,
                distances=None, margin=None, box=np.array(box),
                grid=(axes[0], axes[1], scores.reshape(_GRID, _GRID, -1)),
            )  # fmt: skip
        scores = plane.scores(X)
        theta, offset = view.line(plane.theta, plane.offset)
        sides = 2 * codes - 1
        distances, margin = None, None
        if view.whole and _plane.divides(plane.theta):
            distances = scores / np.linalg.norm(plane.theta * view.scale)
            smallest = float((sides * distances).min())
            margin = smallest if smallest > 0 else -np.inf
        return cls(
            **common, predicted=(scores >= 0).astype(np.int64), mistakes=sides * scores <= 0,
            theta=theta, offset=float(offset), distances=distances, margin=margin, grid=None,
            box=np.array(box),
        )  # fmt: skip

    def frame(self) -> Any:
        """One row per point: where it is, its class, the prediction, and its distance."""
        labels = np.array(self.classes, dtype=object)
        columns = {
            "x": self.points[:, 0] * self.units[0],
            "y": self.points[:, 1] * self.units[1],
            "class": labels[self.codes],
            "predicted": labels[self.predicted],
            "mistake": self.mistakes,
        }
        if self.distances is not None:
            columns["distance"] = self.distances
        return frame_of(columns)

    def plot(self, ax: Any = None, *, theme: str | None = None) -> BoundaryDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.
        theme : {"light", "dark"}, optional
            By default what suits the background.
        """
        stage = Stage(canvas(ax, theme), _plane.Box(*self.box), units=self.units, names=self.names)
        self.ax_, self.figure_ = stage.ax, stage.canvas.figure
        self.boundary_ = self.theta_ = self.origin_line_ = self.offset_mark_ = None
        self.band_: list[Any] = []
        names = self.classes
        if len(names) == 2:
            names = [f"{names[0]} (−)", f"{names[1]} (+)"]
        self.points_ = stage.points(self.points, self.codes, names)
        write = None
        if self.theta is not None:
            write = self._draw_line(stage)
        else:
            self._draw_regions(stage)
        self.rings_ = self.crosses_ = None
        if self.margin is not None and self.margin > 0 and self.distances is not None:
            nearest = np.abs(self.distances) <= self.margin * (1 + 1e-6)
            self.rings_ = stage.rings(nearest, "nearest points")
        if self.mistakes.any():
            self.crosses_ = stage.crosses(self.mistakes, f"mistakes: {self.mistakes.sum()}")
        stage.finish(self._caption())
        if write is not None:
            write(stage)
        return self

    # ---------------------------------------------------------------- drawing

    def _draw_regions(self, stage: Stage) -> None:
        assert self.grid is not None
        x, y, scores = self.grid
        self.half_spaces_ = stage.regions((x, y), scores)

    def _draw_line(self, stage: Stage) -> Any:
        """Everything about the hyperplane; returns what writes its labels once all is laid out."""
        assert self.theta is not None
        assert self.offset is not None
        theta, offset, box, ink = self.theta, self.offset, stage.box, stage.theme.muted
        self.half_spaces_ = stage.half_spaces(theta, offset)
        if not _plane.divides(theta):
            return None
        self.boundary_ = stage.line(theta, offset, "boundary θ·x + θ₀ = 0")
        tip = self._draw_theta(stage)
        if self.margin is not None and self.margin > 0:
            self.band_ = stage.band(theta, offset, self.margin, f"margin {number(self.margin)}")
        mark = None
        if offset != 0.0 and self._offset_is_seen(box):
            self.origin_line_ = stage.line(
                theta, 0.0, "parallel θ·x = 0", color=ink, linewidth=0.8, linestyle=":"
            )
            mark = _plane.foot(theta, offset, np.zeros(2))
            away = number(-offset / float(np.linalg.norm(theta)))
            self.offset_mark_ = stage.path(
                np.array([np.zeros(2), mark]), f"−θ₀/‖θ‖ = {away}", color=stage.theme.accent,
                linewidth=1.6, marker="o", markersize=2.5, zorder=4,
            )  # fmt: skip

        def write(stage: Stage) -> None:
            labels, size = stage.labels(), stage.canvas.size
            if tip is not None:
                labels.place("θ", tip[None] * self.units, fontsize=size + 1, color=stage.theme.ink)
            if mark is not None:
                places = np.linspace(0.5, 0.1, 5)[:, None] * mark
                if np.linalg.norm(mark) > 0.04 * stage.box.size.max():
                    labels.place(
                        "−θ₀/‖θ‖", places * self.units, fontsize=size, color=stage.theme.accent
                    )
                labels.place("0", np.zeros((1, 2)), fontsize=size, color=ink)

        return write

    def _draw_theta(self, stage: Stage) -> Floats | None:
        """The arrow from the boundary; returns its tip."""
        assert self.theta is not None
        assert self.offset is not None
        ends = _plane.segment(stage.box, self.theta, self.offset)
        if ends is None:
            return None
        inner = np.linspace(0.08, 0.92, 22)[:, None]
        starts = ends[0] + inner * (ends[1] - ends[0])
        for length in (0.2, 0.12, 0.06):  # of the window: the longest that fits
            tips = starts + length * stage.box.size.max() * _plane.unit(self.theta)
            best = stage.emptiest(starts, tips)
            if best is not None:
                self.theta_ = stage.arrow(starts[best], tips[best], "θ, towards +")
                tip: Floats = tips[best]
                return tip
        return None

    def _offset_is_seen(self, box: _plane.Box) -> bool:
        """Whether the origin and the foot of its perpendicular are in the picture, undistorted."""
        assert self.theta is not None
        assert self.offset is not None
        if self.distances is None:
            return False
        return box.holds(np.zeros(2)) and box.holds(
            _plane.foot(self.theta, self.offset, np.zeros(2))
        )

    def _caption(self) -> str:
        n, wrong = len(self.codes), int(self.mistakes.sum())
        if self.theta is not None and not _plane.divides(self.theta):
            side = plain(self.classes[self.offset is not None and self.offset >= 0])
            if len(np.unique(self.predicted)) > 1:  # theta has other features to go by
                return f"θ = 0 in this plane: no boundary, all of it is {side}\n{self.note}"
            mistaken = "" if self.offset else "; every score is 0, which counts as a mistake"
            return f"θ = 0: no boundary, everything is predicted {side}{mistaken}"
        verdict = f"{wrong} of {n} on the wrong side" if wrong else f"all {n} on their side"
        if self.theta is None:
            verdict = f"{wrong} of {n} mistaken" if wrong else f"no mistake in {n}"
        return verdict if self.note is None else f"{verdict}\n{self.note}"
