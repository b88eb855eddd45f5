"""Workers, clients and schedulers that die: kill -9, and the same model in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings

import pytest
from dask import delayed
from distributed import Client, LocalCluster

from novikoff import AveragedPerceptron
from novikoff.distributed import ClusterError, ParameterMixing, ShardError
from novikoff.distributed.standing import KIND
from novikoff.persistence.container import open_file
from novikoff.persistence.reading import Reader
from novikoff.streams import CheckpointError
from tests.distributed.data import during_rounds, integer_shards, logged
from tests.distributed.test_mixing import assert_same
from tests.systems import posix

ROUNDS = 25


@pytest.fixture(scope="module")
def shards():
    return integer_shards([300] * 8, 20, seed=21)


@pytest.fixture(scope="module")
def expected(client, shards):
    return ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client).fit(shards)


def rounds_done(checkpoint) -> int:
    try:
        with open_file(checkpoint, KIND) as file:
            return len(Reader(file).content()["content"]["standing"]["mistakes"])
    except FileNotFoundError:
        return 0


def received(dask_worker) -> list[tuple[str, int]]:
    """What a worker has received from others: names of results, and their bytes."""
    log = dask_worker.transfer_incoming_log
    return [(str(key), n) for transfer in log for key, n in transfer["keys"].items()]


def left_behind(client) -> list[str]:
    """What the scheduler still knows of runs; a released result is told to it a moment later."""

    def tasks(dask_scheduler):
        return [str(key) for key in dask_scheduler.tasks if "mixing" in str(key)]

    for _ in range(600):
        if not (found := client.run_on_scheduler(tasks)):
            break
        time.sleep(0.1)
    return found


def kill(pid) -> None:
    os.kill(pid, signal.SIGKILL)


@posix
@pytest.mark.thorough
def test_killed_workers_cost_their_shards_and_nothing_else(client, shards, expected, tmp_path):
    """Two workers die in different rounds; only the shards they held are read again."""
    parts = [delayed(logged)(str(tmp_path), i, X, y) for i, (X, y) in enumerate(shards)]
    lost: list[int] = []

    def kill_a_holder():
        found = client.who_has().items()
        held = {key: workers for key, workers in found if str(key).startswith("mixing-read")}
        victim = min(workers[0] for workers in held.values() if len(workers) == 1)
        lost.extend(
            int(key.rpartition("-")[2]) for key, workers in held.items() if victim in workers
        )
        kill(client.run(os.getpid, workers=[victim])[victim])

    model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client, verbose=1)
    with during_rounds({3: kill_a_holder, 9: kill_a_holder}):
        assert_same(model.fit(parts), expected)
    reads = [len((tmp_path / f"read-{i}").read_text().split()) for i in range(len(shards))]
    # What was lost once may have been copied since, and then is not lost with one of its holders.
    assert all(1 <= n <= 1 + lost.count(i) for i, n in enumerate(reads))
    assert sum(reads) > len(shards)
    client.wait_for_workers(4, timeout=600)


@pytest.mark.thorough
def test_an_adaptive_cluster_may_start_from_nothing(shards, expected):
    """It starts workers when there are tasks, and not before."""
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        cluster.adapt(minimum=0, maximum=1)
        model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client)
        assert_same(model.fit(shards), expected)


@pytest.mark.thorough
def test_without_workers_it_says_that_it_waits(shards, expected, monkeypatch):
    """A worker comes when that has been said, and not before: at the start, and when all left."""
    monkeypatch.setattr("novikoff.distributed.cluster._NOTICE", 0.2)
    told: list[str] = []
    with (
        LocalCluster(n_workers=0, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster, set_as_default=False) as client,
        warnings.catch_warnings(),
        during_rounds({3: lambda: cluster.scale(0)}),
    ):
        warnings.simplefilter("always")

        def come(message, *_, **__):
            if "no workers" in str(message):  # Dask has warnings of its own
                told.append(str(message))
                cluster.scale(1)

        monkeypatch.setattr(warnings, "showwarning", come)
        model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client, verbose=1)
        assert_same(model.fit(shards), expected)
    assert told[0].startswith("The Dask cluster has no workers after 0 rounds. Waiting for one")
    assert any("has no workers after" in text and " 0 rounds" not in text for text in told)


def test_nothing_is_left_behind(client, shards, monkeypatch):
    """An error is kept, with all that its frames hold: the workers keep nothing for it."""
    client.wait_for_workers(4)  # those that other tests have killed are back
    monkeypatch.setattr("novikoff.distributed.cluster._NOTICE", 0.2)
    model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client, verbose=1)
    with pytest.raises(ShardError, match="overflowed") as failed:
        model.fit([(X * 4e307, y) for X, y in shards])
    assert failed.tb is not None
    assert left_behind(client) == []
    # Given up in a round that nobody runs: what an interrupt does, at a moment that is known.
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster, set_as_default=False) as alone,
        during_rounds({3: lambda: cluster.scale(0)}),
    ):
        with pytest.raises(RuntimeWarning, match="has no workers") as given_up:
            model.set_params(client=alone).fit(shards)
        assert given_up.tb is not None
        assert left_behind(alone) == []


def test_an_error_of_a_task_is_no_loss_of_the_cluster(client, shards):
    def read():
        raise TimeoutError("the store did not answer")

    with pytest.raises(TimeoutError, match="the store did not answer") as failed:
        ParameterMixing(AveragedPerceptron(), client=client).fit([*shards, delayed(read)()])
    assert failed.value.__notes__ == ["Raised while shard 8 was read."]


def test_a_closed_client_is_refused(client, shards):
    closed = Client(client.scheduler.address, set_as_default=False)
    closed.close()
    with pytest.raises(ValueError, match="The Dask client is closed"):
        ParameterMixing(AveragedPerceptron(), client=closed).fit(shards)


def test_workers_need_the_same_library(client, shards):
    """Without it Dask drops a worker at its first task, and a run would wait for ever."""

    def hide():
        sys.hidden = sys.modules["novikoff"]
        sys.modules["novikoff"] = None

    def other():
        sys.hidden.__version__, sys.right = "0.0.1", sys.hidden.__version__
        sys.modules["novikoff"] = sys.hidden

    def restore():
        sys.modules["novikoff"] = sys.hidden
        sys.hidden.__version__ = sys.right

    model = ParameterMixing(AveragedPerceptron(), rounds=1, client=client).fit(shards)
    worker = min(client.nthreads())
    client.run(hide, workers=[worker])
    try:
        with pytest.raises(ClusterError, match=f"{worker} cannot import novikoff"):
            model.fit(shards)
        client.run(other, workers=[worker])
        with pytest.raises(ClusterError, match=rf"{worker} has novikoff 0\.0\.1; here it is"):
            model.fit(shards)
    finally:
        client.run(restore, workers=[worker])
    model.fit(shards)


def test_data_stays_where_it_is(client, tmp_path):
    """In ten rounds every shard is read once and never sent; theta and sums are all that travels.

    What a shard is made from may reach another worker before it is read there, at most once.
    """
    shards = integer_shards([4000] * 8, 20, seed=22)
    parts = [delayed(logged)(str(tmp_path), i, X, y) for i, (X, y) in enumerate(shards)]
    before = client.run(received)
    ParameterMixing(AveragedPerceptron(), rounds=10, client=client).fit(parts)
    sources = {part.key for part in parts}
    moved: list[str] = []
    for worker, log in client.run(received).items():
        new = log[len(before[worker]) :]
        moved += [key for key, _ in new if key in sources]
        rest = sum(n_bytes for key, n_bytes in new if key not in sources)
        assert rest < shards[0][0].nbytes / 4
    assert len(moved) == len(set(moved))
    for i in range(len(shards)):
        assert len((tmp_path / f"read-{i}").read_text().split()) == 1


@posix
@pytest.mark.thorough
def test_a_killed_client_goes_on_from_its_checkpoint(client, shards, expected, tmp_path):
    checkpoint = tmp_path / "run"
    program = textwrap.dedent(
        """
        import os, signal, sys
        from distributed import Client
        from novikoff import AveragedPerceptron
        from novikoff.distributed import ParameterMixing
        from tests.distributed.data import during_rounds, integer_shards
        die = lambda: os.kill(os.getpid(), signal.SIGKILL)
        with Client(sys.argv[1]) as client, during_rounds({3: die}):
            model = ParameterMixing(AveragedPerceptron(), rounds=25, checkpoint=sys.argv[2])
            model.set_params(verbose=1).fit(integer_shards([300] * 8, 20, seed=21))
        """
    )
    address = client.scheduler.address
    died = subprocess.run([sys.executable, "-c", program, address, str(checkpoint)], check=False)
    assert died.returncode == -signal.SIGKILL
    assert rounds_done(checkpoint) in (3, 4)
    model = ParameterMixing(
        AveragedPerceptron(), rounds=ROUNDS, checkpoint=checkpoint, client=client
    )
    assert_same(model.fit(shards), expected)
    assert rounds_done(checkpoint) == ROUNDS
    # One that has ended is not run again; one of other data or settings is refused.
    assert_same(model.fit(shards), expected)
    with pytest.raises(CheckpointError, match="more than rounds=3"):
        model.set_params(rounds=3).fit(shards)
    model.set_params(rounds=ROUNDS)
    with pytest.raises(CheckpointError, match="another run: its mixing was 'uniform'"):
        model.set_params(mixing="mistakes").fit(shards)
    with pytest.raises(CheckpointError, match="another run: it learned from other data"):
        model.set_params(mixing="uniform").fit(shards[::-1])
    (tmp_path / "else").write_text("no archive")
    with pytest.raises(CheckpointError, match="cannot be loaded: it is not a checkpoint"):
        model.set_params(checkpoint=tmp_path / "else").fit(shards)


@posix
@pytest.mark.thorough
def test_a_killed_scheduler_is_said_with_the_way_to_go_on(client, shards, expected, tmp_path):
    program = textwrap.dedent(
        """
        from distributed import LocalCluster
        cluster = LocalCluster(n_workers=1, processes=False, dashboard_address="127.0.0.1:0",
                               protocol="tcp", threads_per_worker=2)
        print(cluster.scheduler_address, flush=True)
        input()
        """
    )
    checkpoint = tmp_path / "run"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        doomed = Client(running.stdout.readline().strip(), set_as_default=False, timeout=15)
        model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, checkpoint=checkpoint)
        with (
            pytest.raises(ClusterError, match=r"cluster was lost after [34] rounds") as error,
            during_rounds({3: lambda: kill(running.pid)}),
        ):
            model.set_params(client=doomed, verbose=1).fit(shards)
        assert f"checkpoint='{checkpoint}'" in str(error.value).replace('"', "'")
        doomed.close()
    assert_same(model.set_params(client=client, verbose=0).fit(shards), expected)
