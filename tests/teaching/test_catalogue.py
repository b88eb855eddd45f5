"""Each mistake of the catalogue is named as itself, in every kind where it can be made."""

import pytest

from novikoff.teaching import check
from novikoff.teaching.checking import Function
from novikoff.teaching.comparing import found_on
from novikoff.teaching.diagnosis import candidates, diagnose
from novikoff.teaching.points import Points, more_points
from novikoff.teaching.task import task_of
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


@pytest.mark.parametrize("name", ["offset-never", "offset-score"])
def test_candidates_are_told_apart_by_one_more_question(name):
    """After one example from zero the score was 0: both leave the offset where it is."""
    task = task_of()
    subject = Function(
        function(wrong(submissions.right("perceptron"), submissions.COMMON[name])), task
    )
    findings = [found_on(task, Points("one", ((1, 2),), (1,), 1), subject)]
    assert {"offset-never", "offset-score"} <= {found for found, _ in candidates(task, findings)}
    diagnosis = diagnose(
        task, findings, subject, lambda n: more_points(task, n, epochs=True, predicts=False)
    )
    assert diagnosis.names == (name,)
    assert diagnosis.apart
