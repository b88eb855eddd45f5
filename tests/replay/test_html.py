"""The page as a file, read by a parser that we did not write."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from novikoff import Perceptron
from novikoff.replay import content_hash, fragment, page
from novikoff.replay.html import MAX_ROWS, MAX_UPDATES
from tests.replay.helpers import STATIC, document_of, golden_trace

HOSTILE = (
    "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "<!--<script>",
    "\u2028\u2029", "]]>", "&lt;b&gt;", "\ud800",
)  # fmt: skip


class Read(HTMLParser):
    """Elements with their attributes, and the text of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], [], None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.open = (tag, dict(attributes))

    def handle_endtag(self, tag):
        self.open = None

    def handle_data(self, data):
        if self.open:
            self.texts.append((*self.open, data))

    def text(self, tag, **wanted):
        (found,) = [
            data for name, attributes, data in self.texts
            if name == tag and wanted.items() <= attributes.items()
        ]  # fmt: skip
        return found


def test_the_policy_allows_this_script_and_this_style_and_nothing_else():
    read = Read(page(golden_trace(), "Twelve"))
    (policy,) = [a["content"] for t, a in read.elements if "http-equiv" in a]

    def digest(text):
        return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src 'sha256-{digest(read.text('script', type='module'))}'",
        f"style-src 'sha256-{digest(read.text('style'))}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_page_refers_to_nothing_outside():
    text = page(golden_trace(), "Twelve")
    read = Read(text)
    assert not [a for _, a in read.elements if {"src", "href", "style"} & a.keys()]
    assert set(re.findall(r"\w+://[^\"' ]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "@import" not in text
    assert "url(" not in text


@pytest.mark.parametrize("label", HOSTILE)
def test_what_a_user_wrote_is_text(label):
    trace = replace(golden_trace(), classes=(label, "ok"))
    text = page(trace, label, feature_names=(label, label))
    read = Read(text)
    kinds = [tag for tag, _ in read.elements]
    plain = [tag for tag, _ in Read(page(golden_trace(), "x")).elements]
    assert kinds == plain
    document = json.loads(read.text("script", type="application/json"))
    assert document["classes"]["negative"] == label
    shown = label.encode("utf-8", "replace").decode()
    assert document["feature_names"] == [shown, shown]
    assert read.text("title") == shown
    block = re.search(r'<script type="application/json"[^>]*>(.*?)</script>', text, re.DOTALL)[1]
    assert not set(block) & set("<>&\u2028\u2029")
    text.encode()


def test_the_document_is_the_traces_own():
    trace = golden_trace("thirds_in_single_precision")
    read = Read(fragment(trace, "a-b", bound=7.5).markup)
    assert json.loads(read.text("script", id="a-b-trace")) == document_of(trace, bound=7.5)


def test_an_infinite_bound_is_no_bound():
    read = Read(fragment(golden_trace(), "a", bound=float("inf")).markup)
    assert "bound" not in json.loads(read.text("script", id="a-trace"))


def test_style_and_script_are_the_same_for_every_replay():
    one, other = fragment(golden_trace(), "a"), fragment(golden_trace(GOLDEN_OTHER), "b")
    assert (one.style, one.script) == (other.style, other.script)
    assert content_hash("").startswith("sha256-47DEQpj8HBSa")  # the digest of nothing


GOLDEN_OTHER = "twelve_points_margin_shuffled"


@pytest.mark.parametrize("id", ["", "1a", "a b", '"', "a>"])
def test_an_id_that_is_none_is_refused(id):
    with pytest.raises(ValueError, match="id must be a letter"):
        fragment(golden_trace(), id)


@pytest.mark.parametrize("option", ["counting", "keys"])
def test_an_option_that_does_not_exist_is_refused(option):
    with pytest.raises(ValueError, match=f"{option} must be one of"):
        fragment(golden_trace(), "a", **{option: '"'})


def test_names_must_be_two():
    with pytest.raises(ValueError, match="feature_names must be two"):
        page(golden_trace(), "x", feature_names=["a"])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_what_cannot_be_shown_is_refused_at_once():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(MAX_ROWS + 1, 2)), rng.integers(0, 2, MAX_ROWS + 1)
    wide = Perceptron(record_trace=True).fit([[0.0, 0, 1], [1, 1, 0]], [0, 1]).trace_
    with pytest.raises(ValueError, match="two features; this one has 3"):
        page(wide, "x")
    many = Perceptron(record_trace=True, max_iter=1).fit(X, y).trace_
    with pytest.raises(ValueError, match="at most 2000 rows; this run has 2001"):
        page(many, "x")
    long = Perceptron(record_trace=True, max_iter=100).fit(X[:500], y[:500]).trace_
    assert len(long) > MAX_UPDATES
    with pytest.raises(ValueError, match="at most 5000 updates"):
        page(long, "x")
    with pytest.raises(ValueError, match="without its examples"):
        page(replace(golden_trace(), examples=None), "x")
    several = Perceptron(record_trace=True).fit([[0.0, 0], [1, 1], [2, 5]], [0, 1, 2]).trace_
    with pytest.raises(TypeError, match=r"one Trace, not a list.*trace_\[i\]"):
        page(several, "x")


def test_the_view_has_the_same_limits():
    limits = re.search(
        r"LIMITS = \{ updates: (\d+), rows: (\d+) \}", (STATIC / "trace.js").read_text("utf-8")
    )
    assert tuple(map(int, limits.groups())) == (MAX_UPDATES, MAX_ROWS)
