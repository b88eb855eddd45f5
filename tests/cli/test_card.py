"""`novikoff card` and `novikoff doctor`: what is said of a model, and of an installation."""

import json
from importlib import metadata

import pytest

import novikoff as library
from novikoff.analysis.wording import grouped
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


def test_a_card_counts_the_categories_of_a_column(tmp_path):
    """As many as the cells have, those that share one feature included."""
    data, model = tmp_path / "many.csv", tmp_path / "many.model"
    names = ["red", "green", *(f"rare {k}" for k in range(1200))]
    rows = [f"{name},{name[:3]},{k % 2}\n" for k, name in enumerate(names * 2)]
    data.write_text("colour,short,kind\n" + "".join(rows))
    inside("fit", data, "--target", "kind", "--holdout", 0, "--out", model)
    told = inside("card", model).stdout
    assert f"| colour | category, {grouped(len(names))} values |" in told
    assert "| short | category, 3 values |" in told


@pytest.mark.parametrize("scheme", ["ovo", "ovr"])
def test_weights_are_told_of_the_class_they_speak_for(scheme, tmp_path):
    """Feature k is large in class k alone: its weight is the largest towards that class."""
    data, model = tmp_path / "three.csv", tmp_path / "three.model"
    rows = [(f"{9 * (k == 0) + i % 3},{9 * (k == 1) + i % 2},{9 * (k == 2) + i % 3}", k)
            for i in range(20) for k in range(3)]  # fmt: skip
    data.write_text("x0,x1,x2,kind\n" + "".join(f"{cells},c{k}\n" for cells, k in rows))
    inside("fit", data, "--target", "kind", "--multi-class", scheme, "--out", model)
    parts = inside("card", model).stdout.split("Towards ")[1:]
    assert len(parts) == 3
    for part in parts:
        towards = part.split(",")[0].split(" against ")
        weights = [line.split(" | ") for line in part.splitlines() if line.startswith("| x")]
        weight = {name.strip("| "): float(value.strip(" |")) for name, value in weights}
        own = [weight["x" + name[1]] for name in towards]
        assert own[0] == max(weight.values()) > 0
        assert len(own) == 1 or own[1] < 0


TABLES = {
    "other target": "size,<b>colour|</b>,sort\n" + TABLE.split("\n", 1)[1],
    "other column": TABLE.replace("size", "weight"),
    "more columns": TABLE.replace("size,", "size,age,")
    .replace(",red", ",3,red")
    .replace(",green", ",4,green"),
    "other classes": TABLE.replace("yes", "perhaps"),
    "no table": "".join(f"{(-1) ** i} 1:{i % 5} 2:{i % 7}\n" for i in range(20)),
}


@pytest.mark.parametrize("other", TABLES)
def test_a_certificate_about_other_data_is_no_part_of_a_card(other, tmp_path):
    (tmp_path / "plants.csv").write_text(TABLE)
    (tmp_path / "other").write_text(TABLES[other])
    proof, model = tmp_path / "c.json", tmp_path / "plants.model"
    inside("fit", tmp_path / "plants.csv", "--target", "kind", "--out", model)
    target = [] if other == "no table" else ["--target", "sort" if "target" in other else "kind"]
    inside("separable", tmp_path / "other", *target, "--certificate", proof)
    assert "speaks of other data" in inside("card", model, "--certificate", proof, code=1).stderr


@pytest.mark.parametrize("vw", [False, True])
def test_text_is_compared_by_its_features(vw, tmp_path):
    """All rows may have features that the training rows have not, but not the other way round."""
    bar, names = ("| ", "abcdef") if vw else ("", "123456")

    def write(name, most):
        lines = [
            f"{(-1) ** i} {bar}{names[i % (most - 1)]}:1 {names[most - 1]}:2\n" for i in range(40)
        ]
        (tmp_path / name).write_text("".join(lines))

    for name, most in (("train", 4), ("all", 6), ("few", 3)):
        write(name, most)
    inside("fit", tmp_path / "train", "--holdout", 0, "--out", tmp_path / "m")
    for name, code in (("train", 0), ("all", 0), ("few", 1)):
        proof = tmp_path / f"{name}.json"
        inside("separable", tmp_path / name, "--certificate", proof)
        inside("card", tmp_path / "m", "--certificate", proof, code=code)


def test_a_card_refuses_what_is_no_certificate(tmp_path):
    (tmp_path / "c.json").write_text("[")
    inside("fit", "iris", "--out", tmp_path / "m")
    done = inside("card", tmp_path / "m", "--certificate", tmp_path / "c.json", code=1)
    assert "not a certificate" in done.stderr


def test_the_doctor_says_versions_and_what_is_missing():
    told = json.loads(novikoff("doctor", "--json").stdout)
    for package in ("numpy", "scikit-learn", "numba"):
        assert told[package] == metadata.version(package)
    assert "compiled code" in told
    assert not told["missing"].get("")
