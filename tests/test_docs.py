"""What the README and the pages in docs/ show is run, and what they point to is there."""

import ast
import csv
import doctest
import json
import re
import runpy
import shutil
import subprocess
import warnings
from html import unescape
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from novikoff import OnlineClassifier, rules
from novikoff.training.capabilities import LIMITS, SOURCES, limit
from novikoff.training.keepers import KEEPERS
from tests.cli.helpers import inside

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


@pytest.mark.every_case
@pytest.mark.parametrize("page", WITH_CODE, ids=name_of)
def test_what_a_page_shows_is_true(page):
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted == page.read_text().count(">>> ")
    assert result.failed == 0


@pytest.fixture
def homework(tmp_path, monkeypatch):
    """A folder with the points that the pages speak of, and a table with one wrong number."""
    points = re.search(r"```text\n(x1,.*?)```", (DOCS / "start/student.md").read_text(), re.DOTALL)
    (tmp_path / "points.csv").write_text(points[1])
    (tmp_path / "mine.csv").write_text("k,theta_1,theta_2\n1,2,1\n2,3,1\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("page", ["start/student.md", "command-line.md"])
@pytest.mark.parametrize(("check", "code"), [((), 0), (("--check", "mine.csv"), 1)])
def test_what_a_page_shows_of_a_trace_is_what_is_printed(page, check, code, homework):
    command = " ".join(["novikoff", "trace", "points.csv", *check])
    printed = inside("trace", "points.csv", *check, code=code).stdout
    lines = [line.rstrip() for line in printed.strip().splitlines()]
    assert f"$ {command}\n" + "\n".join(lines) + "\n```" in (DOCS / page).read_text()


def test_the_page_of_rules_says_what_goes_with_what():
    """Which rule and which scheme makes no difference to where a run can learn from."""
    page = (DOCS / "guide/rules.md").read_text()
    all_rules = [getattr(rules, name)() for name in rules.__all__ if name != "Rule"]
    for keep in KEEPERS:
        able = {
            tuple(
                limit(OnlineClassifier(rule, keep=keep, multi_class=scheme).describe(), source)
                is None
                for source in SOURCES
            )
            for rule in all_rules
            for scheme in ("ovr", "ovo", "joint")
        }
        (row,) = able - {(False,) * len(SOURCES)}  # joint classes, and a rule that has none
        cells = " | ".join("yes" if works else "no" for works in row)
        assert f'\n| `"{keep}"` | {cells} |\n' in page
    assert f"| what is kept | {' | '.join(SOURCES.values())} |\n" in page
    reasons = [f"- {each.message.spelled('`{}`'.format)}" for each in LIMITS]
    assert [line for line in page.splitlines() if line.startswith("- ")] == reasons


def test_the_readme_claims_the_speed_that_the_page_of_benchmarks_has():
    table = (ROOT / "README.md").read_text().partition("times as fast |")[2].partition("\n\n")[0]
    cells = [line.strip("| ").rpartition("|")[2] for line in table.splitlines()]
    claimed = {number for cell in cells for number in cell.split() if number[0].isdigit()}
    assert claimed
    assert claimed <= set((DOCS / "benchmarks.md").read_text().split())


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")), ids=name_of)
def test_what_a_page_beside_the_site_points_to_is_there(page):
    """The site's own links are checked by its build."""
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    ours = [link for link in links if not link.startswith(("https:", "../../actions/"))]
    assert [link for link in ours if not (ROOT / link).exists()] == []


def test_the_teachers_page_links_every_chapter_of_the_guide():
    chapters = {page.name for page in DOCS.glob("guide/*.md")} - {"index.md"}
    linked = set(re.findall(r"\(guide/(\S+?)\)", (DOCS / "teaching.md").read_text()))
    assert chapters <= linked


def test_every_listing_of_the_notes_can_be_called():
    import novikoff

    page = (DOCS / "conventions.md").read_text().partition("## From a listing to a call")[2]
    calls = re.findall(r"`((?:Averaged|Voted)?Perceptron\(.*?\))`", page)
    assert len(calls) == 8
    X, y = [[2, 1], [1, -1], [-1, 2], [-2, -1]], [1, 1, -1, -1]
    names = {"novikoff": novikoff, "T": 9, "MaxIter": 9, "β": 0.5}
    for call in calls:
        assert eval(f"novikoff.{call}", names).fit(X, y, coef_init=[-1, 2]).score(X, y) == 1


def test_vowpal_wabbit_can_be_told_to_make_the_same_run():
    """Its page says so, and how nearly."""
    vowpalwabbit = pytest.importorskip("vowpalwabbit")
    from sklearn.preprocessing import scale

    from novikoff import Perceptron

    text = (files("novikoff") / "data" / "sonar.csv").read_text().split()
    X = scale(np.array([row[:-1] for row in csv.reader(text)], float))
    y = np.array([1 if row[-1] == "R" else -1 for row in csv.reader(text)])
    theirs = vowpalwabbit.Workspace("--sgd --loss_function hinge -l 1 --power_t 0 --quiet")
    for row, label in zip(X.tolist(), y, strict=True):
        features = " ".join(f"{j}:{value!r}" for j, value in enumerate(row, 1))
        theirs.learn(f"{label} | {features}")
    ours = Perceptron(margin=1.0, ties="correct", order="cyclic", max_iter=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # one epoch does not separate them
        ours.fit(X, y)
    assert ours.n_updates_.tolist() == [38]
    weights = [theirs.get_weight(j) for j in range(1, 61)]
    assert np.abs(ours.coef_[0] - weights).max() <= 4e-6


def test_options_that_commands_share_are_described_once(monkeypatch):
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(DOCS / "_extensions")
    import commands
    import typer

    from novikoff.cli.app import app

    group = typer.main.get_command(app)
    shared = {}
    sections = [commands._section(name, group.commands[name], shared) for name in ("fit", "trace")]
    assert list(shared) == ["How a table is read"]
    described = shared["How a table is read"]
    assert "--no-scale" in described  # of fit alone
    for section in sections:
        assert "--target" in section.astext()
        assert not any(said in section.astext() for said in described.values())


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


def test_the_links_into_the_playground_open_what_they_say(tmp_path):
    """The page's own reader takes each of them, and writes it back as it was."""
    from novikoff.web.site import modules

    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node on PATH; none was found")
    text = (DOCS / "teaching.md").read_text()
    links = [
        unescape(link) for link in re.findall(r'<a href="playground/index\.html(#[^"]+)"', text)
    ]
    assert len(links) > 10
    for name, content in modules().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    program = """
      import { fromFragment, toFragment } from "./link.js";
      const algorithms = ["last", "averaged", "voted", "pocket", "margin", "kernel"];
      const known = { units: ["update"], notations: ["theta"], algorithms };
      const links = JSON.parse(process.argv[1]);
      process.stdout.write(JSON.stringify(links.map((link) => {
        const found = fromFragment(link, known);
        return found && toFragment(found.document, found.view);
      })));
    """
    (tmp_path / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(
        [node, "--input-type=module", "-e", program, json.dumps(links)],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == links


def test_every_public_name_is_in_the_reference():
    import novikoff
    from novikoff import displays, distributed, losses, rules, streams, teaching

    listed = set(re.findall(r"^   ([\w.]+)$", (DOCS / "api/index.md").read_text(), re.MULTILINE))
    modules = {"displays", "distributed", "losses", "rules", "streams", "teaching"}
    public = set(novikoff.__all__) - modules
    for module in (displays, distributed, losses, rules, streams, teaching):
        public |= set(module.__all__)
    assert public <= listed


def test_a_program_of_the_site_says_what_it_draws():
    """Its docstring is the title that a reader of the folder sees."""
    for program in (*DOCS.glob("pictures/*.py"), *DOCS.glob("replays/*.py")):
        assert ast.get_docstring(ast.parse(program.read_text())), program.name
