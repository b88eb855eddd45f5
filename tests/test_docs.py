"""What the README and the pages in docs/ show is run, and what they point to is there."""

import ast
import doctest
import re
import runpy
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
GENERATED = ("_build", "_generated", "gallery", "api/generated", "api/backreferences")
SITE = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if not str(page.relative_to(DOCS)).startswith(GENERATED)
]
WITH_CODE = [page for page in (ROOT / "README.md", *SITE) if ">>> " in page.read_text()]
SHOWN = re.compile(r"^```\{(picture|replay)\} (\S+)$", re.MULTILINE)


def name_of(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_what_a_page_shows_is_true(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted == page.read_text().count(">>> ")
    assert result.failed == 0


def test_every_picture_and_replay_has_its_program_and_every_program_is_shown():
    shown = {
        DOCS / f"{kind}s" / f"{name}.py"
        for page in SITE
        for kind, name in SHOWN.findall(page.read_text())
    }
    assert shown == {*DOCS.glob("pictures/*.py"), *DOCS.glob("replays/*.py")}


@pytest.mark.parametrize("program", sorted(DOCS.glob("pictures/*.py")), ids=name_of)
def test_a_picture_is_drawn(program, monkeypatch):
    monkeypatch.setenv("MPLBACKEND", "Agg")
    import matplotlib.pyplot as plt

    with plt.rc_context(), warnings.catch_warnings():
        runpy.run_path(str(program))
        drawn = plt.gcf().axes
        plt.close("all")
    assert drawn


def test_the_links_into_the_playground_open_what_they_say(browser):
    """The page's own reader takes each of them, and writes it back as it was."""
    links = re.findall(r"http://127\.0\.0\.1:8362/(#[^)\s]+)", (DOCS / "teaching.md").read_text())
    assert len(links) > 10
    rooms = {
        "replay": ROOT / "src/novikoff/replay/static", "": ROOT / "src/novikoff/web/static",
    }  # fmt: skip

    def serve(route):
        path = route.request.url.partition("playground.test/")[2]
        room, _, name = path.rpartition("/")
        kind = "text/javascript" if name.endswith(".js") else "text/html"
        route.fulfill(body=(rooms[room] / name).read_text() if name else "", content_type=kind)

    with browser.new_context() as context:
        context.route("**/*", serve)
        page = context.new_page()
        page.goto("http://playground.test/")
        again = page.evaluate(
            """async (links) => {
              const { fromFragment, toFragment } = await import("/link.js");
              const algorithms = ["last", "averaged", "voted", "pocket", "margin", "kernel"];
              const known = { units: ["update"], notations: ["theta"], algorithms };
              return links.map((link) => {
                const found = fromFragment(link, known);
                return found && toFragment(found.document, found.view);
              });
            }""",
            links,
        )
    assert again == links


def test_every_public_name_is_in_the_reference():
    import novikoff
    from novikoff import displays, distributed, losses, streams

    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "api/index.md").read_text(), re.MULTILINE))
    modules = {"displays", "distributed", "losses", "streams"}
    public = set(novikoff.__all__) - modules
    for module in (displays, distributed, losses, streams):
        public |= set(module.__all__)
    assert public <= listed


def test_a_program_of_the_site_says_what_it_draws():
    """Its docstring is the title that a reader of the folder sees."""
    for program in (*DOCS.glob("pictures/*.py"), *DOCS.glob("replays/*.py")):
        assert ast.get_docstring(ast.parse(program.read_text())), program.name
