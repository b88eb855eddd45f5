"""One cluster of four worker processes for all tests of this folder."""

from __future__ import annotations

import logging

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import AveragedPerceptron, Perceptron

MEMORY = 900 * 2**20  # per worker; a third of it is Python and its libraries


@pytest.hookimpl(tryfirst=True)  # before each file becomes a group of its own
def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/distributed" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group("dask"))  # one cluster, not one per process


def compile_once():
    """Compile here what four workers would else compile at the same time, each for itself."""
    X, y = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, 0.0]]), [0, 1, 2]
    for typed in (X, X.astype(np.float32), sp.csr_array(X)):
        for scheme in ("ovr", "joint"):
            AveragedPerceptron(multi_class=scheme, max_iter=1).fit(typed, y)
            Perceptron(multi_class=scheme, max_iter=20).fit(typed, y)


@pytest.fixture(scope="session")
def cluster():
    import dask
    from distributed import LocalCluster

    compile_once()
    # A killed worker is started again, which may take a busy machine longer than the 15 seconds
    # after which the cluster would give it up for good.
    patient = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
    with (
        dask.config.set(patient),
        LocalCluster(
            n_workers=4,
            threads_per_worker=1,
            memory_limit=MEMORY,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,  # workers are killed on purpose
        ) as running,
    ):
        yield running


@pytest.fixture(scope="session")
def client(cluster):
    from distributed import Client

    with Client(cluster) as connected:
        yield connected
