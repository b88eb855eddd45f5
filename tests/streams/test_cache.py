"""What a cache of parsed rows gives back is what was put in, however it was cut and is read."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import Perceptron
from novikoff.streams import blocks, fit_stream
from novikoff.streams.blocks import RowBlock, RowCache, joined
from tests.systems import posix


@pytest.mark.parametrize("stays", [True, False])
@pytest.mark.parametrize("together", [1, 3_000, 2**23])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
def test_rows_come_back_in_their_order(monkeypatch, sparse, weighted, together, stays):
    monkeypatch.setattr(blocks, "_TOGETHER", together)
    if not stays:
        monkeypatch.setattr(blocks, "_STAYS", 0)
    random = np.random.default_rng(0)
    cache, given = RowCache(), []
    for n, width in ((7, 3), (1, 3), (40, 5), (90, 9)):
        X = random.standard_normal((n, width if sparse else 4))
        X = sp.csr_array(X * (random.random(X.shape) < 0.3)) if sparse else X
        weights = random.random(n) if weighted else None
        labels, norms = random.integers(0, 3, n).astype(np.int32), random.random(n)
        given.append(RowBlock(X, labels, weights, norms))
        cache.add(given[-1])
    cache.finish()
    for _ in range(2):
        found, whole = joined(list(cache.blocks())), joined(given)
        assert found.X.shape == whole.X.shape
        for mine, theirs in zip(found.arrays, whole.arrays, strict=True):
            assert (mine is None) == (theirs is None)
            if theirs is not None:
                np.testing.assert_array_equal(mine, theirs)
    cache.close()


@posix
@pytest.mark.parametrize("together", [1, 2**23])
def test_a_full_disk_is_named_whenever_rows_are_written(monkeypatch, together):
    import resource

    monkeypatch.setattr(blocks, "_TOGETHER", together)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    batches = [(np.eye(50), np.arange(50) % 2)] * 3
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # the system refuses more
    try:
        with pytest.raises(OSError, match=r"cache of parsed rows could not be written .* cache="):
            fit_stream(Perceptron(), batches, epochs=2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
