"""The reproductions: their cores on little data; pages show what the programs print."""

import json
from pathlib import Path

import numpy as np
import pytest
import sklearn

from benchmarks import data, history, page
from novikoff import rules, separability
from reproductions import libol, parameter_mixing, scikit_learn, tables

PAGES = Path(__file__).parents[1] / "docs" / "reproductions"


def shows(name, table):
    """Whether a page has every line of a table, in order."""
    return table in (PAGES / f"{name}.md").read_text(encoding="utf-8")


def test_rand_is_the_one_of_microsofts_c_library():
    rand = libol.microsoft_rand(1)
    assert [rand() for _ in range(5)] == [41, 18467, 6334, 26500, 19169]  # known to every C student


@pytest.mark.parametrize("n", [1, 2, 500, 40_000])  # the last needs more than 15 bits
def test_a_shuffle_is_a_permutation(n):
    order = libol.random_shuffle(n, libol.microsoft_rand(7))
    assert np.array_equal(np.sort(order), np.arange(n))


@pytest.mark.parametrize(
    "name",
    [name if name in ("Perceptron", "PA", "OGD") else pytest.param(name, marks=pytest.mark.thorough)
     for name in libol.TABLES["svmguide3"]],
)  # fmt: skip
def test_libol_to_the_last_digit(name):
    """Where LIBOL has an algorithm of its own it is that one that gives its digits."""
    if not (data.FOLDER / "libol" / "svmguide3.mat").exists():
        pytest.skip("the rows that come with LIBOL are not here")
    line = libol.TABLES["svmguide3"][name]
    learn = libol.by_rule(line.ours) if line.theirs is None else line.theirs
    found = libol.online(*libol.svmguide3(), learn)
    assert found.rate(3).split()[0] == f"0{line.rate}"
    assert found.changes(1).split()[0] == line.updates
    (row,) = libol.rows("svmguide3", [name])
    assert shows("libol", f"| {' | '.join(row)} |")


def test_online_mistakes_are_those_of_a_plain_loop():
    random = np.random.RandomState(0)
    X, y = random.randint(-3, 4, (50, 3)).astype(float), random.choice([-1, 1], 50)
    mistakes = []
    for seed in (1, 2):
        theta = np.zeros(3)
        count = 0
        for i in libol.random_shuffle(50, libol.microsoft_rand(seed)):
            if (1 if theta @ X[i] >= 0 else -1) != y[i]:
                theta, count = theta + y[i] * X[i], count + 1
        mistakes.append(count)
    learn = libol.by_rule(rules.Perceptron(ties="sign"))
    found = libol.online(X, y, learn, runs=2)
    assert found.mistakes.tolist() == found.updates.tolist() == mistakes


def test_no_mixture_of_the_four_points_separates_them_although_something_does():
    X, y = parameter_mixing.joined(parameter_mixing.FOUR_POINTS)
    assert (y * (X @ parameter_mixing.SEPARATOR) > 0).all()
    for ties in ("sign", "mistake"):
        parts = parameter_mixing.separators(parameter_mixing.FOUR_POINTS, ties)
        for share in np.linspace(0, 1, 65):
            theta = share * parts[0] + (1 - share) * parts[1]
            assert parameter_mixing.wrong(theta, parameter_mixing.FOUR_POINTS, ties)


@pytest.mark.thorough
def test_the_page_on_mixing_shows_what_the_program_prints():
    pytest.importorskip("dask.distributed")
    with parameter_mixing.cluster() as client:
        assert shows("parameter-mixing", parameter_mixing.counter_example(client))
        assert shows("parameter-mixing", parameter_mixing.convergence(client))


def test_separable_sets_are_separable_and_only_one_library_always_says_so():
    assert separability(*scikit_learn.separable(3, 10, 0.01)).verdict == "separable"
    theirs, ours = scikit_learn.early_stop(10, 0.01, sets=10)
    assert ours.failed == 0
    assert theirs.failed > theirs.warned == 0


def test_the_sparse_intercept_decays_elsewhere():
    dense, sparse = scikit_learn.dense_and_sparse(
        scikit_learn.TheirPerceptron(tol=None, shuffle=False, max_iter=1), *scikit_learn.two_rows()
    )
    assert (dense[-1], sparse[-1]) == (1.0, 0.01)
    if sklearn.__version__ == "1.9.1":  # what the page speaks of
        assert shows("scikit-learn", scikit_learn.sparse_table())


def test_missing_data_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(data, "FOLDER", tmp_path)
    with pytest.raises(SystemExit, match=r"nowhere\.gz.*NOVIKOFF_DATA"):
        tables.needed("nowhere.gz")


def test_the_benchmark_page_takes_a_run():
    line = {"work": "much", "against": "a peer", "value": 3.14159, "unit": "x", "required": 2.0}
    turns = {**line, "work": "turns", "low": 0.9, "high": 4.0, "counted": True}
    limit = {**line, "work": "room", "value": 12.34, "unit": "MB", "at_most": True}
    speed = {**line, "work": "text", "value": 566.0, "unit": "MB/s", "required": 400.0}
    result = {
        "machine": "a machine", "versions": {"novikoff": "0"}, "data": ["MNIST"],
        "read_bandwidth": 1e10, "epochs": 10, "lines": [line, turns, limit, speed],
    }  # fmt: skip
    text = page.renewed(page.PAGE.read_text(encoding="utf-8"), result)
    assert "| much | a peer | 3.1 |  | 2.0 |" in text
    assert "| turns | a peer | 3.1 | 0.9–4.0 | 2.0 |" in text
    assert "The median of 1 lines" in text
    assert "slower: none." in text
    assert "| room | a peer | 12.3 MB | ≤ 2 MB |" in text
    assert "| text | a peer | 566 MB/s | ≥ 400 MB/s |" in text
    assert page.renewed(text, result) == text
    with pytest.raises(ValueError, match="markers"):
        page.renewed("no markers", result)


def test_a_release_keeps_its_run_and_is_told_what_became_slower(tmp_path, capsys):
    """Slower is a line whose turns were all slower than all of its turns before."""
    lines = {"same": (2, 3, 4), "slower": (2, 3, 4), "gone": (1, 1, 1), "faster": (2, 3, 4)}
    now = {"same": (1.5, 2, 2.5), "slower": (1, 1.5, 1.9), "new": (1, 1, 1), "faster": (5, 6, 7)}
    for version, run in (("0.9.0", lines), ("0.10.0", lines), ("0.11.0", now)):
        result = {"versions": {"novikoff": version}, "lines": [
            {"work": work, "unit": "x", "low": low, "value": value, "high": high}
            for work, (low, value, high) in run.items()
        ] + [{"work": "memory", "unit": "x", "at_most": True, "value": len(version)}]}  # fmt: skip
        (tmp_path / "results").write_text(json.dumps(result))
        (tmp_path / "kept").mkdir(exist_ok=True)
        history.main([str(tmp_path / "results"), "--folder", str(tmp_path / "kept")])
        assert json.loads((tmp_path / "kept" / f"{version}.json").read_text()) == result
    assert capsys.readouterr().out.splitlines() == [
        "Slower than in 0.9.0: nothing.",
        "Slower than in 0.10.0: slower: 1.50, 3.00 before.",
    ]
