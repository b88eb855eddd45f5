"""The page in a real browser: nothing from outside, nothing that harms, readable by all."""

import re
from importlib.resources import files
from itertools import pairwise

import pytest

from novikoff.analysis.regression import Wanted
from tests.reports.conftest import COLUMN, LABEL

MOST_BYTES = 3_000_000


@pytest.fixture(params=[pytest.param("iris", marks=pytest.mark.thorough), "hostile"])
def report(request, made, hostile_csv):
    data = {"iris": "iris", "hostile": str(hostile_csv)}[request.param]
    return made(request.param, data)[0]


def test_it_opens_from_disk_without_errors_or_requests(report, seen):
    found = seen(report)
    assert found["errors"] == []
    assert found["outside"] == []


def test_it_is_small(report):
    assert report.stat().st_size < MOST_BYTES


def test_it_fits_a_screen_a_telephone_and_paper(report, seen):
    found = seen(report)
    for available, needed in found["widths"].items():
        assert needed <= available
    assert found["pdf"] > 10_000


def test_headings_are_in_order_and_every_picture_has_a_text(report, seen):
    found = seen(report)
    levels = found["headings"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert found["unnamed"] == []


def test_dark_ground_shows_the_dark_pictures_only(report, seen):
    for scheme, shown in seen(report)["pictures"].items():
        assert shown
        assert {kind for kind, display in shown if display != "none"} == {scheme}


def test_the_replay_steps(report, seen):
    assert seen(report)["step"].startswith("update 1 of ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(scheme):
    css = (files("novikoff.reports") / "templates" / "report.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", css.split("@media")[scheme == "dark"]))
    for text in ("ink", "muted", "link"):
        for ground in ("ground", "raised", "warn-ground"):
            assert _contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for mark in ("accent", "minus", "grey"):
        assert _contrast(colours[mark], colours["ground"]) >= 3, mark


def _contrast(one, other):
    """The ratio of WCAG 2.1."""
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_page_about_a_regression(made, seen, tmp_path):
    pytest.importorskip("formulaic")
    path, quoted = tmp_path / "counts.csv", LABEL.replace('"', '""')
    rows = [f'{k % 3},{k},"{quoted if k % 4 else "!"}"' for k in range(24)]
    path.write_text("count,size,kind\n" + "\n".join(rows) + "\n")
    wanted = Wanted(family="poisson")
    found = seen(made("regression", str(path), wanted=wanted, options={"target": "count"})[0])
    assert found["errors"] == found["outside"] == []
    assert found["headings"] == [1, 2]
    assert all(needed <= available for available, needed in found["widths"].items())
    assert f"kind[T.{LABEL}]" in found["text"]


def test_hostile_names_stay_text(made, hostile_csv, seen):
    file, _ = made("hostile", str(hostile_csv))
    found = seen(file)
    assert COLUMN in found["text"]
    assert LABEL in found["text"]
    assert set(found["scripts"]) <= {"module", "application/json"}
