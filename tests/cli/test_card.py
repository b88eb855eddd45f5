"""`novikoff card` and `novikoff doctor`: what is said of a model, and of an installation."""

import json
from importlib import metadata

import novikoff as library
from tests.cli.helpers import inside, novikoff

TABLE = "size,<b>colour|</b>,kind\n" + "".join(
    f"{i % 7},{'red' if i % 3 else 'green'},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(60)
)


def test_a_card_says_what_the_model_and_its_files_say(tmp_path):
    data, model = tmp_path / "plants.csv", tmp_path / "plants.model"
    data.write_text(TABLE)
    inside("fit", data, "--target", "kind", "--out", model)
    inside("separable", data, "--target", "kind", "--certificate", tmp_path / "c.json")
    measured = json.loads(inside("evaluate", model, data, "--json").stdout)
    done = inside("card", model, data, "--certificate", tmp_path / "c.json")
    classifier = library.load(model)[-1]
    assert f"| classifier | {type(classifier).__name__} |" in done.stdout
    assert "| predicts | kind |" in done.stdout
    assert f"error {100 * measured['error']:.3g}" in done.stdout
    assert r"&lt;b>colour\|&lt;/b>" in done.stdout  # names of a table are text
    assert "<b>" not in done.stdout
    assert "Certificate" in done.stdout
    assert "## Errors" not in inside("card", model).stdout
    inside("card", model, "--out", tmp_path / "card.md")
    assert (tmp_path / "card.md").read_text() == inside("card", model).stdout


def test_the_doctor_says_versions_and_what_is_missing():
    told = json.loads(novikoff("doctor", "--json").stdout)
    for package in ("numpy", "scikit-learn", "numba"):
        assert told[package] == metadata.version(package)
    assert "compiled code" in told
    assert not told["missing"].get("")
