"""A run against the theorem of Block and Novikoff."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.certificates import MaxMargin
from novikoff.displays._data import frame_of, one_trace
from novikoff.displays._matplotlib import NEGATIVE, POSITIVE, Canvas, canvas, number
from novikoff.trace import Trace

_DRAWN = 2000  # updates of a long run that are drawn, evenly on the logarithmic axis
_FEW = 40  # updates up to which each has its own marker


@dataclass(eq=False, repr=False, kw_only=True)
class BoundDisplay:
    """The proof's chain of inequalities at every update of a run, and where it must end.

    With theta* of length 1 and theta in units of the step eta, after k updates

        k^2 gamma^2  <=  (theta . theta*)^2  <=  ||theta||^2  <=  k (R^2 + 2 beta / eta).

    On logarithmic axes the outer two are straight lines of slope 2 and 1, which meet at
    k = (R^2 + 2 beta / eta) / gamma^2: there can be no more updates than that. Below, the cosine of
    the angle between theta and theta* over its rising floor. (The cosine itself may fall on the
    way.) With an offset, all of it takes place in R^{d+1}, on the rows (x, 1).

    Make one with :meth:`from_trace`.

    Parameters
    ----------
    k : (k,) int
    progress : (k,)
        theta . theta* / eta.
    squared_norm : (k,)
        ||theta||^2 / eta^2.
    cosine : (k,)
    radius, gamma, beta, eta : float
    bound : float
        (R^2 + 2 beta / eta) / gamma^2.

    Attributes
    ----------
    ax_, figure_, axes_
        The upper axes, the figure, and both axes (one, if only one was given).
    lower_line_, upper_line_, progress_, squared_norm_, meeting_, cosine_, floor_
        The artists; the last two are None if only one axes was given.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> from novikoff.displays import BoundDisplay
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> clf = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y)
    >>> display = BoundDisplay.from_trace(clf.trace_)
    >>> int(display.bound), display.squared_norm
    (10, array([ 4., 13.]))
    >>> display.frame()[["least", "progress_squared", "squared_norm", "most"]].round(2)
       least  progress_squared  squared_norm  most
    0    0.9               3.6           4.0   9.0
    1    3.6               8.1          13.0  18.0
    """

    k: Ints
    progress: Floats
    squared_norm: Floats
    cosine: Floats
    radius: float
    gamma: float
    beta: float
    eta: float
    bound: float

    @classmethod
    def from_trace(cls, trace: Trace, *, max_margin: MaxMargin | None = None) -> BoundDisplay:
        """Compute the picture from a trace that carries its examples.

        Parameters
        ----------
        trace : Trace
        max_margin : MaxMargin, optional
            As in :meth:`novikoff.Trace.audit`, if it is known already.

        Raises
        ------
        ValueError
            If the theorem does not speak of the run (not separable, not started at zero, steps of
            different lengths), or nothing was updated.
        """
        if one_trace(trace).rule != "perceptron":
            raise ValueError(
                "The picture is of the perceptron's rule, whose steps are equal; trace.audit() has "
                f"the numbers of {trace.rule}."
            )
        audit = trace.audit(max_margin=max_margin)
        if not audit.covered:
            raise ValueError(f"There is no bound to draw: {audit.reason}")
        if audit.n_updates == 0:
            raise ValueError("There is nothing to draw: the run made no update.")
        return cls(
            k=audit.k, progress=audit.progress / audit.eta,
            squared_norm=audit.squared_norm / audit.eta**2, cosine=audit.cosine,
            radius=audit.radius, gamma=audit.gamma, beta=audit.beta, eta=audit.eta,
            bound=audit.bound,
        )  # fmt: skip

    @property
    def growth(self) -> float:
        """R^2 + 2 beta / eta: the most that ||theta||^2 / eta^2 grows in one update."""
        return self.radius**2 + 2.0 * self.beta / self.eta

    def frame(self) -> Any:
        """One row per update: the four terms of the chain, the cosine and its floor."""
        return frame_of(
            {
                "k": self.k,
                "least": (self.k * self.gamma) ** 2,
                "progress_squared": self.progress**2,
                "squared_norm": self.squared_norm,
                "most": self.k * self.growth,
                "cosine": self.cosine,
                "floor": np.sqrt(self.k) * self.gamma / math.sqrt(self.growth),
            }
        )

    def plot(self, ax: Any = None, *, theme: str | None = None) -> BoundDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, optional
            On a single one only the chain is drawn, without the cosine below it.
        theme : {"light", "dark"}, optional
        """
        on = canvas(ax, theme, panels=2, ratios=(2.2, 1.0))
        self.axes_, self.ax_, self.figure_ = on.axes, on.ax, on.figure
        entries = self._draw_chain(on)
        self.cosine_: Any = None
        self.floor_: Any = None
        if len(on.axes) == 2:
            entries += self._draw_cosine(on)
            on.ax.tick_params(labelbottom=False)
        on.axes[-1].set_xlabel("updates k")
        on.caption(
            on.ax,
            f"{len(self.k)} update{'s' * (len(self.k) != 1)}; no run can make more than "
            f"{math.floor(self.bound)}",
        )
        lines = on.legend(on.axes[-1], entries)
        if on.own:
            on.figure.set_size_inches(on.figure.get_size_inches()[0], 3.4 + 0.15 * lines)
        return self

    # ---------------------------------------------------------------- drawing

    def _draw_chain(self, on: Canvas) -> list[tuple[Any, str]]:
        """The four terms; returns their lines of the legend."""
        ax, theme = on.ax, on.theme
        last = max(self.bound, float(self.k[-1])) * 2.0
        reach = np.geomspace(1.0, max(last, 4.0), 50)
        seen = self._seen()
        style: dict[str, Any] = {"linewidth": 1.0, "color": theme.ink}
        ax.set(xscale="log", yscale="log")
        (self.upper_line_,) = ax.plot(reach, reach * self.growth, linestyle="-", **style)
        (self.lower_line_,) = ax.plot(
            reach, (reach * self.gamma) ** 2, linestyle=(0, (4, 2)), **style
        )
        (self.squared_norm_,) = ax.plot(
            self.k[seen], self.squared_norm[seen], color=NEGATIVE, **self._marked("s")
        )
        (self.progress_,) = ax.plot(
            self.k[seen], self.progress[seen] ** 2, color=POSITIVE, **self._marked("o")
        )
        where = (self.bound, self.bound * self.growth)
        (self.meeting_,) = ax.plot(*where, marker="o", markersize=5, color=theme.accent, zorder=5)
        ax.axvline(self.bound, color=theme.accent, linewidth=0.7, linestyle=":")
        ax.annotate(
            f"(R/γ)² = {number(self.bound)}" if self.beta == 0 else f"bound {number(self.bound)}",
            where, xytext=(-6, 2), textcoords="offset points", ha="right", va="bottom",
            fontsize=on.size, color=theme.accent,
        )  # fmt: skip
        top = reach[-1] * self.growth * 3.0
        ax.set(xlim=(0.9, reach[-1]), ylim=(0.5 * self.gamma**2, top))
        return [
            (self.upper_line_, f"{'kR²' if self.beta == 0 else 'k(R² + 2β/η)'}: at most"),
            (self.squared_norm_, "‖θ‖²"),
            (self.progress_, "(θ·θ*)²"),
            (self.lower_line_, "k²γ²: at least"),
        ]

    def _draw_cosine(self, on: Canvas) -> list[tuple[Any, str]]:
        """The cosine over its floor; returns their lines of the legend."""
        ax, theme, seen = on.axes[1], on.theme, self._seen()
        reach = np.geomspace(1.0, max(self.bound, 1.0), 200)
        (self.cosine_,) = ax.plot(
            self.k[seen], self.cosine[seen], color=theme.accent, **self._marked("o")
        )
        (self.floor_,) = ax.plot(
            reach, np.sqrt(reach) * self.gamma / math.sqrt(self.growth), color=theme.accent,
            linewidth=1.0, linestyle=(0, (1, 1)),
        )  # fmt: skip
        ax.axvline(self.bound, color=theme.accent, linewidth=0.7, linestyle=":")
        ax.axhline(1.0, color=theme.muted, linewidth=0.6)
        ax.set(xscale="log", xlim=on.ax.get_xlim(), ylim=(0.0, 1.08), ylabel="cos α")
        return [
            (self.cosine_, "cos α, α between θ and θ*"),
            (self.floor_, f"its floor √k·γ/{'R' if self.beta == 0 else '√(R² + 2β/η)'}"),
        ]

    def _marked(self, marker: str) -> dict[str, Any]:
        """A line through the updates, each marked if they are few."""
        few = len(self.k) <= _FEW
        return {"linewidth": 1.2, "marker": marker if few else "", "markersize": 3.0}

    def _seen(self) -> Ints:
        """Which updates are drawn."""
        n = len(self.k)
        if n <= _DRAWN:
            return np.arange(n)
        return np.unique(np.rint(np.geomspace(1, n, _DRAWN)).astype(np.int64)) - 1
