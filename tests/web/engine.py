"""The page's engine in Node, and questions to ask it."""

import json
import random
import subprocess
from pathlib import Path

RUNNER = Path(__file__).with_name("engine_runner.mjs")
KINDS = ("whole", "real", "tenths", "wide", "collinear", "tiny", "repeated", "touching")


class Refusal(Exception):
    """What the engine says instead of an answer."""


class Engine:
    """One process for many questions."""

    def __init__(self, node):
        self.process = subprocess.Popen(
            [node, str(RUNNER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            encoding="utf-8",
        )  # fmt: skip

    def ask(self, name, /, **question):
        self.process.stdin.write(json.dumps({"name": name, "question": question}) + "\n")
        self.process.stdin.flush()
        # JavaScript writes large doubles without a point.
        found = json.loads(self.process.stdout.readline(), parse_int=_integer)
        if "refusal" in found:
            raise Refusal(found["refusal"])
        return found["answer"]

    def close(self):
        self.process.communicate(timeout=30)


def _integer(text):
    return int(text) if abs(int(text)) < 2**53 else float(text)


def points_of(rng, kind, n):
    """Points that are easy and points that are not: ties, repetitions, extreme coordinates."""
    places = [_place(rng, kind) for _ in range(n)]
    if kind == "touching":  # on a line through some of them both classes occur
        labels = [_side(x - 2 * y + 1) or rng.choice((-1, 1)) for x, y in places]
    elif rng.random() < 0.5:
        labels = [rng.choice((-1, 1)) for _ in places]
    else:
        a, b, c = rng.gauss(0, 1), rng.gauss(0, 1), rng.gauss(0, 1)
        reach = max(abs(x) for x, _ in places)
        labels = [_side(a * x + b * y + c * reach) or 1 for x, y in places]
    return [{"x": x, "y": y, "label": label} for (x, y), label in zip(places, labels, strict=True)]


def _side(score):
    return (score > 0) - (score < 0)


def _place(rng, kind):
    if kind == "collinear":
        t = rng.randint(-6, 6)
        return rng.choice(((0.3 * t, 0.1 * t + 0.7), (3 * t, t + 1)))
    if kind == "repeated":
        return rng.choice(((0, 0), (1, 2), (-1, 0.5), (2, 2), (-0.1, 0.3)))
    each = {
        "whole": lambda: rng.randint(-6, 6),
        "touching": lambda: rng.randint(-4, 4),
        "real": lambda: rng.gauss(0, 2),
        "tenths": lambda: rng.randint(-20, 20) / 10,
        "tiny": lambda: rng.randint(-5, 5) * 1e-9,
        "wide": lambda: rng.choice((-1, 1)) * 10 ** rng.uniform(-9, 9),
    }[kind]
    return each(), each()


def settings_of(rng, algorithm):
    chosen = {
        "algorithm": algorithm,
        "offset": rng.random() < 0.6,
        "ties": rng.choice(("mistake", "mistake", "sign", "correct")),
        "order": rng.choice(("cyclic", "shuffled", "random")),
        "epochs": rng.choice((1, 2, 5, 20, 60)),
        "eta": rng.choice((1.0, 1.0, 0.5, 0.1, 3.7)),
        "margin": rng.choice((0.3, 1.0, 2.0)),
        "C": rng.choice((0.1, 1.0, 1e6)),
        "seed": rng.choice((0, 1, 2**32 - 1, rng.randrange(2**32))),
    }
    if rng.random() < 0.3 or chosen["ties"] == "correct":
        chosen["start"] = [rng.choice((0, 1, -0.5, rng.gauss(0, 1))) for _ in range(3)]
    if algorithm == "margin" and chosen["ties"] == "sign":
        chosen["ties"] = "mistake"
    if algorithm == "kernel":
        chosen["ties"] = "mistake" if chosen["ties"] == "correct" else chosen["ties"]
    return chosen


def question_of(seed, algorithm, kinds=KINDS, sizes=(2, 3, 4, 5, 8, 12, 30, 60)):
    """A question with points of both classes."""
    rng = random.Random(f"{algorithm} {seed}")
    while True:
        points = points_of(rng, rng.choice(kinds), rng.choice(sizes))
        if len({point["label"] for point in points}) == 2:
            return {"points": points, "settings": settings_of(rng, algorithm)}
