"""The same example, and three answers: the perceptron's, PA's and AROW's."""

import matplotlib.pyplot as plt
import numpy as np

from novikoff import OnlineClassifier, rules

# AROW has learned from rows that differ in x₁ only: of x₁ it is sure by now, of x₂ it is not.
seen = np.array([[1.5, 0.1], [-1.5, 0.1], [1.2, -0.1], [-1.3, -0.1], [1.4, 0.0], [-1.4, 0.0]])
arow = OnlineClassifier(rules.AROW(r=0.3), fit_intercept=False)
arow.partial_fit(seen, seen[:, 0] > 0)
start, variances = arow.coef_.copy(), arow.learned_.state.beside["variances"][0]
x, y = np.array([[0.7, -1.2]]), [False]  # on the wrong side

after = {"perceptron": rules.Perceptron(), "PA": rules.PassiveAggressive(C=np.inf)}
both = np.vstack([x, -x]), [False, True]  # a fit needs two classes; the second row asks for nothing
for name, rule in after.items():
    clf = OnlineClassifier(rule, keep="mean", fit_intercept=False, order="cyclic", max_iter=1)
    after[name] = clf.fit(*both, coef_init=start).last_coef_[0]
after["AROW"] = arow.partial_fit(x, y).coef_[0]

figure, panels = plt.subplots(1, 3, figsize=(10, 3.7), layout="constrained", sharey=True)
ink, line = plt.rcParams["text.color"], np.array([-4.0, 4.0])
for axes, (name, theta) in zip(panels, after.items(), strict=True):
    for w, style, label in ((start[0], ":", "before"), (theta, "-", "after")):
        along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
        axes.plot(along[0] * line, along[1] * line, style, color=ink, label=label)
    if name == "AROW":
        turn = np.linspace(0, 2 * np.pi, 100)
        ellipse = start[0][:, None] + np.sqrt(variances)[:, None] * [np.cos(turn), np.sin(turn)]
        axes.fill(*ellipse, color="C1", alpha=0.2, lw=0, label="where θ may be")
    axes.annotate("", theta, start[0], arrowprops={"arrowstyle": "-|>", "color": "C1", "lw": 2})
    axes.plot(*start[0], "o", color="C1", ms=4)
    axes.plot(*x[0], "_", color="C0", ms=12, mew=3)
    score = float(theta @ x[0])
    axes.set(title=f"{name}: y·s = {-score:.2f}", xlim=(-2, 2), ylim=(-2, 2), aspect="equal")
    axes.set(xlabel="x₁, θ₁")
panels[0].set_ylabel("x₂, θ₂")
panels[-1].legend(loc="lower left", fontsize="x-small")
