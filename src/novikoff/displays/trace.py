"""A run of the perceptron, update by update."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff._arrays import Bools, Floats, Ints
from novikoff.displays import _data, _plane, _update
from novikoff.displays._data import frame_of
from novikoff.displays._matplotlib import canvas
from novikoff.displays._multiples import animate, draw_multiples
from novikoff.displays._stage import Stage
from novikoff.displays._view import View, pair_view, scales

if TYPE_CHECKING:
    import os

    from novikoff.trace import Trace


@dataclass(eq=False, repr=False, kw_only=True)
class TraceDisplay:
    """The updates of one hyperplane: before, after, by what angle it turned.

    ``plot(k=...)`` draws one update, `plot_run` many of them side by side, `animate` all of them
    one after the other. Make one with :meth:`from_trace`.

    Parameters
    ----------
    points : (n, 2)
        The rows that took part, in the picture's units.
    codes : (n,) int
        0 for the negative and 1 for the positive side.
    theta, offset : (k + 1, 2), (k + 1,)
        Every hypothesis as seen in the picture; the first is the start.
    epoch, row, y, score_before, score_after : (k,)
        As in the trace.
    position : (k,) int
        Where the row of each update is in `points`.
    angle : (k,)
        By how much theta turned, in radians, measured among all features; nan from or to theta = 0.
    undershot : (k,) bool
        Whether the example was still a mistake after its own update.
    classes : (str, str)
        Negative, positive.
    box, units, names, note
        As in :class:`BoundaryDisplay`.

    Attributes
    ----------
    ax_, figure_
        Where the last picture was drawn; `axes_` where it has several panels.
    points_, half_spaces_, before_, after_, theta_before_, theta_after_, step_, arc_, ring_
        What `plot` drew; None for what there was not.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> from novikoff.displays import TraceDisplay
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> clf = Perceptron(fit_intercept=False, order="cyclic", record_trace=True).fit(X, y)
    >>> display = TraceDisplay.from_trace(clf.trace_)
    >>> display.theta
    array([[ 0.,  0.],
           [ 2.,  0.],
           [ 2., -3.]])
    >>> display.frame()[["k", "row", "degrees", "undershot"]].round(1)
       k  row  degrees  undershot
    0  1    0      NaN      False
    1  2    1     56.3      False
    """

    points: Floats
    codes: Ints
    theta: Floats
    offset: Floats
    epoch: Ints
    row: Ints
    y: Ints
    position: Ints
    score_before: Floats
    score_after: Floats
    angle: Floats
    undershot: Bools
    classes: tuple[str, str]
    box: Floats
    units: Floats
    names: tuple[str, str]
    note: str | None = None

    @classmethod
    def from_trace(
        cls,
        trace: Trace,
        *,
        features: Sequence[Any] | None = None,
        feature_names: Sequence[str] | None = None,
        standardize: bool | str = "auto",
    ) -> TraceDisplay:
        """Compute the pictures of a run from its trace, which must carry its examples.

        Parameters
        ----------
        trace : Trace
            ``trace_`` of an estimator that was fitted with ``record_trace=True``.
        features : two numbers or names, optional
            The pair to look at, the others resting at their means. By default, of more than two,
            those with the largest weights in the end, measured in standard deviations.
        feature_names : sequence of str, optional
        standardize : bool or "auto", default="auto"
            As in :meth:`BoundaryDisplay.from_estimator`.
        """
        examples = _data.one_trace(trace).known_examples()
        used = examples.used
        X = _data.matrix(examples.X[used])
        if X.shape[1] < 2:
            raise ValueError(
                "A picture needs at least two features; the run had one. With an offset, "
                "ThetaSpaceDisplay shows its two weights."
            )
        names = list(feature_names) if feature_names is not None else _data.feature_names(X)
        if features is None:
            features = (0, 1)
            if X.shape[1] > 2:
                weight = np.abs(trace.final[0]) * scales(X, True)
                features = sorted(int(j) for j in np.argsort(-weight, kind="stable")[:2])
        view = pair_view(X, names, features, standardize)
        theta, offset, angle = _hypotheses(trace, view)
        points = view.points(X)
        position = np.searchsorted(used, trace.row)
        return cls(
            points=points, codes=(examples.side[used] > 0).astype(np.int64), theta=theta,
            offset=offset, epoch=trace.epoch, row=trace.row, y=trace.y, position=position,
            score_before=trace.score_before, score_after=trace.score_after, angle=angle,
            undershot=_still_mistaken(trace), classes=trace.classes,
            box=np.array(_plane.window(points, "auto" if trace.fit_intercept else True)),
            units=view.units, names=view.names, note=view.note,
        )  # fmt: skip

    @property
    def n_updates(self) -> int:
        """How many updates there are."""
        return len(self.row)

    def frame(self) -> Any:
        """One row per update: the example, its scores, the angle, the hypothesis it led to."""
        return frame_of(
            {
                "k": np.arange(1, self.n_updates + 1), "epoch": self.epoch, "row": self.row,
                "y": self.y, "score_before": self.score_before, "score_after": self.score_after,
                "degrees": np.degrees(self.angle), "undershot": self.undershot,
                "theta_1": self.theta[1:, 0], "theta_2": self.theta[1:, 1],
                "offset": self.offset[1:],
            }
        )  # fmt: skip

    def plot(
        self, ax: Any = None, *, k: int | None = None, theme: str | None = None
    ) -> TraceDisplay:
        """Draw one update: the boundary before and after it, and the example that caused it.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        k : int, optional
            The number of the update, from 1; 0 is the start. The last by default.
        theme : {"light", "dark"}, optional
        """
        k = self.n_updates if k is None else k
        if not 0 <= k <= self.n_updates:
            raise ValueError(f"There are updates 0 ... {self.n_updates}; {k} is not one of them.")
        stage = self._stage(canvas(ax, theme))
        vars(self).update(vars(_update.draw(stage, self, k)))
        stage.finish(self.caption(k))
        self.ax_, self.figure_ = stage.ax, stage.canvas.figure
        return self

    def plot_run(
        self, figure: Any = None, *, panels: int = 12, theme: str | None = None
    ) -> TraceDisplay:
        """Draw up to `panels` updates side by side, evenly chosen, the first and last included.

        Parameters
        ----------
        figure : matplotlib Figure or SubFigure, optional
        panels : int, default=12
        theme : {"light", "dark"}, optional
        """
        self.figure_, self.axes_ = draw_multiples(self, self._chosen(panels), figure, theme)
        self.ax_ = self.axes_[0]
        return self

    def animate(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float = 1.5,
        max_frames: int = 200,
        dpi: int = 150,
        theme: str | None = "light",
    ) -> None:
        """Write the run as an animation: .gif, .mp4 (needs the program ffmpeg) or .html.

        The page is self-contained: it can be played, stepped forward and back, without a network.

        Parameters
        ----------
        path : path
            Its suffix says what to write.
        fps : float, default=1.5
            Updates per second.
        max_frames : int, default=200
            Of a longer run, so many updates are shown, evenly chosen.
        dpi : int, default=150
        theme : {"light", "dark"}, default="light"
        """
        chosen = [0, *self._chosen(max(max_frames - 1, 1))]
        animate(self, chosen, path, fps=fps, dpi=dpi, theme=theme)

    def caption(self, k: int) -> str:
        """What update `k` did, in words."""
        return _update.caption(self, k)

    def _chosen(self, most: int) -> list[int]:
        if self.n_updates == 0:
            return [0]
        steps = np.linspace(1, self.n_updates, min(most, self.n_updates))
        return [int(k) for k in np.unique(np.rint(steps))]

    def _stage(self, on: Any, panel: int = 0, names: tuple[str, str] | None = None) -> Stage:
        names = self.names if names is None else names
        return Stage(on, _plane.Box(*self.box), units=self.units, names=names, panel=panel)


def _hypotheses(trace: Trace, view: View) -> tuple[Floats, Floats, Floats]:
    """All hypotheses as the view sees them, and the angles between them among all features."""
    thetas, offsets, angles = [], [], []
    before = None
    for _, theta, offset in trace.blocks():
        seen = view.line(theta, offset)
        thetas.append(seen[0])
        offsets.append(seen[1])
        wide = theta.astype(np.float64)
        joined = wide if before is None else np.vstack([before, wide])
        angles.append(_plane.angle_between(joined[:-1], joined[1:]))
        before = wide[-1]
    return np.concatenate(thetas), np.concatenate(offsets), np.concatenate(angles)


def _still_mistaken(trace: Trace) -> Bools:
    """Whether each update's example is a mistake after it, by the run's own rule."""
    agreement = trace.y * trace.score_after
    wrong: Bools = agreement <= trace.margin
    if trace.ties == "sign":
        wrong = (trace.score_after >= 0) != (trace.y > 0)
    elif trace.ties == "correct":
        # A rule that computes its step aims at the margin, and may miss it by its rounding.
        slack = 0.0 if trace.rule == "perceptron" else 1e-6
        wrong = agreement < trace.margin - slack
    return wrong
