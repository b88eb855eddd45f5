"""`fit --dask`: what the command trains on a cluster."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from novikoff import AveragedPerceptron, OnlineClassifier, load, rules
from novikoff.analysis.parts import TableParts
from novikoff.cli.dask import FEWEST_ROWS, train_on_dask
from novikoff.cli.errors import UsageError
from novikoff.cli.options import TableArguments
from novikoff.cli.training import estimator
from novikoff.distributed import ParameterMixing
from novikoff.streams import TableOptions, open_table
from novikoff.streams.bytes import open_bytes
from tests.cli.helpers import novikoff


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    random = np.random.RandomState(0)
    folder = tmp_path_factory.mktemp("table")
    for i, n in enumerate((700, 500, 900)):
        x = random.standard_normal(n)
        colour = random.choice(["red", "blue", "green"], n)
        label = np.where(x + (colour == "red") + 0.3 * random.standard_normal(n) > 0.5, "hi", "lo")
        frame = pl.DataFrame({"x": x, "colour": colour, "y": label})
        frame.write_parquet(folder / f"{i}.parquet")
    pl.concat([pl.read_parquet(f) for f in sorted(folder.iterdir())]).write_csv(
        folder.parent / "all.csv"
    )
    return folder


def trained(client, path, kind="averaged", address=None, rule="perceptron"):
    table = open_table(str(path), TableOptions(target="y"), holdout=0.2, seed=0)
    model = estimator(kind, rule, epochs=10, seed=0, order="cyclic", ties="mistake", margin=None)
    train_on_dask(
        model, kind, TableParts(table), open_bytes(str(path)), TableArguments(),
        address=address or client.scheduler.address, rounds=4, holdout=(0.2, 0), checkpoint=None,
    )  # fmt: skip
    return model, table


def test_workers_read_the_files_of_a_folder(client, folder):
    """They learn from the rows that are not held out, encoded as the whole table is."""
    model, table = trained(client, folder)
    assert model.learned_.state.counts[0] == round(4 * table.class_counts["train"].sum() / 3)
    test = table.matrix("test")
    assert model.score(test.X, test.y) > 0.8
    assert table.pipeline(model).predict(pl.read_parquet(folder / "0.parquet")).shape == (700,)


def test_a_single_file_is_dealt_out(client, folder):
    model, table = trained(client, folder.parent / "all.csv")
    n_rows = table.class_counts["train"].sum()
    assert n_rows // FEWEST_ROWS == 1
    serial = AveragedPerceptron(order="cyclic", max_iter=4).fit(*table.matrix("train")[:2])
    np.testing.assert_array_equal(model.last_coef_, serial.last_coef_)


@pytest.mark.thorough
def test_the_command_itself(client, folder, tmp_path):
    """Its model is the one that the same shards give in Python, and it says where it trained."""
    path = tmp_path / "mixed.model"
    done = novikoff(
        "fit", folder, "--target", "y", "--dask", client.scheduler.address, "--epochs", "4",
        "--shuffle", "0", "--out", path, "--json",
    )  # fmt: skip
    assert "dask: 3 files, read by the workers; 4 workers" in done.stderr
    found = json.loads(done.stdout)
    assert found["error"]["test"]["error"] < 0.2
    model, _ = trained(client, folder)
    np.testing.assert_array_equal(load(path)[-1].coef_, model.coef_)


@pytest.mark.thorough
def test_another_rule_is_mixed_as_the_library_mixes_it(client, folder):
    model, table = trained(client, folder.parent / "all.csv", rule="pa2")
    ours = OnlineClassifier(
        rules.PassiveAggressive(loss="squared_hinge"), keep="mean", order="cyclic"
    )
    rows = table.matrix("train")
    mixing = ParameterMixing(ours, rounds=4, client=client).fit([(rows.X, rows.y)])
    np.testing.assert_array_equal(model.coef_, mixing.coef_)
    assert model.progressive_error_ == mixing.progressive_error_


def test_what_cannot_be_is_a_usage_error(client, folder, monkeypatch):
    monkeypatch.setattr("novikoff.cli.dask.PATIENCE", 1)
    with pytest.raises(UsageError, match="--model voted is not possible on a cluster: a vote has"):
        trained(client, folder, "voted")
    with pytest.raises(UsageError, match="--model pocket is not possible on a cluster"):
        trained(client, folder, "pocket", rule="pa")
    with pytest.raises(UsageError, match="--model kernel is not possible on a cluster: it needs"):
        trained(client, folder, "kernel")
    with pytest.raises(UsageError, match="there is no Dask scheduler"):
        trained(client, folder, address="tcp://127.0.0.1:1")
