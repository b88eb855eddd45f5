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


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.every_case
@parametrize_with_checks(
    [Perceptron(), VotedPerceptron()], expected_failed_checks=expected_failures
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.thorough  # they differ from the perceptron in what they keep, and in nothing else
@parametrize_with_checks(
    [AveragedPerceptron(), PocketPerceptron()], expected_failed_checks=expected_failures
)
def test_scikit_learn_checks_of_what_is_kept(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "estimator", [Perceptron, AveragedPerceptron, VotedPerceptron, PocketPerceptron]
)
def test_an_unknown_parameter_is_refused_in_the_name_of_the_class(estimator):
    with pytest.raises(TypeError, match=rf"^{estimator.__name__}\.__init__.*'tol'"):
        estimator(tol=1e-3)
