"""Reports made once, and a browser to look at them."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from novikoff.reports.make import make
from novikoff.streams.tables.options import TableOptions

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
COLUMN, LABEL = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>'


@pytest.fixture
def look():
    """look(file, width=..., color_scheme=..., script=...) -> what a browser found on the page."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"browser tests need one of {', '.join(BROWSERS)} on PATH; none was found")

    def open_page(file, **options):
        command = [sys.executable, Path(__file__).with_name("browser.py"), path, file]
        done = subprocess.run(
            [*map(str, command), json.dumps(options)], capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return open_page


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """made(name, data, ...) -> (the file, what is on it); each made once."""
    folder, known = tmp_path_factory.mktemp("reports"), {}

    def get(name, data, **settings):
        if name not in known:
            options = TableOptions(**settings.pop("options", {}))
            done = make(data, options=options, **settings)
            file = folder / f"{name}.html"
            file.write_text(done.html, encoding="utf-8")
            known[name] = file, done
        return known[name]

    return get


@pytest.fixture(scope="session")
def hostile_csv(tmp_path_factory):
    """Names and labels that would do harm as markup."""
    path = tmp_path_factory.mktemp("hostile") / "hostile.csv"
    quoted = LABEL.replace('"', '""')
    rows = [f'{k * 5 % 17},{k * k % 7},"{quoted if k % 2 else "ok"}"' for k in range(40)]
    path.write_text(f"{COLUMN},b,label\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture(scope="session")
def xor(tmp_path_factory):
    path = tmp_path_factory.mktemp("xor") / "xor.csv"
    path.write_text("a,b,kind\n0,0,same\n1,1,same\n0,1,other\n1,0,other\n")
    return path
