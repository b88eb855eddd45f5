"""Right functions as students write them, and the lines that make them wrong.

Nothing here comes from the library's own reference: a mistake is a line of the submission replaced
by a wrong one.
"""

from __future__ import annotations

import numpy as np

LINEAR = """
def learn(X, y, T{more}):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    for t in range(T):
        for i in range(len(X)):
            score = theta @ X[i] + theta_0
            if {test}:
                theta = theta + y[i] * X[i]
                theta_0 = theta_0 + y[i]
    return theta, theta_0
"""
TESTS = {
    "mistake": "y[i] * score <= 0",
    "sign": "y[i] != (1 if score >= 0 else -1)",
    "correct": "y[i] * score < 0",
}
AVERAGED = """
def learn(X, y, T):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    total, total_0, count = np.zeros(X.shape[1]), 0.0, 1
    for t in range(T):
        for i in range(len(X)):
            score = theta @ X[i] + theta_0
            if y[i] * score <= 0:
                theta = theta + y[i] * X[i]
                theta_0 = theta_0 + y[i]
            total, total_0, count = total + theta, total_0 + theta_0, count + 1
    return total / count, total_0 / count
"""
DAUME = """
def learn(X, y, T):
    theta, theta_0, c = np.zeros(X.shape[1]), 0.0, 1
    u, beta = np.zeros(X.shape[1]), 0.0
    for t in range(T):
        for i in range(len(X)):
            if y[i] * (theta @ X[i] + theta_0) <= 0:
                theta, theta_0 = theta + y[i] * X[i], theta_0 + y[i]
                u, beta = u + c * y[i] * X[i], beta + c * y[i]
            c = c + 1
    return theta - u / c, theta_0 - beta / c
"""
VOTED = """
class learn:
    def __init__(self, epochs):
        self.epochs = epochs

    def fit(self, X, y):
        theta, theta_0, c = np.zeros(X.shape[1]), 0.0, 0
        self.votes = []
        for t in range(self.epochs):
            for i in range(len(X)):
                score = theta @ X[i] + theta_0
                if y[i] * score <= 0:
                    self.votes.append((theta, theta_0, c))
                    theta = theta + y[i] * X[i]
                    theta_0 = theta_0 + y[i]
                    c = 1
                else:
                    c = c + 1
        self.votes.append((theta, theta_0, c))

    def predict(self, X):
        return np.array([self.vote(x) for x in X])

    def vote(self, x):
        total = 0
        for theta, theta_0, c in self.votes:
            score = theta @ x + theta_0
            total += c * (1 if score >= 0 else -1)
        return 1 if total >= 0 else -1
"""
VOTES = """
def learn(X, y, T):
    model = Voter(T)
    model.fit(X, y)
    return model.votes
""" + VOTED.replace("class learn", "class Voter")
POCKET = """
def learn(X, y, T):
    def errors(theta, theta_0):
        return sum(b * (theta @ a + theta_0) <= 0 for a, b in zip(X, y))

    theta, theta_0, run = np.zeros(X.shape[1]), 0.0, 0
    best, best_errors, best_run = (theta, theta_0), errors(theta, theta_0), 0
    measured = True
    for t in range(T):
        for i in range(len(X)):
            score = theta @ X[i] + theta_0
            if y[i] * score <= 0:
                theta = theta + y[i] * X[i]
                theta_0 = theta_0 + y[i]
                run, measured = 0, False
            else:
                run = run + 1
                if measured and best[0] is theta:
                    best_run = run
                if run > best_run and not measured:
                    measured = True
                    if errors(theta, theta_0) < best_errors:
                        best, best_errors = (theta, theta_0), errors(theta, theta_0)
                        best_run = run
    if errors(theta, theta_0) < best_errors:
        best = theta, theta_0
    return best
"""
KERNEL = """
def learn(X, y, T, kernel):
    n = len(X)
    alpha = np.zeros(n)
    for t in range(T):
        for i in range(len(X)):
            score = sum(alpha[j] * y[j] * kernel(X[j], X[i]) for j in range(n))
            if {test}:
                alpha[i] = alpha[i] + 1
    return alpha
"""
PA = """
def learn(X, y, T, C):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    for t in range(T):
        for i in range(len(X)):
            score = theta @ X[i] + theta_0
            loss = 1 - y[i] * score
            norm = X[i] @ X[i] + 1
            if loss > 0:
                tau = min(C, loss / norm)
                theta = theta + tau * y[i] * X[i]
                theta_0 = theta_0 + tau * y[i]
    return theta, theta_0
"""


def right(kind, ties="mistake"):
    """The source of a right function."""
    if kind == "perceptron":
        return LINEAR.format(test=TESTS[ties], more="")
    if kind == "margin":
        test = TESTS[ties].replace("= 0", "= margin").replace("< 0", "< margin")
        return LINEAR.format(test=test, more=", margin")
    if kind == "kernel":
        return KERNEL.format(test=TESTS[ties])
    return {"averaged": AVERAGED, "voted": VOTED, "pocket": POCKET, "pa": PA}[kind]


def function(source, name="learn"):
    """The function that a source defines."""
    names = {"np": np}
    exec(compile(source, "submission.py", "exec"), names)
    return names[name]


def wrong(source, changes):
    """The source with lines replaced: what, by what, and how often if not everywhere."""
    for old, new, *times in changes:
        assert old in source, old
        source = source.replace(old, new, *times)
    return source


THETA, OFFSET, TEST = (
    "theta = theta + y[i] * X[i]", "theta_0 = theta_0 + y[i]", "y[i] * score <= 0",
)  # fmt: skip
ELSE = "\n            else:\n                "
EPOCHS, VISITS = "for t in range(T)", "for i in range(len(X))"
# What every kind with a theta, an offset and the test y s <= 0 can get wrong.
COMMON = {
    "strict": [(TEST, "y[i] * score < 0")],
    "sign-minus": [(TEST, "y[i] != (1 if score > 0 else -1)")],
    "sign-plus": [(TEST, "y[i] != (1 if score >= 0 else -1)")],
    "every-example": [(TEST, "True")],
    "without-y": [(THETA, "theta = theta + X[i]"), (OFFSET, "theta_0 = theta_0 + 1")],
    "theta-without-y": [(THETA, "theta = theta + X[i]")],
    "offset-without-y": [(OFFSET, "theta_0 = theta_0 + 1")],
    "test-without-y": [(TEST, "score <= 0")],
    "subtracts": [(THETA, "theta = theta - y[i] * X[i]"), (OFFSET, "theta_0 = theta_0 - y[i]")],
    "offset-never": [(OFFSET, "pass")],
    "offset-twice": [(OFFSET, "theta_0 = theta_0 + 2 * y[i]")],
    "offset-twice in the score": [("@ X[i] + theta_0", "@ X[i] + 2 * theta_0")],
    "offset-score": [(OFFSET, "theta_0 = theta_0 + y[i] * score")],
    "shuffled": [(VISITS, "for i in np.random.permutation(len(X))")],
    "shuffled with replacement": [(VISITS, "for i in np.random.randint(len(X), size=len(X))")],
    "off-by-one short": [(EPOCHS, "for t in range(T - 1)")],
    "off-by-one long": [(EPOCHS, "for t in range(T + 1)")],
    "one-epoch": [(EPOCHS, "for t in range(1)")],
    "transposed": [("theta, theta_0", "X = X.T; theta, theta_0", 1)],
    "changes-data": [(THETA, "X[i] *= y[i]; theta = theta + X[i]")],
    "clean-example": [(OFFSET, OFFSET + ELSE + "return theta, theta_0")],
    "clean-example of an epoch": [(OFFSET, OFFSET + ELSE + "break")],
    "clean-example by a flag": [
        (VISITS, "done = True\n        for i in range(len(X))"),
        (OFFSET, OFFSET + "\n                done = False" + ELSE + "done = True"),
        ("    return theta, theta_0", "        if done: break\n    return theta, theta_0"),
    ],
}  # fmt: skip

RETURN = "    return theta, theta_0"
LINEAR_ONLY = {
    "changes-data harmlessly": [(RETURN, "    X[0] = 9\n" + RETURN)],
    "offset-outside": [("y[i] * score", "y[i] * (score - theta_0) + theta_0")],
    "update-ends": [(OFFSET, OFFSET + "\n                return theta, theta_0")],
    "update-ends the epoch": [(OFFSET, OFFSET + "\n                break")],
    "shuffled alike each time": [
        ("theta, theta_0 =", "seed = np.random.RandomState(3)\n    theta, theta_0 =", 1),
        (VISITS, "for i in seed.permutation(len(X))"),
    ],
}
SIGN = TESTS["sign"]
OF_SIGN = {
    "strict": [(SIGN, "y[i] * score < 0")],
    "sign-zero": [(SIGN, "y[i] != np.sign(score)")],
    "sign-minus": [(SIGN, "y[i] != (1 if score > 0 else -1)")],
}
OF_MARGIN = {"margin-ignored": [("<= margin", "<= 0")], "strict": [("<= margin", "< margin")]}
MEAN = "    return total / count, total_0 / count"
ADDED = "total, total_0, count = total + theta, total_0 + theta_0, count + 1"
OF_AVERAGED = {
    "mean-of-updates": [("            " + ADDED, "                " + ADDED)],
    "mean-of-updates without the start": [
        ("            " + ADDED, "                " + ADDED), ("0.0, 1\n", "0.0, 0\n"),
        (MEAN, "    return total / max(count, 1), total_0 / max(count, 1)"),
    ],
    "mean-without-start": [("0.0, 1\n", "0.0, 0\n")],
    "mean-wrong-count by epochs": [
        ("0.0, 1\n", "0.0, 0\n"), (MEAN, "    return total / T, total_0 / T"),
    ],
    "mean-wrong-count by examples": [
        ("0.0, 1\n", "0.0, 0\n"), (MEAN, "    return total / len(X), total_0 / len(X)"),
    ],
    "integer-division": [(MEAN, "    return total // count, total_0 // count")],
    "stops-counting": [
        (VISITS, "clean = True\n        for i in range(len(X))"),
        (OFFSET, OFFSET + "\n                clean = False"),
        (MEAN, "        if clean: break\n" + MEAN),
    ],
    "clean-example": [(OFFSET, OFFSET + ELSE + MEAN.strip())],
    "clean-example of an epoch": [(OFFSET, OFFSET + ELSE + "break")],
}  # fmt: skip
LISTED = """
def learn(X, y, T):
    theta, theta_0 = np.zeros(X.shape[1]), 0.0
    kept = [(theta, theta_0)]
    for t in range(T):
        for i in range(len(X)):
            if y[i] * (theta @ X[i] + theta_0) <= 0:
                theta = theta + y[i] * X[i]
                theta_0 = theta_0 + y[i]
            kept.append((theta, theta_0))
    return np.mean([a for a, b in kept], axis=0), np.mean([b for a, b in kept])
"""
ALIAS = (THETA, "theta += y[i] * X[i]")
OF_LISTED = {
    "alias": [ALIAS],
    "alias without the start": [ALIAS, ("kept = [(theta, theta_0)]", "kept = []")],
}
OF_DAUME = {"missing-factor": [("c * y[i]", "y[i]")]}
OF_VOTES = {
    "alias": [ALIAS],
    "survival-from-one": [("0.0, 0\n", "0.0, 1\n")],
    "survival-from-zero": [("c = 1\n", "c = 0\n")],
    "survival-from-one for each": [("c = 1\n", "c = 2\n")],
}
OF_VOTED = {
    "scores-voted": [("c * (1 if score >= 0 else -1)", "c * score")],
    "sign-zero": [("c * (1 if score >= 0 else -1)", "c * np.sign(score)"),
                  ("return 1 if total >= 0 else -1", "return np.sign(total)")],
    "sign-minus": [("(1 if score >= 0 else -1)", "(1 if score > 0 else -1)"),
                   ("return 1 if total >= 0", "return 1 if total > 0")],
}  # fmt: skip
OF_POCKET = {
    "last-not-best": [("    return best", "    return theta, theta_0")],
    "offset-twice in the score": [
        ("+ theta_0\n", "+ 2 * theta_0\n"),
        ("+ theta_0)", "+ 2 * theta_0)"),
    ],
    "pocket-impatient": [
        (
            "run, measured = 0, False",
            """run, measured = 0, True
                if errors(theta, theta_0) < best_errors:
                    best, best_errors = (theta, theta_0), errors(theta, theta_0)""",
        )
    ],
}
OF_KERNEL = {
    "without-y": [("alpha[j] * y[j] *", "alpha[j] *")],
    "linear-kernel": [("kernel(X[j], X[i])", "(1 + X[j] @ X[i])")],
    "strict": [(TEST, "y[i] * score < 0")],
    "every-example": [(TEST, "True")],
    "test-without-y": [(TEST, "score <= 0")],
    "sign-plus": [(TEST, SIGN)],
    "sign-minus": [(TEST, "y[i] != (1 if score > 0 else -1)")],
    "subtracts": [("= sum(", "= -sum(")],
    "off-by-one": [(EPOCHS, "for t in range(T - 1)")],
    "shuffled": COMMON["shuffled"],
    "transposed": [("n = len(X)", "X = X.T; n = len(X)")],
    "clean-example": [
        ("+ 1\n    return", "+ 1\n            else:\n                return alpha\n    return")
    ],
}
PA_THETA, PA_OFFSET = "theta = theta + tau * y[i] * X[i]", "theta_0 = theta_0 + tau * y[i]"
OF_PA = {
    "every-example": [("loss > 0", "True")],
    "test-without-y": [("1 - y[i] * score", "1 - score")],
    "without-y": [(PA_THETA, "theta = theta + tau * X[i]"), (PA_OFFSET, "theta_0 = theta_0 + tau")],
    "theta-without-y": [(PA_THETA, "theta = theta + tau * X[i]")],
    "offset-without-y": [(PA_OFFSET, "theta_0 = theta_0 + tau")],
    "offset-never": [(PA_OFFSET, "pass")],
    "offset-twice": [(PA_OFFSET, "theta_0 = theta_0 + 2 * tau * y[i]")],
    "offset-score": [(PA_OFFSET, "theta_0 = theta_0 + tau * y[i] * score")],
    "subtracts": [(PA_THETA, "theta = theta - tau * y[i] * X[i]"),
                  (PA_OFFSET, "theta_0 = theta_0 - tau * y[i]")],
    "integer-division": [("loss / norm", "loss // norm")],
    "norm-without-offset": [("X[i] @ X[i] + 1", "X[i] @ X[i]"), ("loss > 0", "norm * loss > 0")],
    "uncapped": [("min(C, loss / norm)", "loss / norm")],
    "shuffled": COMMON["shuffled"],
    "off-by-one": [(EPOCHS, "for t in range(T - 1)")],
    "one-epoch": COMMON["one-epoch"],
    "transposed": COMMON["transposed"],
    "changes-data": [(PA_THETA, "X[i] *= tau * y[i]; theta = theta + X[i]")],
    "clean-example": [(PA_OFFSET, PA_OFFSET + ELSE + "return theta, theta_0")],
}  # fmt: skip


def without(table, *names):
    """The entries whose mistakes are not named."""
    return {key: value for key, value in table.items() if key.split()[0] not in names}


def _margin(table):
    """The same, where the threshold is the margin."""
    return {
        key: [(change[0].replace("<= 0", "<= margin"), *change[1:]) for change in changes]
        for key, changes in table.items()
    }


OWN_RETURN = without(COMMON, "clean-example")
# kind, ties, how it is checked, the right source, the wrong lines by mistake
ALL = [
    ("perceptron", {"ties": "mistake"}, right("perceptron"), {**COMMON, **LINEAR_ONLY}),
    ("perceptron", {"ties": "sign"}, right("perceptron", "sign"), OF_SIGN),
    ("margin", {}, right("margin"), {
        **without(_margin(COMMON), "strict", "sign-minus", "sign-plus", "test-without-y"),
        **OF_MARGIN, "test-without-y": [("y[i] * score <= margin", "score <= margin")],
    }),
    ("averaged", {}, AVERAGED, {**OWN_RETURN, **OF_AVERAGED}),
    ("averaged", {}, DAUME, OF_DAUME),
    ("averaged", {}, LISTED, OF_LISTED),
    ("voted", {}, VOTES, {**OF_VOTES}),
    ("voted", {}, VOTED, {**OF_VOTED}),
    ("pocket", {}, POCKET, {**without(OWN_RETURN, "transposed", "changes-data"), **OF_POCKET}),
    ("kernel", {}, right("kernel"), OF_KERNEL),
    ("pa", {}, PA, OF_PA),
]  # fmt: skip
