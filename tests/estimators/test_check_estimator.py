"""scikit-learn's own checks."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, VotedPerceptron


def expected_failures(estimator):
    # Twice an example and an example of weight two are different things to a learner that goes
    # from example to example. scikit-learn lists the same two for its SGDClassifier.
    reason = "an online learner: a repeated row is visited twice, a weighted one once"
    return {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [Perceptron(), AveragedPerceptron(), VotedPerceptron(), PocketPerceptron()],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
