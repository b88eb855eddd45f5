"""Many updates of a run: side by side, or one after the other as GIF, MP4, or a page by itself."""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.displays import _plane, _update
from novikoff.displays._matplotlib import WIDTH, Canvas, entry, pyplot, theme_for
from novikoff.displays._points import class_entries, ring_entry, signed
from novikoff.persistence.disk import replace_text, replacing

if TYPE_CHECKING:
    import os

    from novikoff.displays.trace import TraceDisplay


_COLUMNS = 3


def draw_multiples(
    display: TraceDisplay, chosen: list[int], figure: Any, theme: str | None
) -> tuple[Any, list[Any]]:
    """A panel per chosen update; returns the figure and its axes."""
    own = figure is None
    box = _plane.Box(*display.box)
    columns = 2 if len(chosen) == 4 else min(_COLUMNS, len(chosen))
    rows = -(-len(chosen) // columns)
    if own:
        panel = WIDTH / columns
        height = rows * (panel * box.size[1] / box.size[0] + 0.17) + 0.5
        figure = pyplot().figure(figsize=(WIDTH, height), layout="compressed")
    colours = theme_for(theme, figure.get_facecolor())
    if own:
        figure.set_facecolor(colours.background)
        figure.get_layout_engine().set(w_pad=0.02, h_pad=0.02, wspace=0.01, hspace=0.01)
    grid = list(figure.subplots(rows, columns, squeeze=False).flat)
    axes, unused = grid[: len(chosen)], grid[len(chosen) :]
    for ax in unused:
        ax.remove()
    on = Canvas(figure, axes, colours, own)
    for i, (ax, k) in enumerate(zip(axes, chosen, strict=True)):
        stage = display._stage(on, i, names=("", ""))
        ax.set(xticks=[], yticks=[])
        _update.draw(stage, display, k, small=True)
        ax.set_title(
            short_caption(display, k), fontsize=on.size - 1.5, color=colours.ink, pad=2, loc="left"
        )
    _shared_legend(display, on)
    return figure, axes


def short_caption(display: TraceDisplay, k: int) -> str:
    """What update `k` did, in a few characters."""
    if k == 0:
        return "start"
    angle = display.angle[k - 1]
    turn = f", {np.degrees(angle):.0f}°" if np.isfinite(angle) else ""
    return f"{k}: row {display.row[k - 1]}{turn}" + " ↓" * bool(display.undershot[k - 1])


def _shared_legend(display: TraceDisplay, on: Canvas) -> None:
    theme = on.theme
    entries = [
        *class_entries(theme, signed(display.classes)),
        ring_entry(theme, "the example"),
        entry("before", color=theme.muted, linewidth=1.0, linestyle=(0, (4, 2))),
        entry("after", color=theme.ink, linewidth=1.2),
    ]
    if display.undershot.any():
        entries.append(entry("↓ undershot", linestyle="none"))
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
    """Write the chosen updates as what the suffix of `path` asks for, each on a fresh figure."""
    pyplot()  # says what to install
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    path = Path(path)
    colours = theme_for(theme, "white")
    writers = {".gif": _write_gif, ".mp4": _write_mp4, ".html": _write_html}
    if path.suffix.lower() not in writers:
        raise ValueError(
            f"An animation is written as .gif, .mp4 or .html; {path.name!r} ends in "
            f"{path.suffix!r}."
        )
    if not fps > 0:
        raise ValueError(f"fps must be above 0; it is {fps}.")
    box = _plane.Box(*display.box)
    # The same place for the axes in every frame, whatever is written around them.
    left, right, below, above = 0.5, 0.1, 1.1, 0.62
    across = WIDTH - left - right
    height = below + across * box.size[1] / box.size[0] + above
    place = (left / WIDTH, below / height, across / WIDTH, 1 - (below + above) / height)

    def image(k: int) -> Any:
        figure = Figure(figsize=(WIDTH, height), dpi=dpi, facecolor=colours.background)
        canvas = FigureCanvasAgg(figure)
        stage = display._stage(Canvas(figure, [figure.add_axes(place)], colours, True))
        _update.draw(stage, display, k)
        stage.finish(display.caption(k), fit=False)
        canvas.draw()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB")

    # In words, for whoever cannot see the pictures.
    titles = [display.caption(k).replace("\n", "; ") for k in chosen]
    writers[path.suffix.lower()](path, map(image, chosen), fps, titles)


def _write_gif(path: Path, images: Iterable[Any], fps: float, titles: list[str]) -> None:
    # One palette per frame, and no dithering: flat colours stay flat and the file small.
    small = [image.quantize(colors=128, dither=0) for image in images]
    pause = [round(1000 / fps)] * len(small)
    pause[-1] = max(pause[-1], 2000)  # the result stays a while
    with replacing(path) as file:
        small[0].save(
            file, "gif", save_all=True, append_images=small[1:], duration=pause, loop=0,
            optimize=True,
        )  # fmt: skip


def _write_mp4(path: Path, images: Iterable[Any], fps: float, titles: list[str]) -> None:
    import shutil
    import subprocess

    import matplotlib as mpl

    program = shutil.which(str(mpl.rcParams["animation.ffmpeg_path"]))
    if program is None:
        raise RuntimeError(
            "Writing .mp4 needs the program ffmpeg, which was not found (or set matplotlib's "
            'rcParams["animation.ffmpeg_path"]). Write .gif or .html instead.'
        )
    command = [
        program, "-y", "-loglevel", "error", "-f", "image2pipe", "-framerate", str(fps),
        "-c:v", "png", "-i", "-",
        # What every player can show: even sizes, and colours at half the resolution.
        "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
        "-f", "mp4",
    ]  # fmt: skip
    pictures = b"".join(_png(image) for image in images)
    with replacing(path) as file:
        command.append(file.name if isinstance(file.name, str) else str(path))  # a pipe has none
        done = subprocess.run(command, input=pictures, capture_output=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"ffmpeg could not write {path}: {done.stderr.decode().strip()}")


def _write_html(path: Path, images: Iterable[Any], fps: float, titles: list[str]) -> None:
    pictures = ["data:image/png;base64," + base64.b64encode(_png(i)).decode() for i in images]
    # "<" inside a script could end it early, whatever the quotes say.
    data = json.dumps({"frames": pictures, "titles": titles, "fps": fps}).replace("<", "\\u003c")
    page = (files("novikoff.displays") / "animation.html").read_text(encoding="utf-8")
    page = page.replace("@LAST@", str(len(pictures) - 1)).replace("@FIRST@", pictures[0])
    page = page.replace("@TITLE@", html.escape(titles[0]))
    replace_text(path, page.replace("@DATA@", data))


def _png(image: Any) -> bytes:
    stream = io.BytesIO()
    image.quantize(colors=128, dither=0).save(stream, "png", optimize=True)
    return stream.getvalue()
