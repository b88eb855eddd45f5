"""`novikoff predict` and `novikoff evaluate`."""

import csv
import io
import json
from typing import get_args

import numpy as np
import pytest
from sklearn.metrics import (
    balanced_accuracy_score,
    confusion_matrix,
    precision_recall_fscore_support,
)

from novikoff import PocketPerceptron, load
from novikoff.analysis.confusion import Confusion
from novikoff.streams.formats import Format
from tests.cli.helpers import document, inside, novikoff


def read(text):
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["row", "prediction", "score"]
    return rows[1:]


def test_predictions_are_the_model_s(model, flowers):
    import polars as pl

    rows = read(inside("predict", model, flowers).stdout)
    frame, pipeline = pl.read_csv(flowers, infer_schema=False), load(model)
    assert [int(row[0]) for row in rows] == list(range(60))
    assert [row[1] for row in rows] == pipeline.predict(frame).tolist()
    assert [float(row[2]) for row in rows] == pipeline.decision_function(frame).tolist()


def test_columns_are_matched_by_name_and_the_target_may_be_absent(model, flowers, tmp_path):
    before = inside("predict", model, flowers).stdout
    table = [line.split(",") for line in flowers.read_text().splitlines()]
    other = "\n".join(f"{c},extra,{h},{w}" for w, h, c, _ in table) + "\n"
    out = tmp_path / "out.csv"
    done = inside("predict", model, "-", "--out", out, stdin=other)
    assert out.read_text() == before
    assert done.stdout == ""
    lacking = inside("predict", model, "-", stdin=other.replace("height", "size"), code=2)
    assert "height" in lacking.stderr
    idle = inside("predict", model, flowers, "--drop", "height", "--target", "kind")
    assert idle.stdout == before
    assert "whatever --target, --drop says" in idle.stderr


def test_unseen_categories_count_as_none_and_are_reported(model):
    table = "width,height,colour\n4,1,green\n4,1,red\n4,1,mauve\n"
    done = inside("predict", model, "-", stdin=table)
    scores = [float(row[2]) for row in read(done.stdout)]
    assert scores[0] == scores[2]
    assert scores[0] != scores[1]
    assert "column colour: 2 cells" in done.stderr
    found = document("predict", model, "-", stdin=table)
    assert found["unseen"] == {"colour": 2}
    assert [entry["score"] for entry in found["predictions"]] == scores


def test_cells_that_are_missing_as_none_was_in_training_are_reported(model):
    table = "width,height,colour\n,1,red\n4,,red\n,2,red\n"
    done = inside("predict", model, "-", "--json", stdin=table)
    assert "column width: 2 cells missing" in done.stderr
    assert json.loads(done.stdout)["missing"] == {"width": 2, "height": 1}
    gone = inside("predict", model, "-", stdin="width,height,colour\n4,1,\n,1,red\n").stderr
    assert "colour: 1 cell missing, as none was in training; counted as none" in gone
    assert "width: 1 cell missing, as none was in training; the training mean stands in" in gone
    assert "never seen" not in gone
    labelled = "width,height,colour,kind\n,1,red,rose\n"
    assert "column width: 1 cell missing" in inside("evaluate", model, "-", stdin=labelled).stderr


def test_rows_without_the_column_that_is_predicted_cannot_be_evaluated(model):
    done = inside("evaluate", model, "-", stdin="width,height,colour\n4,1,red\n", code=2)
    assert "has no column kind, which" in done.stderr
    assert "it has width, height and colour" in done.stderr


def test_an_error_leaves_an_earlier_file_alone(model, tmp_path):
    out = tmp_path / "out.csv"
    out.write_text("precious")
    inside("predict", model, "-", "--out", out, stdin="a,b\n1,2\n", code=2)
    assert out.read_text() == "precious"


def test_more_than_two_classes_show_the_winning_score(tmp_path):
    path = tmp_path / "iris.model"
    fitted = document("fit", "iris", "--multi-class", "joint", "--seed", 7, "--out", path)
    assert len(fitted["classes"]) == 3
    assert fitted["separable"]["verdict"] is False
    assert fitted["separable"]["margin"] is None
    rows = read(inside("predict", path, "iris").stdout)
    names = ["Iris-setosa", "Iris-versicolor", "Iris-virginica"]  # 50 rows each, in this order
    assert {row[1] for row in rows} == set(names)
    found = document("evaluate", path, "iris")
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
    predicted = [row[1] for row in read(inside("predict", model, "-", stdin=table).stdout)]
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
    assert "\x1b" not in done.stdout + done.stderr  # this is no terminal


def test_rows_without_a_label_are_left_out_and_new_labels_are_errors(model):
    table = "width,height,colour,kind\n4,1,red,rose\n4,1,red,\n1,1,red,daisy\n"
    done = inside("evaluate", model, "-", stdin=table)
    assert "1 row without a target left out" in done.stderr
    assert (
        "1 row of 1 class that the model does not know, counted as errors: daisy 1" in done.stderr
    )
    found = document("evaluate", model, "-", stdin=table)
    assert found["error"] == 0.5
    assert found["unknown_classes"] == {"daisy": 1}
    daisy = next(entry for entry in found["classes"] if entry["label"] == "daisy")
    assert daisy == {"label": "daisy", "precision": None, "recall": 0.0, "rows": 1}
    none = inside("evaluate", model, "-", stdin="width,height,colour\n4,1,red\n", code=2)
    assert "kind" in none.stderr


def test_libsvm_models_take_rows_of_any_width(tmp_path):
    path, text = tmp_path / "model", "".join(f"{k % 2 * 2 - 1} 1:{k % 2} 3:1\n" for k in range(30))
    inside("fit", "-", "--out", path, "--holdout", 0, stdin=text)
    done = inside("predict", path, "-", stdin="0 1:1\n0\n0 1:1 9:5\n")
    rows = read(done.stdout)
    assert [row[1] for row in rows][::2] == ["1", "1"]
    assert rows[0][2] == rows[2][2]
    assert "never seen in training" in done.stderr
    assert document("evaluate", path, "-", stdin=text)["error"] == 0
    other = inside("predict", path, "iris", code=2)
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


def test_vowpal_wabbit_models_know_names(tmp_path):
    train, new, model = (tmp_path / name for name in ("train.vw", "new.vw", "model"))
    train.write_text("1 2.0 'a|w good fine:2\n-1 |w bad\n1 |w good bad:0.5\n-1 |w bad:2\n" * 10)
    fitted = inside("fit", train, "--out", model)
    assert "features           3" in fitted.stdout
    new.write_text("1 |w bad:3 strange good\n-1 |w good\n")
    predicted = inside("predict", model, new)
    named = load(model)
    expected = named.decision_function([{"w^bad": 3.0, "w^good": 1.0}, {"w^good": 1.0}])
    lines = [line.split(",") for line in predicted.stdout.splitlines()[1:]]
    assert [float(score) for _, _, score in lines] == expected.tolist()
    assert "without a weight: 1 cell" in predicted.stderr
    numbered = tmp_path / "rows.libsvm"
    numbered.write_text("1 1:2\n-1 2:1\n")
    refused = inside("predict", model, numbered, code=2)
    assert "knows its features by their names" in refused.stderr


def test_rows_without_labels_are_predicted_and_not_learned_from(tmp_path):
    train, new, model = (tmp_path / name for name in ("train.vw", "new.vw", "model"))
    train.write_text("1 |w good\n-1 |w bad\n" * 10)
    inside("fit", train, "--out", model)
    new.write_text("|w good\n'tag |w bad\n")
    lines = inside("predict", model, new).stdout.splitlines()[1:]
    assert [line.split(",")[1] for line in lines] == ["1", "-1"]
    refused = inside("evaluate", model, new, code=2)
    assert "line 1: there is no label" in refused.stderr
    assert "there is no |" in inside("predict", model, "iris", code=2).stderr


def test_weights_of_text_are_steps_of_a_trace_and_zero_is_no_row(tmp_path):
    rows = tmp_path / "rows.vw"
    rows.write_text("-1 0 | a\n1 2.5 | a\n-1 | b\n")
    trace = json.loads(inside("trace", rows, "--json").stdout)
    assert trace["updates"]["step"][0] == 2.5
    assert trace["examples"]["shape"] == [2, 2]
    assert inside("separable", rows).stdout.startswith("Yes")
    assert "weights in the text" in inside("compare", rows, code=2).stderr


def test_a_format_that_content_does_not_tell(tmp_path):
    train = tmp_path / "train.txt"
    train.write_text("1 | 2 | 3\n-1 | 4 | 5\n" * 10)
    assert document("fit", train, "--input-format", "vw")["features"] == 4
    found = inside(
        "separable", train, "--input-format", "vw", "--certificate", tmp_path / "proof.json"
    )
    assert found.stdout.startswith("Yes")
    assert (
        "Valid" in inside("verify", tmp_path / "proof.json", train, "--input-format", "vw").stdout
    )
    refused = inside("verify", tmp_path / "proof.json", train, code=1)
    assert "it speaks of Vowpal Wabbit's text" in refused.stdout + refused.stderr


ROWS = {
    "csv": ("a,b,y\n", "{a},{b},{y}\n"),
    "jsonl": ("", '{{"a": {a}, "b": {b}, "y": {y}}}\n'),
    "arff": (
        "@relation r\n@attribute a real\n@attribute b real\n@attribute y {{-1,1}}\n@data\n",
        "{a},{b},{y}\n",
    ),
    "libsvm": ("", "{y} 1:{a} 2:{b}\n"),
    "vw": ("", "{y} | a:{a} b:{b}\n"),
}


@pytest.mark.parametrize("said", get_args(Format))
def test_every_format_of_text_can_be_said(said, tmp_path):
    head, row = ROWS[said]
    rows = [row.format(a=k % 7 + 1, b=k % 5 + 1, y=1 if k % 7 > 3 else -1) for k in range(40)]
    data = tmp_path / "rows"
    data.write_text(head.format() + "".join(rows))
    told, found = document("fit", data, "--input-format", said), document("fit", data)
    assert told["features"] == found["features"] == 2
    assert told["error"] == found["error"]
    other = "arff" if said == "vw" else "vw"
    assert "line 1" in inside("fit", data, "--input-format", other, code=2).stderr


def test_weights_of_text_reach_what_learns_in_memory(tmp_path):
    """A row of weight 3 counts as three in the error that a pocket minimises."""
    train = tmp_path / "train.vw"
    rows = [("1", "3", "1"), ("-1", "1", "1"), ("-1", "1", "1"), ("1", "1", "-1"), ("-1", "0", "9")]
    train.write_text("".join(f"{label} {weight} | x:{x}\n" for label, weight, x in rows))
    inside("fit", train, "--model", "pocket", "--holdout", "0", "--out", tmp_path / "model")
    model = load(tmp_path / "model")
    assert model.predict([{"x": 1.0}]).tolist() == [1.0]
    X, y, weights = np.array([[1], [1], [1], [-1.0]]), [1, -1, -1, 1], [3, 1, 1, 1]
    same = PocketPerceptron(random_state=0).fit(X, y, sample_weight=weights)
    np.testing.assert_array_equal(model[1].coef_, same.coef_)
