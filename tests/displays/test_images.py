"""Pictures look as they did when somebody last looked at them."""

import numpy as np
import pytest
from PIL import Image

from tests.displays.images import BARE, BASELINE, PICTURES, bare, difference, minor_version, pixels

TOLERANCE = 1.5  # of 255; the least conspicuous artist left out makes 2.8
MADE_WITH = (BASELINE / "matplotlib.txt").read_text().strip()

ARTISTS = [
    *(("boundary_12", a) for a in ("theta_", "rings_", "band_", "boundary_", "origin_line_")),
    *(("boundary_12", a) for a in ("offset_mark_", "points_", "half_spaces_")),
    *(("trace_update", a) for a in ("arc_", "step_", "before_", "ring_")),
    *(("bound", a) for a in ("floor_", "meeting_", "lower_line_")),
    *(("theta_space", a) for a in ("circle_", "star_", "path_")),
]


def stored(path):
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_without_its_text_looks_as_it_did(name):
    drawn = pixels(bare(PICTURES[name]().figure_))
    assert difference(stored(BARE / f"{name}.png"), drawn) < TOLERANCE


@pytest.mark.skipif(
    minor_version() != MADE_WITH,
    reason=f"whole pictures are stored as matplotlib {MADE_WITH} sets text",
)
@pytest.mark.parametrize("name", PICTURES)
def test_a_whole_picture_looks_as_it_did(name):
    drawn = pixels(PICTURES[name]().figure_)
    assert difference(stored(BASELINE / f"{name}.png"), drawn) < TOLERANCE


def test_every_stored_picture_is_compared():
    for folder in (BASELINE, BARE):
        assert {path.stem for path in folder.glob("*.png")} == set(PICTURES)


@pytest.mark.parametrize(("name", "artist"), ARTISTS)
def test_the_comparison_notices_what_is_missing(name, artist):
    display = PICTURES[name]()
    missing = getattr(display, artist)
    for each in missing if isinstance(missing, list) else [missing]:
        each.remove()
    assert difference(stored(BARE / f"{name}.png"), pixels(bare(display.figure_))) > TOLERANCE
