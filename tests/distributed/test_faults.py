"""Workers, clients and schedulers that die: kill -9, and the same model in the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from dask import delayed
from distributed import Client

from novikoff import AveragedPerceptron
from novikoff.distributed import ClusterError, ParameterMixing
from novikoff.streams import CheckpointError
from tests.distributed.data import integer_shards, logged
from tests.distributed.test_mixing import assert_same

ROUNDS = 25


@pytest.fixture(scope="module")
def shards():
    return integer_shards([300] * 8, 20, seed=21)


@pytest.fixture(scope="module")
def expected(client, shards):
    return ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, client=client).fit(shards)


def rounds_done(checkpoint) -> int:
    try:
        with np.load(checkpoint, allow_pickle=False) as archive:
            return len(archive["mistakes"])
    except FileNotFoundError:
        return 0


def when(checkpoint, n_rounds, act):
    """Do something as soon as so many rounds are done."""

    def watch():
        while rounds_done(checkpoint) < n_rounds:
            time.sleep(0.005)
        act()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def received(dask_worker) -> list[tuple[str, int]]:
    """What a worker has received from others: names of results, and their bytes."""
    log = dask_worker.transfer_incoming_log
    return [(str(key), n) for transfer in log for key, n in transfer["keys"].items()]


def kill(pid) -> None:
    os.kill(pid, signal.SIGKILL)


def test_killed_workers_cost_their_shards_and_nothing_else(client, shards, expected, tmp_path):
    """Two of four workers die in different rounds; only what they held is read again."""
    parts = [delayed(logged)(str(tmp_path), i, X, y) for i, (X, y) in enumerate(shards)]
    checkpoint = tmp_path / "run"
    pids = sorted(client.run(os.getpid).values())
    killers = [
        when(checkpoint, n, lambda pid=pid: kill(pid)) for n, pid in zip((3, 9), pids, strict=False)
    ]
    model = ParameterMixing(AveragedPerceptron(), rounds=ROUNDS, checkpoint=checkpoint)
    assert_same(model.set_params(client=client).fit(parts), expected)
    for killer in killers:
        killer.join()
    n_reads = 0
    for i in range(len(shards)):
        readers = [int(pid) for pid in (tmp_path / f"read-{i}").read_text().split()]
        # Only the death of its reader is a reason to read a shard again.
        assert all(pid in pids[:2] for pid in readers[:-1])
        n_reads += len(readers)
    assert len(shards) < n_reads <= 2 * len(shards)
    client.wait_for_workers(4, timeout=60)


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


def test_a_killed_client_goes_on_from_its_checkpoint(client, shards, expected, tmp_path):
    checkpoint = tmp_path / "run"
    program = textwrap.dedent(
        """
        import sys
        from distributed import Client
        from novikoff import AveragedPerceptron
        from novikoff.distributed import ParameterMixing
        from tests.distributed.data import integer_shards
        with Client(sys.argv[1]) as client:
            model = ParameterMixing(AveragedPerceptron(), rounds=10_000, checkpoint=sys.argv[2])
            model.fit(integer_shards([300] * 8, 20, seed=21))
        """
    )
    address = client.scheduler.address
    running = subprocess.Popen([sys.executable, "-c", program, address, str(checkpoint)])
    when(checkpoint, 3, lambda: kill(running.pid)).join()
    running.wait()
    done = rounds_done(checkpoint)
    assert 3 <= done < ROUNDS
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
    with pytest.raises(CheckpointError, match="another run: its data was"):
        model.set_params(mixing="uniform").fit(shards[::-1])
    (tmp_path / "else").write_text("no archive")
    with pytest.raises(CheckpointError, match="is no checkpoint, or a damaged one"):
        model.set_params(checkpoint=tmp_path / "else").fit(shards)


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
        doomed = Client(running.stdout.readline().strip(), set_as_default=False, timeout=5)
        when(checkpoint, 3, lambda: kill(running.pid))
        model = ParameterMixing(AveragedPerceptron(), rounds=10_000, checkpoint=checkpoint)
        with pytest.raises(ClusterError, match="cluster was lost after") as error:
            model.set_params(client=doomed).fit(shards)
        assert f"checkpoint='{checkpoint}'" in str(error.value).replace('"', "'")
        doomed.close()
    model.set_params(client=client, rounds=max(ROUNDS, rounds_done(checkpoint)))
    found = model.fit(shards)
    if found.n_rounds_ == ROUNDS:
        assert_same(found, expected)
    np.testing.assert_array_equal(found.mistakes_[:ROUNDS], expected.mistakes_)
