"""Random changes of a right function: each that changes a result anywhere is caught."""

import ast
import copy
import random
import warnings

import numpy as np
import pytest

from novikoff.teaching import check
from tests.teaching.submissions import function, right

OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.MatMult: ast.Mult,
    ast.LtE: ast.Lt, ast.Lt: ast.LtE, ast.GtE: ast.Gt, ast.Gt: ast.GtE,
}  # fmt: skip


def places(tree):
    """Everything that can be changed: (what, node, where in it)."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            found.append(("operator", node, None))
        if isinstance(node, ast.Compare):
            found += [("comparison", node, None)] * 3
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            found += [("constant", node, None)] * 2
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.append(("name", node, None))
        for field in ("body", "orelse"):
            statements = getattr(node, field, [])
            if isinstance(statements, list):
                found += [("order", node, (field, k)) for k in range(len(statements) - 1)]
    return found


def mutated(source, generator):
    """The source with one thing changed, or two."""
    tree = ast.parse(source)
    for _ in range(generator.choice((1, 1, 2))):
        what, node, where = generator.choice(places(tree))
        if what == "operator":
            node.op = OPERATORS[type(node.op)]()
        elif what == "comparison":
            node.ops = [generator.choice((ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq))()]
        elif what == "constant":
            node.value = generator.choice((-1, 0, 1, 2))
        elif what == "name":
            names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
            node.id = generator.choice(names)
        else:
            statements = getattr(node, where[0])
            k = where[1]
            statements[k], statements[k + 1] = statements[k + 1], statements[k]
    return ast.unparse(ast.fix_missing_locations(tree))


def random_points(generator):
    n, d = generator.randint(1, 6), generator.randint(1, 3)
    X = np.array([[generator.randint(-4, 4) for _ in range(d)] for _ in range(n)], float)
    return X, np.array([generator.choice((-1, 1)) for _ in range(n)]), generator.randint(1, 4)


def result(learn, X, y, T):
    """What it returns as numbers; None if it returns nothing of use."""
    X, y = X.copy(), y.copy()
    kept = X.copy(), y.copy()
    try:
        theta, offset = learn(X, y, T)
        found = [*np.ravel(np.array(theta, float)), float(offset)]
    except Exception:
        return None
    unchanged = np.array_equal(X, kept[0]) and np.array_equal(y, kept[1])
    return found if unchanged and len(found) == X.shape[1] + 1 else None


def differs(learn, reference, sets):
    for X, y, T in sets:
        yours, ours = result(learn, X, y, T), result(reference, X, y, T)
        if yours is None or not np.allclose(yours, ours, rtol=1e-9, atol=1e-9):
            return True
    return False


def escaped(source, kind, n_mutations, n_sets, seed):
    """Mutations that are wrong somewhere, and that no point set of ours shows."""
    generator = random.Random(seed)
    sets = [random_points(generator) for _ in range(n_sets)]
    reference = function(source)
    missed, n_wrong = [], 0
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for mutation in (mutated(copy.copy(source), generator) for _ in range(n_mutations)):
            learn = function(mutation)
            if differs(learn, reference, sets):
                n_wrong += 1
                if check(learn, kind=kind).right:
                    missed.append(mutation)
    assert n_wrong > n_mutations / 2  # most mutations do harm
    return missed


def test_some_mutations_are_caught():
    assert escaped(right("perceptron"), "perceptron", 25, 40, 0) == []


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("kind", ["perceptron", "averaged", "pa"])
def test_two_hundred_mutations_are_caught(kind, seed):
    source = right(kind).replace(", C):", "):").replace("min(C,", "min(1,")
    assert escaped(source, kind, 200, 1000, seed) == []
