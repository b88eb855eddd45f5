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
from novikoff.displays._points import signed
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
        view = view_for(X, names, features, None if plane is None else plane.theta, standardize)
        points = view.points(X)
        box = _plane.window(points, origin)
        theta = offset = distances = margin = grid = None
        if plane is None:
            across, up = np.linspace(*box, _GRID).T
            mesh = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
            scores = _data.class_scores(estimator, view.lift(mesh))
            grid = (across, up, scores.reshape(_GRID, _GRID, -1))
            predicted = np.searchsorted(estimator.classes_, estimator.predict(given))
            mistakes = predicted != codes
        else:
            scores, sides = plane.scores(X), 2 * codes - 1
            predicted, mistakes = (scores >= 0).astype(np.int64), sides * scores <= 0
            theta, offset = view.line(plane.theta, plane.offset)
            if view.whole and _plane.divides(plane.theta):
                distances = scores / np.linalg.norm(plane.theta * view.scale)
                smallest = float((sides * distances).min())
                margin = smallest if smallest > 0 else -np.inf
        return cls(
            points=points, codes=codes, predicted=predicted, mistakes=mistakes,
            classes=[str(label) for label in estimator.classes_], theta=theta,
            offset=None if offset is None else float(offset), distances=distances, margin=margin,
            grid=grid, box=np.array(box), units=view.units, names=view.names, note=view.note,
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
        self.rings_ = self.crosses_ = None
        self.band_: list[Any] = []
        names = signed(self.classes) if len(self.classes) == 2 else self.classes
        self.points_ = stage.points(self.points, self.codes, names)
        if self.grid is not None:
            self.half_spaces_ = stage.regions(*self.grid)
        if self.theta is not None and self.offset is not None:
            self.half_spaces_ = stage.half_spaces(self.theta, self.offset)
            if _plane.divides(self.theta):
                self._draw_plane(stage, self.theta, self.offset)
        if self.margin is not None and self.margin > 0 and self.distances is not None:
            nearest = np.abs(self.distances) <= self.margin * (1 + 1e-6)
            self.rings_ = stage.rings(nearest, "nearest points")
        if self.mistakes.any():
            self.crosses_ = stage.crosses(self.mistakes, f"mistakes: {self.mistakes.sum()}")
        stage.finish(self._caption())
        return self

    # ---------------------------------------------------------------- drawing

    def _draw_plane(self, stage: Stage, theta: Floats, offset: float) -> None:
        """The boundary, theta, the margin, and how far from the origin they are."""
        self.boundary_ = stage.line(theta, offset, "boundary θ·x + θ₀ = 0")
        whole = stage.box.size.max()
        lengths = (0.2, 0.12, 0.06)  # of the window: the longest that fits
        ends = stage.standing(theta, offset, [n * whole * _plane.unit(theta) for n in lengths])
        if ends is not None:
            self.theta_ = stage.arrow(*ends, "θ, towards +")
            stage.label("θ", ends[1], larger=1.0)
        if self.margin is not None and self.margin > 0:
            self.band_ = stage.band(theta, offset, self.margin, f"margin {number(self.margin)}")
        origin, foot = np.zeros(2), _plane.foot(theta, offset, np.zeros(2))
        seen = stage.box.holds(origin) and stage.box.holds(foot)
        if offset == 0.0 or self.distances is None or not seen:
            return
        muted, accent = stage.theme.muted, stage.theme.accent
        self.origin_line_ = stage.line(
            theta, 0.0, "parallel θ·x = 0", color=muted, linewidth=0.8, linestyle=":"
        )
        away = number(-offset / float(np.linalg.norm(theta)))
        self.offset_mark_ = stage.path(
            np.array([origin, foot]), f"−θ₀/‖θ‖ = {away}", color=accent, linewidth=1.6, marker="o",
            markersize=2.5, zorder=4,
        )  # fmt: skip
        if np.linalg.norm(foot) > 0.04 * whole:
            stage.label("−θ₀/‖θ‖", np.linspace(0.5, 0.1, 5)[:, None] * foot, accent)
        stage.label("0", origin, muted)

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
