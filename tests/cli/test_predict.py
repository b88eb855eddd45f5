"""`novikoff predict` and `novikoff evaluate`."""

import csv
import io

import numpy as np
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    confusion_matrix,
    precision_recall_fscore_support,
)

from novikoff import load
from novikoff.analysis.confusion import Confusion
from tests.cli.helpers import document, novikoff


def read(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["row", "prediction", "score"]
    return rows[1:]


def test_predictions_are_the_model_s(model, flowers):
    import polars as pl

    rows = read(novikoff("predict", model, flowers).stdout)
    frame, pipeline = pl.read_csv(flowers, infer_schema=False), load(model)
    assert [int(row[0]) for row in rows] == list(range(60))
    assert [row[1] for row in rows] == pipeline.predict(frame).tolist()
    assert [float(row[2]) for row in rows] == pipeline.decision_function(frame).tolist()


def test_columns_are_matched_by_name_and_the_target_may_be_absent(model, flowers, tmp_path):
    before = novikoff("predict", model, flowers).stdout
    table = [line.split(",") for line in flowers.read_text().splitlines()]
    other = "\n".join(f"{c},extra,{h},{w}" for w, h, c, _ in table) + "\n"
    out = tmp_path / "out.csv"
    done = novikoff("predict", model, "-", "--out", out, stdin=other)
    assert out.read_text() == before
    assert done.stdout == ""
    lacking = novikoff("predict", model, "-", stdin=other.replace("height", "size"), code=2)
    assert "height" in lacking.stderr


def test_unseen_categories_count_as_none_and_are_reported(model):
    table = "width,height,colour\n4,1,green\n4,1,red\n4,1,mauve\n"
    done = novikoff("predict", model, "-", stdin=table)
    scores = [float(row[2]) for row in read(done.stdout)]
    assert scores[0] == scores[2]
    assert scores[0] != scores[1]
    assert "column colour: 2 cells" in done.stderr
    found = document("predict", model, "-", stdin=table)
    assert found["unseen"] == {"colour": 2}
    assert [entry["score"] for entry in found["predictions"]] == scores


def test_an_error_leaves_an_earlier_file_alone(model, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    novikoff("predict", model, "-", "--out", out, stdin="a,b\n1,2\n", code=2)
    assert out.read_text() == "precious"


def test_more_than_two_classes_show_the_winning_score(tmp_path):
    path = tmp_path / "iris.model"
    novikoff("fit", "iris", "--out", path)
    rows = read(novikoff("predict", path, "iris").stdout)
    assert {row[1] for row in rows} == {"Iris-setosa", "Iris-versicolor", "Iris-virginica"}
    found = document("evaluate", path, "iris")
    names = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]  # 50 rows each, in this order
    wrong = [names[int(row[0]) // 50] != row[1] for row in rows]
    assert found["error"] == pytest.approx(np.mean(wrong))


def test_evaluation_is_scikit_learn_s(model, flowers):
    truth = [line.split(",")[3] for line in flowers.read_text().splitlines()[1:]]
    truth[:7] = ["tulip"] * 7  # some wrong labels, so that there is something to count
    table = "\n".join(
        f"{line.rpartition(',')[0]},{label}"
        for line, label in zip(flowers.read_text().splitlines()[1:], truth, strict=True)
    )
    table = f"width,height,colour,kind\n{table}\n"
    predicted = [row[1] for row in read(novikoff("predict", model, "-", stdin=table).stdout)]
    found = document("evaluate", model, "-", stdin=table)
    precision, recall, _, support = precision_recall_fscore_support(truth, predicted)
    assert found["rows"] == 60
    assert found["error"] == pytest.approx(np.mean(np.array(truth) != predicted))
    assert found["balanced_error"] == pytest.approx(1 - balanced_accuracy_score(truth, predicted))
    assert found["confusion"] == confusion_matrix(truth, predicted).tolist()
    for name, expected in (("precision", precision), ("recall", recall), ("rows", support)):
        assert [entry[name] for entry in found["classes"]] == pytest.approx(expected.tolist())


def test_evaluation_for_people(model, flowers):
    done = novikoff("evaluate", model, flowers)
    for part in ("error", "balanced error", "true \\ predicted", "precision", "rose", "tulip"):
        assert part in done.stdout


def test_rows_without_a_label_are_left_out_and_new_labels_are_errors(model):
    table = "width,height,colour,kind\n4,1,red,rose\n4,1,red,\n1,1,red,daisy\n"
    done = novikoff("evaluate", model, "-", stdin=table)
    assert "1 row without a target left out" in done.stderr
    found = document("evaluate", model, "-", stdin=table)
    assert found["error"] == 0.5
    daisy = next(entry for entry in found["classes"] if entry["label"] == "daisy")
    assert daisy == {"label": "daisy", "precision": None, "recall": 0.0, "rows": 1}
    none = novikoff("evaluate", model, "-", stdin="width,height,colour\n4,1,red\n", code=2)
    assert "kind" in none.stderr


def test_libsvm_models_take_rows_of_any_width(tmp_path):
    path, text = tmp_path / "model", "".join(f"{k % 2 * 2 - 1} 1:{k % 2} 3:1\n" for k in range(30))
    novikoff("fit", "-", "--out", path, "--holdout", 0, stdin=text)
    done = novikoff("predict", path, "-", stdin="0 1:1\n0\n0 1:1 9:5\n")
    rows = read(done.stdout)
    assert [row[1] for row in rows][::2] == ["1", "1"]
    assert rows[0][2] == rows[2][2]
    assert "never seen in training" in done.stderr
    assert document("evaluate", path, "-", stdin=text)["error"] == 0
    other = novikoff("predict", path, "iris", code=2)
    assert "LIBSVM text" in other.stderr


def test_counts_survive_being_added_in_pieces():
    random = np.random.RandomState(0)
    truth, said = random.randint(0, 3, 200), random.randint(0, 3, 200)
    whole, pieces = Confusion(), Confusion()
    whole.add(truth, said)
    for part in np.array_split(np.arange(200), 7):
        pieces.add(truth[part], said[part].astype(float))
    assert whole.counts == pieces.counts
    assert whole.labels == ["0", "1", "2"]
