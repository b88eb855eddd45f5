"""The training error as a function of theta's direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.displays import _data
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import NEGATIVE, POSITIVE, canvas, number
from novikoff.displays._plane import TURN, Staircase, best_offsets, error_steps
from novikoff.geometry import Hyperplane
from novikoff.geometry.sparse import dense

_DIRECTIONS = 361  # at which the best offset is searched


@dataclass(eq=False, repr=False, kw_only=True)
class ErrorDisplay:
    """The training error of all directions of theta, in two features.

    It is piecewise constant, hence without a slope to follow; that is why the perceptron does not
    descend on it. (At the directions where it jumps, the examples on the boundary count as errors
    too; these single directions are not drawn.)

    Make one with :meth:`from_estimator` or :meth:`from_data`.

    Parameters
    ----------
    edges, error : (m + 1,), (m,)
        Between edges[i] and edges[i + 1], in radians, the error is error[i]; exact.
    offset : float
        The offset per unit of theta's length, theta_0 / ||theta||, kept while theta turns.
    directions, best : (q,), (q,), or None
        The smallest error that any offset has at some directions.
    angle : float or None
        The direction of the estimator's theta; None if there is none (theta = 0).
    found : float or None
        The estimator's own training error.

    Attributes
    ----------
    ax_, figure_
    error_, best_, estimator_ : artists, or None

    Examples
    --------
    >>> from novikoff.displays import ErrorDisplay
    >>> display = ErrorDisplay.from_data([[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0])
    >>> display.frame().round(2)
       from_degrees  to_degrees  error
    0           0.0        90.0   0.33
    1          90.0       180.0   1.00
    2         180.0       270.0   0.67
    3         270.0       360.0   0.00
    """

    edges: Floats
    error: Floats
    offset: float = 0.0
    directions: Floats | None = None
    best: Floats | None = None
    angle: float | None = None
    found: float | None = None

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any) -> ErrorDisplay:
        """Turn the theta of a fitted binary classifier, with its distance from the origin kept.

        Parameters
        ----------
        estimator : fitted linear classifier of two classes
        X : {array-like, sparse matrix} of shape (n, 2)
        y : array-like of shape (n,)
        """
        _data.check_fitted(estimator)
        if not _data.is_line(estimator):
            raise ValueError(
                f"{type(estimator).__name__} is not one hyperplane: a direction of theta needs a "
                "linear classifier of two classes."
            )
        points = _two(_data.matrix(X))
        side = 2 * _data.class_codes(y, estimator.classes_, len(points)) - 1
        plane = Hyperplane.from_estimator(estimator)
        length = float(np.hypot(*plane.theta))
        found = plane.training_error(points, side)
        offset = plane.offset / length if length > 0 else 0.0
        with_offset = bool(getattr(estimator, "fit_intercept", plane.offset != 0.0))
        angle = float(np.arctan2(plane.theta[1], plane.theta[0]) % TURN) if length > 0 else None
        return cls._of(points, side, offset, with_offset, angle, found)

    @classmethod
    def from_data(
        cls, X: Any, y: Any, *, offset: float = 0.0, best_offset: bool = False
    ) -> ErrorDisplay:
        """The errors of all directions, with no estimator.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n, 2)
        y : array-like of shape (n,)
            Two classes.
        offset : float, default=0.0
            theta_0 / ||theta||; 0 is through the origin.
        best_offset : bool, default=False
            Whether to show also what the best offset for each direction reaches.
        """
        points, _, side = _data.two_classes(X, y)
        return cls._of(_two(points), side, offset, best_offset, None, None)

    @classmethod
    def _of(
        cls, X: Floats, side: Ints, offset: float, best: bool, angle: float | None,
        found: float | None,
    ) -> ErrorDisplay:  # fmt: skip
        steps = error_steps(X, side, offset)
        directions = np.linspace(0.0, TURN, _DIRECTIONS) if best else None
        fewest = None if directions is None else best_offsets(X, side, directions) / len(X)
        return cls(
            edges=steps.edges, error=steps.values / len(X), offset=offset, directions=directions,
            best=fewest, angle=angle, found=found,
        )  # fmt: skip

    def frame(self) -> Any:
        """One row per piece: from, to, and the error in between."""
        return frame_of(
            {
                "from_degrees": np.degrees(self.edges[:-1]),
                "to_degrees": np.degrees(self.edges[1:]),
                "error": self.error,
            }
        )

    def error_at(self, angle: float) -> float:
        """The error at a direction, in radians."""
        return Staircase(self.edges, self.error).at(angle)

    def plot(self, ax: Any = None, *, theme: str | None = None) -> ErrorDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        theme : {"light", "dark"}, optional
        """
        on = canvas(ax, theme)
        self.ax_, self.figure_ = on.ax, on.figure
        ax, colours = on.ax, on.theme
        kept = "through the origin" if self.offset == 0 else f"at θ₀/‖θ‖ = {number(self.offset)}"
        self.error_ = ax.stairs(
            self.error, np.degrees(self.edges), baseline=None, color=POSITIVE, linewidth=1.3
        )
        entries: list[tuple[Any, str]] = [(self.error_, kept)]
        self.best_ = self.estimator_ = None
        if self.best is not None and self.directions is not None:
            (self.best_,) = ax.plot(
                np.degrees(self.directions), self.best, color=NEGATIVE, linewidth=1.1,
                linestyle=(0, (4, 2)),
            )  # fmt: skip
            entries.append((self.best_, "with the best offset"))
        if self.angle is not None and self.found is not None:
            (self.estimator_,) = ax.plot(
                np.degrees(self.angle), self.found, marker="D", markersize=5, linestyle="none",
                color=colours.accent, markeredgecolor=colours.edge, zorder=5, clip_on=False,
            )  # fmt: skip
            entries.append((self.estimator_, f"this θ: {100 * self.found:.3g} %"))
        ax.set(xlim=(0, 360), ylim=(-0.02, 1.02), xlabel="direction of θ", ylabel="training error")
        ax.set_xticks([0, 90, 180, 270, 360], ["0°", "90°", "180°", "270°", "360°"])
        least = self.error.min()
        caption = f"Smallest {100 * least:.3g} %" + (" (separable)" if least == 0 else "")
        if self.found is not None and self.angle is None:
            caption += "; θ = 0 has no direction"
        on.caption(ax, caption)
        on.legend(ax, entries)
        on.fit(ax, 0.62)
        return self


def _two(X: Any) -> Floats:
    if X.shape[1] != 2:
        raise ValueError(f"A direction in the plane needs two features; X has {X.shape[1]}.")
    return dense(X)
