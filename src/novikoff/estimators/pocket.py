"""The pocket perceptron: the best hypothesis met."""

from __future__ import annotations

from novikoff.estimators._parameters import PerceptronParameters, documented, with_defaults
from novikoff.estimators.linear import LinearClassifier


@documented
@with_defaults()
class PocketPerceptron(PerceptronParameters, LinearClassifier):
    """The pocket algorithm with ratchet (Gallant 1990): predicts with the best hypothesis met.

    Runs the perceptron and keeps, "in the pocket", the hypothesis with the smallest training
    error. A hypothesis is measured on all rows when it has been right on more examples in a row
    than the one in the pocket was, and replaces it if its error, weighted by sample and class
    weights, is strictly smaller. More than two classes: one pocket per hyperplane, or one for a
    joint set.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>
    last_coef_, last_intercept_ : ndarray
        The last hypothesis. `coef_` and `intercept_` are the one in the pocket.

    Examples
    --------
    >>> from novikoff import PocketPerceptron
    >>> X, y = [[-3.0], [-1.0], [1.0], [2.0]], [0, 1, 0, 1]  # no threshold is right on all four
    >>> PocketPerceptron().fit(X, y).score(X, y)
    0.75
    """

    kept = "pocket"
