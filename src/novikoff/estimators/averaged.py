"""The averaged perceptron: the mean of all hypotheses."""

from __future__ import annotations

from novikoff.estimators._parameters import PerceptronParameters, documented, with_defaults
from novikoff.estimators.linear import LinearClassifier


@documented
@with_defaults(max_iter=10)
class AveragedPerceptron(PerceptronParameters, LinearClassifier):
    """The averaged perceptron: predicts with the mean of all hypotheses.

    Every hypothesis counts as long as it survived: `coef_` is the mean of the start and of the
    hypotheses after each example of all `max_iter` epochs (those after convergence are added in
    closed form). It costs hardly more than the last hypothesis, and on data that no hyperplane
    separates it is usually much better.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>
    last_coef_, last_intercept_ : ndarray
        The last hypothesis. `coef_` and `intercept_` are means, always in float64.

    Notes
    -----
    The algorithm as printed in some lecture notes adds y x to the cached weights u, without the
    counter c; then u equals theta and the result is (1 - 1/c) theta, no average at all. Here u
    takes c y x. Where u leaves the range of float64, fitting is an error, as where theta does.

    Examples
    --------
    >>> from novikoff import AveragedPerceptron
    >>> clf = AveragedPerceptron(order="cyclic", max_iter=2, fit_intercept=False)
    >>> clf = clf.fit([[1.0], [-1.0]], [1, 0])
    >>> clf.last_coef_, clf.coef_  # the mean of theta = 0 at the start and four times 1
    (array([[1.]]), array([[0.8]]))
    """

    kept = "mean"
