"""`novikoff play` as a program: what it opens with, where it listens, what it writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request

import pytest

from novikoff.cli.play import _beginning
from novikoff.web.server import listen
from tests.cli.helpers import COMMAND, inside

PLANTS = "height,weight,kind\n1,2,a\n2,1,b\n3,3,a\n"


@pytest.fixture
def plants(tmp_path):
    file = tmp_path / "plants.csv"
    file.write_text(PLANTS)
    return file


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_it_starts_says_where_and_ends_with_control_c(plants):
    process = subprocess.Popen(
        [*COMMAND, "play", "--no-browser", "--port", "0", str(plants)], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        url = line.partition(" at ")[2].split()[0]
        assert url.startswith("http://127.0.0.1:")
        assert "/#v=1&p=3.0." in url  # the points are in the link
        address = url.partition("#")[0]
        with urllib.request.urlopen(address, timeout=120) as answer:
            assert b"the perceptron playground" in answer.read()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert "height and weight; kind is the target, b against a." in errors
    assert errors.endswith("\nThe playground is closed.\n")
    assert "Traceback" not in errors
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=20)


def played(*arguments, code=0):
    """What it says where it does not stay."""
    return inside("play", "--no-browser", *arguments, code=code).stderr


def test_a_port_in_use_is_said():
    with listen(0) as taken:
        errors = played("--port", taken.server_port, code=2)
    assert "is in use" in errors
    assert "--port" in errors


def test_a_file_that_cannot_be_opened_ends_the_command(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("a,b\nx,y\nz,w\n")
    errors = played("--port", 0, file, code=2)
    assert "two columns of numbers" in errors


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"format": "other", "version": 1}', "not a state"),
        ("{", "not a saved state"),
        (None, "no such file"),
    ],
)
def test_what_cannot_be_opened_is_said(tmp_path, content, said):
    file = tmp_path / "state.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises((ValueError, OSError), match=said):
        _beginning(str(file))


def test_a_link_opens_with_its_fragment():
    assert _beginning("http://127.0.0.1:8362/#1.abc") == ("#1.abc", None)
    assert _beginning("file:///home/anna/playground.html#1.abc") == ("#1.abc", None)
    assert _beginning(None) == ("", None)
    with pytest.raises(ValueError, match="nothing after"):
        _beginning("http://127.0.0.1:8362/")


def test_a_saved_state_is_handed_to_the_page(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text('{"format": "novikoff.play", "version": 1, "points": []}')
    _, state = _beginning(str(file))
    assert state["points"] == []


def test_what_no_link_holds_is_in_the_page(tmp_path):
    file = tmp_path / "thirds.csv"
    file.write_text("x,z,k\n" + "".join(f"{i / 3},{i},{i % 2}\n" for i in range(9)))
    fragment, state = _beginning(str(file))
    assert fragment == ""
    assert state["document"]["points"][1] == {"x": 1 / 3, "y": 1.0, "label": 1}


def block_of(text):
    return json.loads(text.partition(' id="start">')[2].partition("</script>")[0])


def test_the_page_as_a_file_has_the_points_in_it(plants, tmp_path):
    assert "written to" in played("--export", tmp_path / "playground.html", plants)
    state = block_of((tmp_path / "playground.html").read_text("utf-8"))
    assert [point["label"] for point in state["document"]["points"]] == [-1, 1, -1]


def test_the_page_as_a_folder(tmp_path):
    played("--export", tmp_path / "course" / "page", "#v=1&p=2.0.0.1.0.1.v&t=0")
    folder = tmp_path / "course" / "page"
    assert block_of((folder / "index.html").read_text("utf-8")) == {
        "link": "#v=1&p=2.0.0.1.0.1.v&t=0"
    }
    for name in ("icon.svg", "service.js", "play.webmanifest"):
        assert (folder / name).is_file()
