"""Each mistake of the catalogue is named as itself, in every kind where it can be made."""

import pytest

from novikoff.teaching import check
from tests.teaching import submissions
from tests.teaching.submissions import function, wrong

CASES = [
    pytest.param(kind, asked, source, changes, id=f"{kind}-{'-'.join(asked.values())}-{name}")
    for kind, asked, source, mistakes in submissions.ALL
    for name, changes in mistakes.items()
]


@pytest.mark.parametrize(("kind", "asked", "source", "changes"), CASES)
def test_a_mistake_is_named(kind, asked, source, changes, request):
    name = request.node.callspec.id.split("-", 2)[2].split()[0]
    verdict = check(function(wrong(source, changes)), kind=kind, **asked)
    assert not verdict.right
    assert verdict.mistakes == (name,), verdict.text()


@pytest.mark.parametrize(("kind", "asked", "source", "_"), submissions.ALL)
def test_the_right_ones_are_right(kind, asked, source, _):
    verdict = check(function(source), kind=kind, **asked)
    assert verdict.right, verdict.text()
