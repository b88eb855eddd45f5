"""`novikoff compare`."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from novikoff import AveragedPerceptron, OnlineClassifier, Perceptron, rules
from tests.cli.helpers import document, inside, novikoff

NAMES = ["majority", "last", "averaged", "voted", "pocket", "margin", "passive-aggressive",
         "AROW", "kernel", "logistic regression"]  # fmt: skip

PA_I = rules.PassiveAggressive(C=1.0)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    random = np.random.RandomState(5)
    X = random.normal(size=(90, 4))
    y = np.where(X[:, 0] + 0.5 * random.normal(size=90) > 0, 1, 0)
    path = tmp_path_factory.mktemp("compare") / "rows.csv"
    lines = (
        ",".join(map(repr, [*map(float, x), int(label)])) for x, label in zip(X, y, strict=True)
    )
    path.write_text("a,b,c,d,y\n" + "\n".join(lines) + "\n")
    return path, X, y


# That the epochs ran out is what these rows are for.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_errors_are_those_of_scikit_learn_s_cross_validation(rows):
    """Scaled in each fold by its own training rows, as in a pipeline."""
    path, X, y = rows
    found = document("compare", path, "--seed", 3)
    assert [entry["model"] for entry in found["models"]] == NAMES
    by_name = {entry["model"]: entry for entry in found["models"]}
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    for name, model in (
        ("majority", DummyClassifier()),
        ("averaged", AveragedPerceptron(random_state=3)),
        ("margin", Perceptron(margin=1.0, max_iter=10, random_state=3)),
        ("passive-aggressive", OnlineClassifier(PA_I, keep="mean", random_state=3)),
        ("AROW", OnlineClassifier(rules.AROW(), keep="mean", random_state=3)),
    ):
        pipeline = make_pipeline(StandardScaler(), model)
        errors = 1 - cross_val_score(pipeline, X, y, cv=folds)
        assert by_name[name]["errors"] == pytest.approx(errors.tolist())
        assert by_name[name]["mean"] == pytest.approx(errors.mean())
        assert by_name[name]["sd"] == pytest.approx(errors.std(ddof=1))


def test_a_table_for_people(rows):
    done = novikoff("compare", rows[0])
    assert all(name in done.stdout for name in NAMES)
    assert "±" in done.stdout
    assert "those of each fold's training rows" in done.stderr


def test_as_many_folds_as_the_rarest_class_has_rows():
    table = "a,y\n7,p\n2,q\n3,p\n4,q\n5,p\n"
    done = inside("compare", "-", "--json", stdin=table)
    assert "folds: 2, not 5: there are only 2 rows of q" in done.stderr
    found = json.loads(done.stdout)
    assert (found["data"], found["folds"]) == ("-", 2)
    done = inside("compare", "-", stdin=table.replace("2,q\n", ""), code=2)
    assert "there is only one row of q" in done.stderr


def test_a_kernel_sees_at_most_ten_thousand_rows_of_a_fold():
    from novikoff.analysis.compare import drawn

    rows = np.arange(3, 40_000, 3)
    chosen = drawn(rows, 0)
    assert len(chosen) == 10_000
    assert np.isin(chosen, rows).all()
    assert (np.diff(chosen) > 0).all()
    assert not np.array_equal(chosen, drawn(rows, 1))
