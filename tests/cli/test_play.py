"""`novikoff play` as a program: what it opens with, where it listens, how it ends."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time

import pytest

pytest.importorskip("fastapi")

import httpx

from novikoff.cli.play import _beginning
from novikoff.web.presets import preset
from novikoff.web.server import listen
from tests.cli.helpers import COMMAND

TASK = {"points": [point.model_dump() for point in preset("default").points]}


def started(*arguments):
    command = [*COMMAND, "play", "--no-browser", *map(str, arguments)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_it_starts_says_where_and_ends_with_control_c(tmp_path):
    file = tmp_path / "plants.csv"
    file.write_text("height,weight,kind\n1,2,a\n2,1,b\n3,3,a\n")
    process = started("--port", 0, file)
    try:
        line = process.stdout.readline()
        url = line.partition(" at ")[2].split()[0]
        assert url.startswith("http://127.0.0.1:")
        found = httpx.get(f"{url}api/start", timeout=120).json()
        assert [point["label"] for point in found["points"]] == [-1, 1, -1]
        assert found["axes"] == ["height", "weight"]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert errors.endswith("\nThe playground is closed.\n")
    assert "Traceback" not in errors
    with pytest.raises(httpx.ConnectError):
        httpx.get(url)


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is sent otherwise there")
def test_it_ends_at_once_even_while_a_question_waits():
    process = started("--port", 0)
    try:
        url = process.stdout.readline().partition(" at ")[2].split()[0]
        asked = threading.Thread(target=ask_and_ignore, args=(url,), daemon=True)
        asked.start()
        time.sleep(0.5)  # no worker is ready that soon
        process.send_signal(signal.SIGINT)
        begun = time.monotonic()
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        process.communicate()
    assert errors == "The playground is closed.\n"
    assert time.monotonic() - begun < 30  # well before the question would be given up
    asked.join(10)


def ask_and_ignore(url):
    with contextlib.suppress(httpx.HTTPError):
        httpx.post(f"{url}api/run", json=TASK, timeout=120)


def test_a_port_in_use_is_said():
    with listen(0) as taken:
        process = started("--port", taken.getsockname()[1])
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "is in use" in errors
    assert "--port" in errors


def test_a_file_that_cannot_be_opened_ends_the_command(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("a,b\nx,y\nz,w\n")
    process = started("--port", 0, file)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
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
    assert _beginning(None) == ("", None)
    with pytest.raises(ValueError, match="nothing after"):
        _beginning("http://127.0.0.1:8362/")


def test_a_saved_state_is_handed_to_the_page(tmp_path):
    file = tmp_path / "mine.json"
    file.write_text('{"format": "novikoff.play", "version": 1, "points": []}')
    _, start = _beginning(str(file))
    assert start.state["points"] == []
