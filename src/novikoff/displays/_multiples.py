"""Many updates of a run: side by side, or one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.displays import _plane, _update
from novikoff.displays._animation import write_animation
from novikoff.displays._matplotlib import TYPE_SIZE, WIDTH, Canvas, plain, pyplot
from novikoff.displays._points import class_entry, ring_entry
from novikoff.displays._theme import theme_for

if TYPE_CHECKING:
    import os

    from novikoff.displays.trace import TraceDisplay

_COLUMNS = 3


def draw_multiples(
    display: TraceDisplay, chosen: list[int], figure: Any, theme: str | None
) -> tuple[Any, list[Any]]:
    """A panel per chosen update; returns the figure and its axes."""
    plt = pyplot()
    own = figure is None
    box = _plane.Box(*display.box)
    columns = 2 if len(chosen) == 4 else min(_COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    if own:
        panel = WIDTH / columns
        height = rows * (panel * box.size[1] / box.size[0] + 0.17) + 0.5
        figure = plt.figure(figsize=(WIDTH, height), layout="compressed")
    colours = theme_for(theme, figure.get_facecolor())
    if own:
        figure.set_facecolor(colours.background)
        figure.get_layout_engine().set(w_pad=0.02, h_pad=0.02, wspace=0.01, hspace=0.01)
    grid = figure.subplots(rows, columns, squeeze=False)
    axes = list(grid.flat)
    on = Canvas(figure, axes, colours, own, TYPE_SIZE if own else 0.8 * plt.rcParams["font.size"])
    for i, k in enumerate(chosen):
        on.dress(axes[i])
        stage = display._stage(on, i, names=("", ""))
        axes[i].set_xticks([])
        axes[i].set_yticks([])
        _update.draw(stage, display, k, legend=False)
        axes[i].set_title(
            short_caption(display, k), fontsize=on.size - 1.5, color=colours.ink, pad=2, loc="left"
        )
    for unused in axes[len(chosen) :]:
        unused.remove()
    _shared_legend(display, on)
    return figure, axes[: len(chosen)]


def short_caption(display: TraceDisplay, k: int) -> str:
    """What update `k` did, in a few characters."""
    if k == 0:
        return "start"
    angle = display.angle[k - 1]
    turn = f", {np.degrees(angle):.0f}°" if np.isfinite(angle) else ""
    return f"{k}: row {display.row[k - 1]}{turn}" + " ↓" * bool(display.undershot[k - 1])


def _shared_legend(display: TraceDisplay, on: Canvas) -> None:
    from matplotlib.lines import Line2D

    theme = on.theme
    entries = [
        class_entry(theme, 0, plain(f"{display.classes[0]} (−)")),
        class_entry(theme, 1, plain(f"{display.classes[1]} (+)")),
        ring_entry(theme, "the example"),
        (Line2D([], [], color=theme.muted, linewidth=1.0, linestyle=(0, (4, 2))), "before"),
        (Line2D([], [], color=theme.ink, linewidth=1.2), "after"),
    ]
    if display.undershot.any():
        entries.append((Line2D([], [], linestyle="none"), "↓ undershot"))
    on.figure.legend(
        [handle for handle, _ in entries], [label for _, label in entries],
        loc="outside lower center", ncols=3, frameon=False, fontsize=on.size - 0.5,
        labelcolor=theme.ink, handlelength=1.6, columnspacing=1.2, labelspacing=0.35,
    )  # fmt: skip


def animate(
    display: TraceDisplay,
    chosen: list[int],
    path: str | os.PathLike[str],
    *,
    fps: float,
    dpi: int,
    theme: str | None,
) -> None:
    """Write the chosen updates as an animation."""
    pyplot()  # says what to install
    colours = theme_for(theme, "white")
    box = _plane.Box(*display.box)
    # The same place for the axes in every frame, whatever is written around them.
    left, right, below, above = 0.5, 0.1, 1.1, 0.62
    across = WIDTH - left - right
    height = below + across * box.size[1] / box.size[0] + above

    def frame(k: int) -> Callable[[Any], None]:
        def paint(figure: Any) -> None:
            place = (left / WIDTH, below / height, across / WIDTH, 1 - (below + above) / height)
            on = Canvas(figure, [figure.add_axes(place)], colours, True, TYPE_SIZE)
            on.dress(on.ax)
            stage = display._stage(on)
            drawn = _update.draw(stage, display, k, legend=True)
            on.legend(on.ax, stage.entries)
            on.caption(on.ax, display.caption(k))
            _update.write(stage, drawn)

        return paint

    write_animation(
        path, [frame(k) for k in chosen], size=(WIDTH, height), background=colours.background,
        fps=fps, dpi=dpi, titles=[display.caption(k).replace("\n", "; ") for k in chosen],
    )  # fmt: skip
