"""The voted perceptron: all hypotheses vote."""

from __future__ import annotations

from novikoff.estimators._parameters import PerceptronParameters, documented, with_defaults
from novikoff.estimators.linear import LinearClassifier


@documented
@with_defaults(max_iter=10)
class VotedPerceptron(PerceptronParameters, LinearClassifier):
    """The voted perceptron (Freund and Schapire 1999): all hypotheses vote.

    Each hypothesis votes with the number of examples it survived: the prediction is the sign of
    sum c_k h_k(x), and `decision_function` returns that sum. The hypotheses are kept as the rows
    that caused the updates, so a model is about as large as those rows. A prediction costs up to
    one score per hypothesis: those that survived for long are asked first, until the class is sure.

    Parameters
    ----------
    <parameters>

    Attributes
    ----------
    <attributes>
    survival_times_ : list of ndarray
        Per hyperplane (one entry if joint), how many examples each hypothesis was the current one
        for, counting the example that created it. `coef_` is the last hypothesis.

    Examples
    --------
    >>> from novikoff import VotedPerceptron
    >>> clf = VotedPerceptron(order="cyclic", max_iter=2, fit_intercept=False)
    >>> clf = clf.fit([[1.0], [-1.0]], [1, 0])
    >>> clf.survival_times_  # theta = 0 errs at once, its successor lives for all four examples
    [array([0, 4])]
    >>> clf.decision_function([[2.0], [-2.0]])
    array([ 4., -4.])
    """

    kept = "vote"
