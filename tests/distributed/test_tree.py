"""Sums along a fixed tree do not depend on who adds up what, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.distributed.placement import Place, lanes_of
from novikoff.distributed.rounds import Forest
from tests.distributed.oracle import tree_sum

# The threads of a cluster that another test has in this process draw random numbers of their own.
pytestmark = pytest.mark.filterwarnings("ignore::hypothesis.errors.HypothesisDeprecationWarning")


@given(st.integers(1, 40), st.integers(1, 6), st.randoms(use_true_random=False))
def test_any_grouping_gives_the_sum_of_the_tree(n, n_groups, random):
    values = [random.uniform(-1, 1) * 10.0 ** random.randint(-8, 8) for _ in range(n)]
    groups = [Forest(n) for _ in range(n_groups)]
    for i in random.sample(range(n), n):
        random.choice(groups).add((0, i), values[i])
    whole = Forest(n)
    for group in groups:
        whole.update(group)
    assert whole.total == tree_sum(values)


@given(st.integers(1, 40), st.data())
def test_every_shard_is_in_one_lane_at_its_home(n, data):
    workers = {"a": Place(1, 0), "b": Place(2, 1000), "c": Place(7, 10**9)}
    homes = data.draw(st.lists(st.sampled_from([*workers]), min_size=n, max_size=n))
    sizes = data.draw(st.lists(st.integers(0, 300), min_size=n, max_size=n))
    lanes = lanes_of(homes, workers, sizes)
    assert sorted(s for lane in lanes for batch in lane.batches for s in batch) == list(range(n))
    for home, (n_threads, memory) in workers.items():
        mine = [lane.batches for lane in lanes if lane.home == home]
        assert len(mine) == min(n_threads, homes.count(home))
        assert all(homes[s] == home for batches in mine for batch in batches for s in batch)
        lengths = [sum(map(len, batches)) for batches in mine]
        assert not lengths or max(lengths) - min(lengths) <= 1
        # Nothing is divided that fits, and nothing is together that does not.
        held = sum(sizes[s] for s in range(n) if homes[s] == home)
        if not memory or held <= memory / 2:
            assert all(len(batches) == 1 for batches in mine)
        else:
            together = [batch for batches in mine for batch in batches if len(batch) > 1]
            assert all(sum(sizes[s] for s in b) <= 0.2 * memory / len(mine) for b in together)
