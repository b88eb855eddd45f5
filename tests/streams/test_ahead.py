"""One item in advance, and nothing else changes."""

import threading

import pytest

from novikoff.streams.chunks import ahead


def test_the_next_item_is_made_while_the_caller_has_this_one():
    made = [threading.Event() for _ in range(3)]

    def items():
        for number, event in enumerate(made):
            event.set()
            yield number

    for number in ahead(items()):
        assert made[min(number + 1, 2)].wait(60)


def test_what_was_made_before_an_error_arrives_before_it():
    def items():
        yield 1
        yield 2
        raise ValueError("the third")

    some = ahead(items())
    assert [next(some), next(some)] == [1, 2]
    with pytest.raises(ValueError, match="the third"):
        next(some)


def test_whoever_stops_early_is_not_kept_waiting():
    some = ahead(iter(range(10**6)))
    assert [next(some), next(some)] == [0, 1]
    some.close()
    assert list(some) == []
    assert list(ahead(iter(()))) == []
