"""The losses of one example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from novikoff._arrays import Floats
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import NEGATIVE, POSITIVE, canvas, number
from novikoff.geometry import losses

_FAN = 7  # subgradients shown between the two outermost


@dataclass(eq=False, repr=False, kw_only=True)
class LossDisplay:
    """The 0-1, the perceptron and the hinge loss of one example, against y s.

    At y s = 0 the perceptron loss has a corner: every slope from -1 to 0 is a subgradient there,
    and they are drawn as a fan. The perceptron takes -1 (``ties="mistake"``) or 0
    (``ties="correct"``).

    Make one with :meth:`from_range`.

    Parameters
    ----------
    agreement : (m,)
        y s.
    zero_one, perceptron, hinge : (m,)
    margin : float
        Where the hinge loss begins.
    boundary : {"error", "correct"}
        What the 0-1 loss is at y s = 0.
    slopes : (f,)
        The subgradients of the fan.

    Attributes
    ----------
    ax_, figure_
    zero_one_, perceptron_, hinge_, fan_ : artists

    Examples
    --------
    >>> from novikoff.displays import LossDisplay
    >>> LossDisplay.from_range(-1.0, 1.0, n=3).frame()
       agreement  zero_one  perceptron  hinge
    0       -1.0       1.0         1.0    2.0
    1        0.0       1.0         0.0    1.0
    2        1.0       0.0         0.0    0.0
    """

    agreement: Floats
    zero_one: Floats
    perceptron: Floats
    hinge: Floats
    margin: float
    boundary: str
    slopes: Floats

    @classmethod
    def from_range(
        cls,
        low: float = -2.5,
        high: float = 2.5,
        *,
        margin: float = 1.0,
        boundary: Literal["error", "correct"] = "error",
        n: int = 501,
    ) -> LossDisplay:
        """Compute the losses at `n` values of y s from `low` to `high`.

        Parameters
        ----------
        low, high : float
            Below and above 0.
        margin : float, default=1.0
            Of the hinge loss.
        boundary : {"error", "correct"}, default="error"
            Whether y s = 0 counts as an error; see :func:`novikoff.losses.zero_one`.
        n : int, default=501
        """
        if not low < 0.0 < high:
            raise ValueError(f"low must be below 0 and high above; they are {low} and {high}.")
        s = np.linspace(low, high, n)
        return cls(
            agreement=s,
            zero_one=losses.zero_one(1, s, boundary),
            perceptron=losses.perceptron(1, s),
            hinge=losses.hinge(1, s, margin),
            margin=margin,
            boundary=boundary,
            slopes=np.linspace(-1.0, 0.0, _FAN),
        )

    def frame(self) -> Any:
        """One row per value of y s."""
        return frame_of(
            {
                "agreement": self.agreement, "zero_one": self.zero_one,
                "perceptron": self.perceptron, "hinge": self.hinge,
            }
        )  # fmt: skip

    def plot(self, ax: Any = None, *, theme: str | None = None) -> LossDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        theme : {"light", "dark"}, optional
        """
        on = canvas(ax, theme)
        self.ax_, self.figure_ = on.ax, on.figure
        ax, theme_ = on.ax, on.theme
        low, high = float(self.agreement[0]), float(self.agreement[-1])
        reach = 0.35 * min(-low, high)
        self.fan_ = [
            ax.plot(
                [-reach, reach], [-slope * reach, slope * reach], color=theme_.accent,
                linewidth=0.7, zorder=1,
            )[0]
            for slope in self.slopes
        ]  # fmt: skip
        # Two pieces: a step is not a slope.
        wrong, right = self.agreement < 0.0, self.agreement > 0.0
        (self.zero_one_,) = ax.plot(
            np.concatenate([self.agreement[wrong], [0.0, np.nan, 0.0], self.agreement[right]]),
            np.concatenate([self.zero_one[wrong], [1.0, np.nan, 0.0], self.zero_one[right]]),
            color=theme_.ink, linewidth=1.2, linestyle=(0, (1, 1)), zorder=3,
        )  # fmt: skip
        at_zero = 1.0 if self.boundary == "error" else 0.0
        for value in (0.0, 1.0):
            ax.plot(
                0.0, value, marker="o", markersize=3.5, color=theme_.ink, zorder=4,
                markerfacecolor=theme_.ink if value == at_zero else theme_.background,
            )  # fmt: skip
        (self.perceptron_,) = ax.plot(
            self.agreement, self.perceptron, color=POSITIVE, linewidth=1.6, zorder=2
        )
        (self.hinge_,) = ax.plot(
            self.agreement, self.hinge, color=NEGATIVE, linewidth=1.2, linestyle=(0, (5, 2)),
            zorder=2,
        )  # fmt: skip
        ax.axvline(0.0, color=theme_.muted, linewidth=0.5, zorder=0)
        bottom, top = -1.15 * reach, max(float(self.hinge.max()), 1.2)
        ax.set(
            xlim=(low, high), ylim=(bottom, top), xlabel="y·s: wrong side | right side",
            ylabel="loss",
        )  # fmt: skip
        ax.set_aspect("equal", adjustable="box")  # a subgradient of -1 falls at 45 degrees
        on.legend(
            ax,
            [
                (self.zero_one_, "0-1"),
                (self.perceptron_, "perceptron max(0, −y·s)"),
                (self.hinge_, f"hinge max(0, {number(self.margin)} − y·s)"),
                (self.fan_[0], "subgradients at 0"),
            ],
        )
        on.caption(ax, "The loss of one example")
        on.fit(ax, (top - bottom) / (high - low))
        return self
