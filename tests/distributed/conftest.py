"""One cluster of four worker processes for all tests of this folder."""

from __future__ import annotations

import logging

import pytest

MEMORY = 900 * 2**20  # per worker; a third of it is Python and its libraries


@pytest.hookimpl(tryfirst=True)  # before each file becomes a group of its own
def pytest_collection_modifyitems(items):
    for item in items:
        if "tests/distributed" in item.nodeid:
            item.add_marker(pytest.mark.xdist_group("dask"))  # one cluster, not one per process


@pytest.fixture(scope="session")
def cluster():
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=4,
        threads_per_worker=1,
        memory_limit=MEMORY,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,  # workers are killed on purpose
    ) as running:
        yield running


@pytest.fixture(scope="session")
def client(cluster):
    from distributed import Client

    with Client(cluster) as connected:
        yield connected
