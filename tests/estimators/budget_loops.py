"""Plain loops of the kernel perceptron on a budget: one row, one product, one sum at a time.

A score is summed over the support rows as they stand, the oldest first. The loops work with
whatever numbers the kernel matrix holds: doubles, or integers and fractions.
"""

from fractions import Fraction
from math import sqrt


class Loop:
    """What the loops share; `admit` is the policy.

    G : lists of kernel values, G[i][j] = K(x_i, x_j)
    labels : 0 ... C - 1; two classes have one hyperplane, whose positive class is 1
    """

    def __init__(self, G, labels, budget, *, joint=False):
        self.G, self.labels, self.budget, self.joint = G, labels, budget, joint
        self.classes = [1] if not joint and max(labels) == 1 else range(max(labels) + 1)
        self.support, self.coef = [], []  # rows, the oldest first, and K coefficients of each
        self.n_updates = [0] * len(self.classes)

    def scores(self, i):
        result = [0] * len(self.classes)
        for row, coef in zip(self.support, self.coef, strict=True):
            for k, c in enumerate(coef):
                result[k] += c * self.G[i][row]
        return result

    def steps(self, i, s):
        """What the update at row i adds to its coefficients; zeros where there is no mistake."""
        y, result = self.labels[i], [0] * len(self.classes)
        if self.joint:
            rival = max((k for k in self.classes if k != y), key=lambda k: (s[k], -k))
            if s[y] <= s[rival]:
                result[y], result[rival] = 1, -1
            return result
        for k, positive in enumerate(self.classes):
            side = 1 if y == positive else -1
            result[k] = side if side * s[k] <= 0 else 0
        return result

    def visit(self, i):
        self.update(i, self.steps(i, self.scores(i)))

    def update(self, i, steps):
        if not any(steps):
            return
        self.n_updates = [n + abs(step) for n, step in zip(self.n_updates, steps, strict=True)]
        if i in self.support:
            self.add(self.support.index(i), steps)
        else:
            self.admit(i, steps)

    def add(self, place, steps):
        self.coef[place] = [c + step for c, step in zip(self.coef[place], steps, strict=True)]

    def take_in(self, i, steps):
        self.support.append(i)
        self.coef.append(steps)

    def forget(self, place):
        del self.support[place], self.coef[place]

    def run(self, kind, epochs, random):
        """Returns the number of epochs and whether the last was one without a mistake."""
        n = len(self.labels)
        for epoch in range(1, epochs + 1):
            before = self.n_updates
            if kind == "random":
                order = random.randint(n, size=n)
            else:
                order = random.permutation(n) if kind == "shuffled" else range(n)
            for i in order:
                self.visit(int(i))
            if self.n_updates == before and (kind != "random" or self.right_on_all_rows()):
                return epoch, True
        return epochs, False

    def right_on_all_rows(self):
        return not any(any(self.steps(i, self.scores(i))) for i in range(len(self.labels)))


class RandomLoop(Loop):
    """Cavallanti, Cesa-Bianchi and Gentile (2007)."""

    def run(self, kind, epochs, random):
        self.random = random
        return super().run(kind, epochs, random)

    def admit(self, i, steps):
        if len(self.support) == self.budget:
            self.forget(self.random.randint(self.budget))
        self.take_in(i, steps)


class ForgetronLoop(Loop):
    """Dekel, Shalev-Shwartz and Singer (2008), section 4, with a component for each hyperplane.

    Psi(phi w, phi mu) = a phi^2 + b phi, with a = w^2 - 2 w mu and b = 2 |w|, summed over the
    components; mu is measured with kernel values divided by the largest K(x, x) met.
    """

    damage, largest = 0.0, 0.0

    def admit(self, i, steps):
        self.largest = max(self.largest, self.G[i][i])
        self.take_in(i, steps)
        if len(self.support) <= self.budget:
            return
        a = b = 0.0
        for w, s in zip(self.coef[0], self.scores(self.support[0]), strict=True):
            a += w * w
            if self.largest > 0:
                a -= 2.0 * w * s / self.largest
            b += 2.0 * abs(w)
        c = self.damage - 15 / 32 * sum(self.n_updates)
        phi = 1.0 if a + b + c <= 0 else min(1.0, -2 * c / (b + sqrt(b * b - 4 * a * c)))
        self.damage += a * phi**2 + b * phi
        self.coef = [[w * phi for w in coef] for coef in self.coef]
        self.forget(0)


class ProjectronLoop(Loop):
    """Orabona, Keshet and Caputo (2008), algorithm 1, over fractions; also on a spent budget."""

    def __init__(self, *arguments, threshold, **options):
        super().__init__(*arguments, **options)
        self.threshold = threshold

    def admit(self, i, steps):
        values = [Fraction(self.G[i][j]) for j in self.support]
        d = solved([[Fraction(self.G[j][k]) for k in self.support] for j in self.support], values)
        distance = self.G[i][i] - sum(u * v for u, v in zip(d, values, strict=True))  # squared
        if len(self.support) < self.budget and distance > self.threshold**2 * self.G[i][i]:
            self.take_in(i, steps)
            return
        for place, weight in enumerate(d):
            self.add(place, [weight * step for step in steps])


def solved(A, b):
    """The solution of A x = b, by Gauss and Jordan; A is positive definite."""
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    for p, pivot in enumerate(rows):
        rows[p] = pivot = [value / pivot[p] for value in pivot]
        for q, row in enumerate(rows):
            if q != p:
                rows[q] = [u - row[p] * v for u, v in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]
