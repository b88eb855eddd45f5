"""The directives ``picture`` and ``replay``: what they show is made by the build.

``docs/pictures/NAME.py`` is a short program that draws one figure with matplotlib. The build runs
it once on light and once on dark ground; a page shows the one that fits, with the program below.
``docs/replays/NAME.py`` is a program that leaves a `trace` behind, and a `title`; the build puts
its replay into the page, and writes a page of its own for it, to hand out.

Both are made again when the program, a file of numbers of its name, the history of the benchmarks
or anything in the library is newer than what it made.
"""

from __future__ import annotations

import re
import runpy
import warnings
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parents[1]
LIBRARY = DOCS.parent / "src" / "novikoff"
HISTORY = DOCS.parent / "benchmarks" / "history"
DRAWN = DOCS / "_generated" / "pictures"
REPLAYS = DOCS / "_generated" / "extra" / "replays"  # copied to the site as it is
FRAGMENTS = DOCS / "_generated" / "replays"

STYLES = {"light": "default", "dark": "dark_background"}


class Picture(SphinxDirective):
    """``{picture} NAME``; the option `alt` is required, `wide` uses the whole column.

    The content is the caption.
    """

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "alt": directives.unchanged_required,
        "wide": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        program = _program(self, "pictures")
        if "alt" not in self.options:
            raise self.error("a picture needs :alt:, a sentence for those who cannot see it")
        figure = nodes.figure(classes=["picture", *(["wide"] if "wide" in self.options else [])])
        for theme in STYLES:
            figure += nodes.image(
                uri=f"/_generated/pictures/{program.stem}-{theme}.svg",
                alt=self.options["alt"],
                classes=[f"only-{theme}", "dark-light"],  # no white ground behind the dark one
            )
        if self.content:
            caption = nodes.caption("", "", *self.parse_inline(" ".join(self.content))[0])
            figure += caption
        return [figure, *_folded(program)]


class Replay(SphinxDirective):
    """``{replay} NAME``: the replay, within the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        program = _program(self, "replays")
        parts = ["markup"]
        if not self.env.temp_data.get("replay"):  # the first one brings what all need
            self.env.temp_data["replay"] = True
            parts = ["style", "markup", "script"]
        html = [(FRAGMENTS / f"{program.stem}.{part}.html").read_text() for part in parts]
        alone = "../" * self.env.docname.count("/") + f"replays/{program.stem}.html"
        html.append(f'<p class="alone"><a href="{alone}">On a page of its own</a></p>')
        return [nodes.raw("", "".join(html), format="html"), *_folded(program)]


def _program(directive: SphinxDirective, folder: str) -> Path:
    program = DOCS / folder / f"{directive.arguments[0]}.py"
    if not program.exists():
        raise directive.error(f"there is no docs/{folder}/{program.name}")
    directive.env.note_dependency(str(program))
    return program


def _folded(program: Path) -> list[nodes.Node]:
    """The program, folded away."""
    opening = '<details class="program"><summary>The program that makes it</summary>'
    code = program.read_text()
    return [
        nodes.raw("", opening, format="html"),
        nodes.literal_block(code, code, language="python"),
        nodes.raw("", "</details>", format="html"),
    ]


def draw(program: Path, theme: str, path: Path) -> None:
    """Run a program, and store the figure that is current at its end."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    # Letters as shapes, since fonts differ; the salt makes two builds write the same bytes.
    style = [STYLES[theme], {"svg.fonttype": "path", "svg.hashsalt": program.stem}]
    with plt.style.context(style), warnings.catch_warnings():
        runpy.run_path(str(program))
        plt.gcf().savefig(path, bbox_inches="tight", facecolor="none", metadata={"Date": None})
        plt.close("all")


def record(program: Path, path: Path) -> None:
    """Run a program that leaves a `trace` and a `title`; write its page, and the parts of ours."""
    from novikoff.replay import fragment, page

    with warnings.catch_warnings():
        made = runpy.run_path(str(program))
    trace = made["trace"]
    bound = trace.audit().bound
    path.write_text(page(trace, made["title"], bound=bound, autoplay=False))
    part = fragment(trace, f"replay-{program.stem}", bound=bound)
    for name, text in (
        ("style", f"<style>{themed(part.style)}</style>"),
        ("markup", part.markup),
        ("script", f'<script type="module">{part.script}</script>'),
    ):
        (FRAGMENTS / f"{program.stem}.{name}.html").write_text(text)


def themed(style: str) -> str:
    """The replay's style with its dark colours under the site's switch, not the system's."""
    media = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?\n)\}", re.DOTALL)
    changed, n = media.subn(lambda dark: 'html[data-theme="dark"] ' + dark[1].strip(), style)
    assert n == 1, "the replay's style has another form than this expects"
    return changed


def make_all(_: Sphinx) -> None:
    """Make what is missing or older than what it is made from."""
    for folder in (DRAWN, REPLAYS, FRAGMENTS):
        folder.mkdir(parents=True, exist_ok=True)
    sources = [path for path in LIBRARY.rglob("*.*") if "__pycache__" not in path.parts]
    changed = max(path.stat().st_mtime for path in (*sources, *HISTORY.iterdir()))

    def is_old(path: Path, program: Path) -> bool:
        own = [file.stat().st_mtime for file in program.parent.glob(f"{program.stem}.*")]
        return not path.exists() or path.stat().st_mtime < max(changed, *own)

    for program in sorted((DOCS / "pictures").glob("*.py")):
        for theme in STYLES:
            path = DRAWN / f"{program.stem}-{theme}.svg"
            if is_old(path, program):
                draw(program, theme, path)
    for program in sorted((DOCS / "replays").glob("*.py")):
        path = REPLAYS / f"{program.stem}.html"
        if is_old(path, program):
            record(program, path)


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("picture", Picture)
    app.add_directive("replay", Replay)
    app.connect("builder-inited", make_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
