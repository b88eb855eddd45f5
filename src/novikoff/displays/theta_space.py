"""The proof's own picture: theta hopping into the cone of separators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.certificates import NotSeparableError, max_margin
from novikoff.displays import _plane
from novikoff.displays._data import frame_of, one_trace
from novikoff.displays._matplotlib import canvas, number
from novikoff.displays._plane import TURN, Staircase, error_steps, separating_cone
from novikoff.displays._stage import Stage
from novikoff.geometry.sparse import dense
from novikoff.trace import Trace

_FEW = 24  # examples up to which each has its own half-plane's edge
_SECTORS = 360  # in which the rest are counted
_MANY_HOPS = 60  # updates from which on the path has no markers


@dataclass(eq=False, repr=False, kw_only=True)
class ThetaSpaceDisplay:
    """The plane of the two weights, in which every example is a half-plane.

    An example (x, y) asks for y x . theta > 0: a half-plane, whose edge goes through the origin.
    Where all of them meet is the cone of separators; theta, starting at zero, is pushed by one y x
    after the other until it is inside. The examples y x themselves are drawn too: they lie within
    the circle of radius R, so no hop is longer than R. theta is in units of the step eta. alpha is
    the angle to theta*, the separator with the largest margin.

    For two features through the origin, or one feature with an offset, which is its second weight.
    Make one with :meth:`from_trace`.

    Parameters
    ----------
    steps : (n, 2)
        y x of every example that took part (one feature: y (x, 1)).
    codes : (n,) int
        0 for negative, 1 for positive examples.
    theta : (k + 1, 2)
        Every hypothesis, divided by eta.
    row : (k,)
    radius : float
        R, the length of the longest example.
    star : (2,) or None
        theta*, of length 1; None if the examples are not separable.
    margin : float
        gamma; 0.0 if they are not separable.
    cone : (float, float) or None
        The open interval of angles that separate, in radians.
    classes, names : (str, str)
    box : (2, 2)

    Attributes
    ----------
    ax_, figure_
    sectors_, edges_, path_, points_, circle_, star_, theta_, arc_ : artists, or None

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> from novikoff.displays import ThetaSpaceDisplay
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> clf = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y)
    >>> display = ThetaSpaceDisplay.from_trace(clf.trace_)
    >>> display.radius, [round(float(a), 3) for a in np.degrees(display.cone)]
    (3.0, [270.0, 360.0])
    >>> display.frame()[["k", "theta_1", "theta_2", "violated"]]
       k  theta_1  theta_2  violated
    0  0      0.0      0.0         3
    1  1      2.0      0.0         1
    2  2      2.0     -3.0         0
    """

    steps: Floats
    codes: Ints
    theta: Floats
    row: Ints
    radius: float
    star: Floats | None
    margin: float
    cone: tuple[float, float] | None
    classes: tuple[str, str]
    names: tuple[str, str]
    box: Floats

    @classmethod
    def from_trace(cls, trace: Trace) -> ThetaSpaceDisplay:
        """Compute the picture from a trace with two weights, which must carry its examples."""
        width = len(one_trace(trace).start_theta) + trace.fit_intercept
        if width != 2:
            raise ValueError(
                f"This picture is of two weights; the run had {width}. Fit two features with "
                "fit_intercept=False, or one feature with an offset."
            )
        examples = trace.known_examples()
        X = dense(examples.X[examples.used]).astype(np.float64)
        side = examples.side[examples.used].astype(np.int64)
        theta, offset = trace.hypotheses()
        names = ("θ₁", "θ₂")
        if trace.fit_intercept:
            X = np.column_stack([X, np.ones(len(X))])
            theta = np.column_stack([theta, offset])
            names = ("θ₁", "θ₀")
        star, margin = None, 0.0
        try:
            best = max_margin(X, side, fit_intercept=False)
            star, margin = _plane.unit(np.array([float(t) for t in best.theta])), best.margin
        except NotSeparableError:
            pass
        steps, hops = X * side[:, None], theta.astype(np.float64) / trace.eta
        radius = float(np.hypot(*X.T).max())
        seen = np.vstack([hops, [[radius, radius], [-radius, -radius]]])
        return cls(
            steps=steps, codes=(side > 0).astype(np.int64), theta=hops, row=trace.row,
            radius=radius, star=star, margin=margin,
            cone=None if star is None else separating_cone(steps), classes=trace.classes,
            names=names, box=np.array(_plane.window(seen)),
        )  # fmt: skip

    def frame(self) -> Any:
        """One row per hypothesis: theta, its length, progress along theta*, alpha, violations."""
        nothing = np.full(len(self.theta), np.nan)
        columns = {
            "k": np.arange(len(self.theta)),
            "theta_1": self.theta[:, 0],
            "theta_2": self.theta[:, 1],
            "norm": np.hypot(*self.theta.T),
            "progress": nothing if self.star is None else self.theta @ self.star,
            "degrees": np.degrees(self.angle),
            "violated": self._violated(),
        }
        return frame_of(columns)

    def _violated(self) -> Ints:
        """(k + 1,): how many examples each hypothesis has on the wrong side, or on its boundary."""
        most = max(1, 5_000_000 // len(self.steps))
        blocks = [self.theta[i : i + most] for i in range(0, len(self.theta), most)]
        return np.concatenate([np.count_nonzero(b @ self.steps.T <= 0, axis=1) for b in blocks])

    @property
    def angle(self) -> Floats:
        """(k + 1,): alpha between every hypothesis and theta*, in radians; nan at theta = 0."""
        if self.star is None:
            return np.full(len(self.theta), np.nan)
        return _plane.angle_between(self.theta, np.broadcast_to(self.star, self.theta.shape))

    def plot(
        self, ax: Any = None, *, k: int | None = None, theme: str | None = None
    ) -> ThetaSpaceDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        k : int, optional
            After how many updates; the whole run by default.
        theme : {"light", "dark"}, optional
        """
        last = len(self.theta) - 1
        k = last if k is None else k
        if not 0 <= k <= last:
            raise ValueError(f"There are hypotheses 0 ... {last}; {k} is not one of them.")
        stage = Stage(canvas(ax, theme), _plane.Box(*self.box), names=self.names)
        self.ax_, self.figure_ = stage.ax, stage.canvas.figure
        self._draw_sectors(stage)
        self.points_ = stage.points(
            self.steps, self.codes, [f"y·x of {name}" for name in self.classes], shrink=0.6
        )
        colour = stage.theme.accent
        self.circle_ = stage.arc(
            np.zeros(2), self.radius, 0.0, TURN, color=stage.theme.muted, linestyle="--",
            label=f"radius R = {number(self.radius)}",
        )  # fmt: skip
        self.star_ = self.theta_ = self.arc_ = None
        whole = float(stage.box.size.max())
        if self.star is not None:
            self.star_ = stage.arrow(np.zeros(2), 0.42 * whole * self.star, "θ*", color=colour)
            stage.label("θ*", 0.42 * whole * self.star, colour)
        style: dict[str, Any] = {"linewidth": 1.1, "marker": "o", "markersize": 2.5}
        if k > _MANY_HOPS:
            style = {"linewidth": 0.4, "alpha": max(0.25, (_MANY_HOPS / k) ** 0.5)}
        self.path_ = stage.path(
            self.theta[: k + 1], "θ, hop by hop", color=stage.theme.ink, zorder=2.5, **style
        )
        hypothesis = self.theta[k]
        if _plane.divides(hypothesis):
            self.theta_ = stage.arrow(np.zeros(2), hypothesis, linewidth=0.8)
            stage.label("θ", hypothesis)
            if self.star is not None:
                turn = _plane.turn_between(self.star, hypothesis)
                self.arc_ = stage.angle(np.zeros(2), 0.16 * whole, self.star, turn, "α")
        stage.finish(self._caption(k))
        return self

    # ---------------------------------------------------------------- drawing

    def _draw_sectors(self, stage: Stage) -> None:
        """Shade by how many half-planes a direction violates; the cone is where there are none."""
        from matplotlib.collections import PolyCollection

        violated = _coarse(error_steps(self.steps, np.ones(len(self.steps), np.int64)))
        far = 3.0 * float(np.linalg.norm(stage.box.size))
        theme = stage.theme
        inside = theme.pale(theme.accent, 0.3)
        shades = [
            inside if s == 0 and self.cone is not None else theme.pale(theme.muted, 0.10 + 0.45 * s)
            for s in violated.values / len(self.steps)
        ]
        wedges = [_wedge(a, b, far) for a, b in pairwise(violated.edges)]
        self.sectors_ = PolyCollection(
            wedges, facecolors=shades, edgecolors=shades, linewidths=0.3, zorder=0
        )
        stage.ax.add_collection(self.sectors_, autolim=False)
        if self.cone is not None:
            from matplotlib.patches import Patch

            cone = Patch(facecolor=inside, edgecolor=theme.accent)
            stage.entries.append((cone, "cone of separators"))
        few = len(self.steps) <= _FEW
        drawn = self.steps if few else self.steps[self._bounding()]
        label = "edge of a half-plane" if few else "edges of the cone"
        self.edges_ = [
            stage.line(
                z, 0.0, label if i == 0 else None, color=theme.muted, linewidth=0.6, zorder=1
            )
            for i, z in enumerate(drawn)
            if _plane.divides(z)
        ]

    def _bounding(self) -> Ints:
        """The examples whose half-planes have the edges of the cone."""
        if self.cone is None:
            return np.empty(0, np.int64)
        ends = np.array([[np.cos(a), np.sin(a)] for a in self.cone])
        with np.errstate(invalid="ignore"):
            cosines = np.abs(self.steps @ ends.T) / np.hypot(*self.steps.T)[:, None]
        return np.unique(np.argmin(cosines, axis=0))

    def _caption(self, k: int) -> str:
        if self.star is None:
            return f"After {k} updates; no cone: the examples are not separable"
        text = f"After {k} update{'s' * (k != 1)}"
        if not _plane.divides(self.theta[k]):
            return f"{text}: θ = 0, no angle yet"
        inside = bool((self.steps @ self.theta[k] > 0).all())
        return (
            f"{text}: α = {np.degrees(self.angle[k]):.1f}°, "
            f"{'inside the cone' if inside else 'not in the cone yet'}"
        )


def _coarse(steps: Staircase) -> Staircase:
    """At most a sector per degree, or the exact ones if they are fewer. A sector of zeros stays."""
    if len(steps.values) <= _SECTORS:
        return steps
    regular = np.linspace(0.0, TURN, _SECTORS + 1)
    zeros = np.flatnonzero(steps.values == 0)
    edges = np.unique(np.concatenate([regular, steps.edges[zeros], steps.edges[zeros + 1]]))
    middles = (edges[:-1] + edges[1:]) / 2
    return Staircase(edges, np.array([steps.at(angle) for angle in middles]))


def _wedge(start: float, end: float, radius: float) -> Floats:
    """A sector of a circle as a polygon, whose rim lies beyond the window."""
    angles = np.linspace(start, end, 2 + int((end - start) / 0.3))
    rim = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return np.vstack([np.zeros(2), rim])
