"""Errors epoch by epoch, of several estimators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff._arrays import Floats, Ints
from novikoff.displays import _epochs
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import canvas, colour_of, entry, marker_of, plain

_FEW = 30  # epochs up to which their axis is not logarithmic
_MARKERS = 8  # along a curve


@dataclass(eq=False, repr=False, kw_only=True)
class LearningDisplay:
    """Mistakes per epoch, and the training, validation and first-pass error.

    The first-pass (online) error is that of an estimator that meets every row for the first time:
    the share of the rows of the first epoch at which it erred, each before it learned from it.

    Make one with :meth:`from_estimators`.

    Parameters
    ----------
    names : list of str
    epochs : list of (m,) int
        Per estimator, the epochs after which the errors were measured.
    mistakes : list of (m,)
        Mistakes in that epoch (the mean over the epochs since the one before, if some were left
        out).
    training, validation : list of (m,)
        Errors after that epoch; validation is nan without validation rows.
    first_pass : (e,)
        Per estimator; nan where it is not known.

    Attributes
    ----------
    ax_, figure_, axes_
        The upper axes (errors), the figure, and both axes (one, if only one was given).
    training_, validation_, first_pass_, mistakes_ : lists of artists

    Examples
    --------
    >>> from novikoff import AveragedPerceptron, Perceptron
    >>> from novikoff.displays import LearningDisplay
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0], [3.0, 1.0]], [1, 0, 0, 1]
    >>> display = LearningDisplay.from_estimators(
    ...     [Perceptron(order="cyclic", max_iter=3)], X, y, validation_fraction=None
    ... )
    >>> display.frame()[["estimator", "epoch", "mistakes", "training"]]
        estimator  epoch  mistakes  training
    0  Perceptron      1       2.0       0.0
    1  Perceptron      2       0.0       0.0
    """

    names: list[str]
    epochs: list[Ints]
    mistakes: list[Floats]
    training: list[Floats]
    validation: list[Floats]
    first_pass: Floats

    @classmethod
    def from_estimators(
        cls,
        estimators: Mapping[str, Any] | Sequence[Any] | Any,
        X: Any,
        y: Any,
        *,
        X_val: Any = None,
        y_val: Any = None,
        validation_fraction: float | None = 0.25,
        max_points: int = 40,
        random_state: int = 0,
    ) -> LearningDisplay:
        """Fit every estimator for one epoch, for two, and so on, and measure.

        What is drawn at epoch e is the model that ``max_iter=e`` gives, whatever the estimator
        predicts with. The estimators passed in are not changed.

        Parameters
        ----------
        estimators : estimator, sequence of them, or dict of name to estimator
            With `max_iter`, which says how many epochs to go to.
        X, y
            Training rows; of these a part is held out if `X_val` is not given.
        X_val, y_val : optional
            Validation rows.
        validation_fraction : float or None, default=0.25
            How much to hold out, stratified; None for no validation.
        max_points : int, default=40
            The most epochs that are measured; of more, some are left out, evenly on a logarithmic
            scale.
        random_state : int, default=0
            Of the split, and of estimators without one.
        """
        named = _epochs.named(estimators)
        X, y, X_val, y_val = _epochs.split(X, y, X_val, y_val, validation_fraction, random_state)
        curves = [
            _epochs.measure(e, X, y, X_val, y_val, max_points, random_state) for _, e in named
        ]
        return cls(
            names=[name for name, _ in named],
            epochs=[c.epochs for c in curves],
            mistakes=[c.mistakes for c in curves],
            training=[c.training for c in curves],
            validation=[c.validation for c in curves],
            first_pass=np.array([c.first_pass for c in curves]),
        )

    def frame(self) -> Any:
        """One row per estimator and epoch."""
        lengths = [len(e) for e in self.epochs]
        return frame_of(
            {
                "estimator": np.repeat(np.array(self.names, dtype=object), lengths),
                "epoch": np.concatenate(self.epochs),
                "mistakes": np.concatenate(self.mistakes),
                "training": np.concatenate(self.training),
                "validation": np.concatenate(self.validation),
                "first_pass": np.repeat(self.first_pass, lengths),
            }
        )

    def plot(self, ax: Any = None, *, theme: str | None = None) -> LearningDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or two of them, optional
            On a single one only the errors are drawn, without the mistakes below them.
        theme : {"light", "dark"}, optional
        """
        from matplotlib.ticker import MaxNLocator, PercentFormatter

        on = canvas(ax, theme, panels=2, ratios=(1.6, 1.0))
        self.axes_, self.ax_, self.figure_ = on.axes, on.ax, on.figure
        self.training_, self.validation_, self.first_pass_, self.mistakes_ = [], [], [], []
        entries: list[tuple[Any, str]] = []
        for i, name in enumerate(self.names):
            style: dict[str, Any] = {
                "color": colour_of(i), "linewidth": 1.2, "markersize": 3.5, "marker": marker_of(i),
                "markevery": max(1, len(self.epochs[i]) // _MARKERS),
            }  # fmt: skip
            self.training_ += on.ax.plot(self.epochs[i], self.training[i], **style)
            entries.append((self.training_[-1], plain(name)))
            if np.isfinite(self.validation[i]).any():
                self.validation_ += on.ax.plot(
                    self.epochs[i], self.validation[i], linestyle=(0, (4, 2)), **style
                )
            if np.isfinite(self.first_pass[i]):
                self.first_pass_ += on.ax.plot(
                    1.0, self.first_pass[i], marker="*", markersize=8, linestyle="none",
                    color=colour_of(i), markeredgecolor=on.theme.edge, markeredgewidth=0.4,
                    zorder=5,
                )  # fmt: skip
            if len(on.axes) == 2:
                self.mistakes_ += on.axes[1].plot(self.epochs[i], self.mistakes[i], **style)
        muted = on.theme.muted
        entries.append(entry("training error", color=muted, linewidth=1.2))
        if self.validation_:
            dashes = (0, (4, 2))
            entries.append(entry("validation error", color=muted, linewidth=1.2, linestyle=dashes))
        if self.first_pass_:
            star = {"linestyle": "none", "marker": "*", "markersize": 8}
            entries.append(entry("first-pass error", color=muted, **star))
        long = max(int(e[-1]) for e in self.epochs) > _FEW
        for each, what in zip(on.axes, ("error", "mistakes"), strict=False):
            each.set_ylabel(what)
            each.set_ylim(bottom=0.0)
            each.margins(x=0.04)
            if long:
                each.set_xscale("log")
        if not long:
            on.axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
        on.ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
        if len(on.axes) == 2:
            on.ax.tick_params(labelbottom=False)
            on.axes[1].yaxis.set_major_locator(MaxNLocator(5, integer=True))
        on.axes[-1].set_xlabel("epoch")
        lines = on.legend(on.axes[-1], entries)
        if on.own:
            on.figure.set_size_inches(on.figure.get_size_inches()[0], 3.2 + 0.15 * lines)
        return self
