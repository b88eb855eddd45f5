"""Links that the command writes are those that the page reads, and writes itself."""

import random

import pytest

from novikoff.web.documents import LONGEST, fragment_of, state_of

BOTH = """given.map(({ link, view }) => {
  const known = { units: ["update"], notations: ["theta"], algorithms: [] };
  const read = found.fromFragment(link, known);
  return read && [read.document, found.toFragment(read.document, read.view)];
})"""
NAMES = ("a b", "<b>ü&=#+%</b>")


def states(seed):
    draw = random.Random(seed)
    for n in (1, 2, 7, 40, 150):
        for decimals, size in ((0, 9), (1, 50), (2, 5000), (5, 10**7), (0, 10**9)):
            xs = [(draw.randint(-size, size) / 10**decimals) for _ in range(2 * n)]
            points = list(zip(xs[::2], xs[1::2], (draw.choice([-1, 1]) for _ in range(n)),
                              strict=True))  # fmt: skip
            yield state_of(points, axes=NAMES, classes=NAMES, end=n > 2)


def test_the_page_reads_them_and_would_write_the_same(node):
    made = [(state, fragment_of(state)) for state in states(0)]
    fitting = [(state, link) for state, link in made if link is not None]
    assert len(fitting) > 15
    found = node("link.js", BOTH, [{"link": link} for _, link in fitting])
    for (state, link), (document, again) in zip(fitting, found, strict=True):
        assert document["points"] == state["document"]["points"]
        assert document["axes"] == list(NAMES)
        assert document["classes"] == {"negative": NAMES[0], "positive": NAMES[1]}
        assert again == link
        assert len(link) <= LONGEST


@pytest.mark.parametrize(
    "points",
    [[(1 / 3, 0.0, 1)], [(1e9, 1e-9, 1), (0.0, 0.0, -1)], [],
     [(float(i), i / 100, 1) for i in range(999)]],
)  # fmt: skip
def test_what_does_not_fit_has_no_link(points):
    assert fragment_of(state_of(points)) is None
