"""Sums of products in the browser against fractions."""

import math
from fractions import Fraction

import numpy as np

from tests.replay.helpers import BITS, bits

SUMS = f"""
async (cases) => {{
  const {{ sumOfProducts }} = await import("/exact.js");
  return ({BITS})(cases.map(sumOfProducts));
}}
"""


def rounded(exact):
    try:
        value = float(exact)
    except OverflowError:
        value = math.inf
    if exact == 0:
        return 0.0
    return math.copysign(min(max(abs(value), 5e-324), 1.7976931348623157e308), exact > 0 or -1)


def test_a_sum_is_rounded_once(modules):
    rng = np.random.default_rng(0)
    cases = []
    for spread in (0, 4, 60, 300):  # from all alike to overflow and underflow
        for _ in range(150):
            mantissas = rng.integers(-(2**53), 2**53, size=(3, 2)).astype(float)
            case = np.ldexp(mantissas, rng.integers(-53 - spread, spread - 52, size=(3, 2)))
            if rng.random() < 0.4:  # cancels but for the last bits
                case[1] = case[0] * [-1, 1]
            cases.append(case.tolist())
    tiny, huge = 5e-324, 1.7976931348623157e308
    cases += [
        [], [[0.0, 3.0]], [[-0.0, 1.0]], [[1.0, 1.0], [-1.0, 1.0]], [[tiny, 1.0]], [[tiny, 0.5]],
        [[tiny, 0.75]], [[-tiny, 1.5]], [[huge, 1.0]], [[huge, 2.0], [-huge, 1.5]], [[huge, huge]],
        [[huge, 1.0], [2.0**969, 1.0]], [[huge, 1.0], [2.0**970, 1.0]], [[tiny, tiny]],
        [[1.0, 1.0], [2.0**-53, 1.0]], [[1.0, 1.0], [2.0**-53, 1.0], [tiny, 1.0]],
        [[1.0, 1.0], [2.0**-52, 1.0], [2.0**-53, 1.0]], [[2.0**-1022, 1.0], [-tiny, 0.5]],
    ]  # fmt: skip
    wanted = [
        rounded(sum((Fraction(a) * Fraction(b) for a, b in case), Fraction(0))) for case in cases
    ]
    found = modules.evaluate(SUMS, cases)
    unsigned = [value if value != "8000000000000000" else "0" * 16 for value in found]
    assert unsigned == bits([value + 0.0 for value in wanted])
