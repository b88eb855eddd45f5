"""`novikoff fit`."""

import gzip
import io
import json

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from novikoff import (
    AveragedPerceptron,
    Perceptron,
    PocketPerceptron,
    load,
    max_margin,
    mistake_bound,
)
from novikoff.streams.tables.frames import held_out
from tests.cli.helpers import document, inside, novikoff, pairs
from tests.real_data import shared

PLAIN = ("--no-scale", "--holdout", 0, "--shuffle", 0)  # as the library's `fit` in file order


def test_without_data_it_trains_on_what_ships_and_says_everything():
    done = novikoff("fit")
    said = pairs(done.stdout)
    assert said["data"] == "sonar"
    assert said["rows"].startswith("208 ")
    assert said["features"] == "60"
    assert said["classes"] == "M 111, R 97"
    assert said["epochs"] == "10"
    assert int(said["updates"]) > 0
    assert said["status"].startswith("epoch limit")
    for name in ("training error", "held-out error"):
        assert "%   (always the commonest class: " in said[name]
    assert said["separable"].startswith("yes")
    assert {"margin", "R", "bound", "seconds"} <= set(said)
    for decision in ("no header", "guessed to be the target", "standardised", "held out"):
        assert decision in done.stderr


@pytest.fixture(scope="module")
def separable_rows(tmp_path_factory):
    """Numbers that need no scaling, in a CSV file: (path, X, y)."""
    random = np.random.RandomState(3)
    X = random.randint(-9, 10, (80, 3)).astype(float)
    X = X[np.abs(X @ [1, 2, -1]) > 1]
    y = np.where(X @ [1, 2, -1] > 0, "up", "down")
    path = tmp_path_factory.mktemp("fit") / "rows.csv"
    lines = [",".join([*map(repr, map(float, x)), label]) for x, label in zip(X, y, strict=True)]
    path.write_text("a,b,c,label\n" + "\n".join(lines) + "\n")
    return path, X, y


def test_it_is_the_library_that_trains(separable_rows, tmp_path):
    """In file order, unscaled, nothing held out, it is `fit`; and the bound is the theorem's."""
    path, X, y = separable_rows
    out = tmp_path / "model"
    found = document("fit", path, *PLAIN, "--out", out)
    ours = AveragedPerceptron(order="cyclic").fit(X, y)
    stored = load(out)
    assert np.array_equal(stored[-1].coef_, ours.coef_)
    assert found["updates"] == ours.n_updates_.sum()
    assert found["status"] == ours.status_
    assert found["error"]["train"]["error"] == pytest.approx(1 - ours.score(X, y))
    assert found["error"]["train"]["majority"] == pytest.approx(
        min(np.mean(y == "up"), np.mean(y == "down"))
    )
    bound = mistake_bound(X, y)
    assert found["separable"]["verdict"] is True
    assert found["separable"]["margin"] == max_margin(X, y).margin
    assert found["separable"]["radius"] == bound.radius
    assert found["separable"]["bound"] == bound.value
    assert found["separable"]["share"] == pytest.approx(ours.n_updates_.sum() / bound.value)
    assert 0 < found["separable"]["share"] <= 1


def test_margin_is_the_margin_rule_as_in_the_playground(separable_rows, tmp_path):
    path, X, y = separable_rows
    out = tmp_path / "model"
    found = document("fit", path, *PLAIN, "--model", "margin", "--epochs", 100, "--out", out)
    ours = Perceptron(order="cyclic", margin=1.0).fit(X, y)
    assert np.array_equal(load(out)[-1].coef_, ours.coef_)
    assert found["updates"] == ours.n_updates_.sum()
    bound = mistake_bound(X, y)
    assert found["separable"]["bound"] == pytest.approx((bound.radius**2 + 2) / bound.margin**2)


def test_models_that_need_all_rows(separable_rows):
    path, X, y = separable_rows
    found = document("fit", path, *PLAIN, "--model", "pocket", "--epochs", 2)
    ours = PocketPerceptron(max_iter=2, order="cyclic").fit(X, y)
    assert found["updates"] == ours.n_updates_.sum()
    assert found["error"]["train"]["error"] == pytest.approx(1 - ours.score(X, y))
    widest = document("fit", path, *PLAIN, "--model", "max-margin")
    assert widest["error"]["train"]["error"] == 0
    assert widest["separable"]["margin"] == max_margin(X, y).margin
    assert widest["updates"] is None


def test_there_may_be_no_largest_margin():
    text = "0 1:1\n1 1:1\n0 1:2\n1 1:3\n"
    done = inside("fit", "-", "--model", "max-margin", stdin=text, code=2)
    assert "There is no largest margin" in done.stderr
    assert "separates class 0 from class 1." in done.stderr
    assert "takes two classes" in inside("fit", "iris", "--model", "max-margin", code=2).stderr


def test_a_test_file_takes_the_place_of_the_hold_out(separable_rows, tmp_path):
    path, X, y = separable_rows
    lines = path.read_text().splitlines()
    test = tmp_path / "test.csv"
    test.write_text("\n".join([lines[0], *lines[1:11], "1,2,3,sideways", "3,2,1,sideways"]) + "\n")
    done = inside("fit", path, "--test", test, *PLAIN, "--epochs", 1, "--json")
    found = json.loads(done.stdout)
    ours = AveragedPerceptron(order="cyclic", max_iter=1).fit(X, y)
    right = ours.score(X[:10], y[:10]) * 10
    assert found["rows"]["test"] == 0
    assert found["error"]["file"]["error"] == pytest.approx(1 - right / 12)
    assert "2 rows of 1 class that the model does not know, counted as errors" in done.stderr
    assert found["unknown_classes"] == {"sideways": 2}
    early = inside("fit", path, "--test", tmp_path / "nowhere", code=2)
    assert "no such file" in early.stderr
    assert "read:" not in early.stderr


def test_libsvm_text(separable_rows, tmp_path):
    _, X, y = separable_rows
    path = tmp_path / "rows.bin"  # the name says nothing
    with gzip.open(path, "wb") as file:
        dump_svmlight_file(X, np.where(y == "up", 1, -1), file, zero_based=False)
    done = inside("fit", path, "--holdout", 0, "--shuffle", 0, "--json")
    found = json.loads(done.stdout)
    assert found["updates"] == AveragedPerceptron(order="cyclic").fit(X, y).n_updates_.sum()
    assert [entry["label"] for entry in found["classes"]] == ["-1", "1"]
    assert found["target"] is None
    assert "scale: nothing is scaled" in done.stderr
    assert "holdout: no rows are held out" in done.stderr
    refused = inside("fit", path, "--drop", "3", code=2)
    assert "LIBSVM text" in refused.stderr
    assert "--drop" in refused.stderr


def test_libsvm_text_numbered_from_zero_and_held_out(separable_rows):
    _, X, y = separable_rows
    file = io.BytesIO()
    dump_svmlight_file(X, np.where(y == "up", 1, -1), file, zero_based=True)
    done = inside("fit", "-", "--zero-based", "--json", stdin=file.getvalue())
    held = json.loads(done.stdout)
    assert held["features"] == X.shape[1]
    assert 0 < held["rows"]["test"] < held["rows"]["train"]
    assert held["rows"]["all"] == len(y)
    assert f"{held['rows']['test']} of {len(y)} rows are held out" in done.stderr


def test_an_index_that_would_fill_the_memory_is_refused():
    text = "1 1:1 40000000:1\n0 2:1\n" * 9
    done = inside("fit", "-", "--max-memory", "0.5GB", stdin=text, code=2)
    assert "40000000 features would take 960 MB of memory, and 500 MB are allowed" in done.stderr
    assert "--max-memory allows more" in done.stderr
    done = inside("fit", "-", "--max-memory", "much", stdin=text, code=2)
    assert "such as 4GB" in done.stderr


def test_a_leak_is_named_and_its_removal_helps(titanic):
    leaking = inside("fit", titanic, "--target", "survived")
    assert "alive determines survived: a copy? --drop alive" in leaking.stderr
    assert "yes" in pairs(leaking.stdout)["separable"]
    found = document("fit", titanic, "--target", "survived", "--drop", "alive", "--epochs", 20)
    assert found["leaks"] == []
    assert found["separable"]["verdict"] is False
    assert found["separable"]["bound"] is None
    assert 0.1 < found["error"]["test"]["error"] < 0.3 < found["error"]["test"]["majority"]
    assert any(d["column"] == "age" and d["topic"] == "missing" for d in found["decisions"])


def test_what_cannot_be_decided_in_time_is_not_checked():
    """The process that looks for the answer is killed, and what it had found is kept."""
    from novikoff.analysis import settle
    from novikoff.analysis.worker import Worker

    X = np.random.RandomState(0).normal(size=(4000, 400))
    y = X[:, 0] + 0.3 * X[:, 1] > 0.2 * np.random.RandomState(1).normal(size=4000)
    with Worker() as worker:
        worker.prepare(settle.MODULE, sparse=False)
        found = settle.settle(worker, X, y, fit_intercept=True, separable=False, seconds=0.05)
    assert found == settle.Settled()
    assert worker._process.returncode is not None


def test_real_libsvm_text():
    found = document("fit", shared("libsvm/svmguide3.gz"), "--model", "last")
    assert found["rows"]["all"] == 1284
    assert found["features"] == 22


@pytest.mark.parametrize(
    "arguments",
    [
        ("fit", "--out"),
        ("fit", "--checkpoint"),
        ("separable", "--certificate"),
        ("report", "--out"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_any_work(tmp_path, arguments):
    command, option = arguments
    done = inside(command, "iris", option, tmp_path / "nowhere" / "file", code=2)
    assert "nowhere does not exist" in done.stderr.replace("\n", "")
    assert "read:" not in done.stderr
    assert "is a folder" in inside(command, "iris", option, tmp_path, code=2).stderr
    assert done.stdout == ""


def test_a_hold_out_that_takes_a_whole_class_is_said_to(tmp_path):
    rows = np.arange(40)
    rare = np.flatnonzero(held_out(rows, 0.2, 0))[0]
    data = tmp_path / "rare.csv"
    data.write_text("x,y\n" + "".join(f"{k % 7},{'ab'[int(k == rare)]}\n" for k in rows))
    done = inside("fit", data, code=2)
    assert "the training rows are all of class a, the rows of any other are held out" in done.stderr
    assert document("fit", data, "--holdout", "0")["rows"]["train"] == 40
