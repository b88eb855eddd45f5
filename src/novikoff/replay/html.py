"""A replay as HTML: a page that opens anywhere, or a fragment for a larger page."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

from novikoff.replay.bundle import bundle, static
from novikoff.trace import Trace

MAX_UPDATES, MAX_ROWS = 5000, 2000  # as in static/trace.js

_NO_SCRIPT = "This replay needs JavaScript; the file contains all of it."


class Fragment(NamedTuple):
    """What a larger page needs to show a replay.

    `style` and `script` are the same for every replay: a page with several takes them once.

    Attributes
    ----------
    style : str
        The text of a ``<style>`` element.
    markup : str
        HTML for the place where the replay stands: a ``<div>``, and the trace in a JSON block.
    script : str
        The text of a ``<script type="module">`` element, anywhere on the page.
    """

    style: str
    markup: str
    script: str


def page(
    trace: Trace,
    title: str,
    *,
    feature_names: Sequence[str] | None = None,
    bound: float | None = None,
    autoplay: bool = True,
    start: int = 0,
    counting: str = "rows",
    heading: bool = True,
) -> str:
    """A replay as one self-contained HTML file: no network, under a strict content policy.

    Parameters
    ----------
    trace : Trace
        A run on two features, with its examples: at most 5000 updates and 2000 rows.
    title : str
        Shown as text, whatever is in it.
    feature_names : (str, str), optional
        The names at the axes.
    bound : float, optional
        The most updates that the theorem allows, ``trace.audit().bound``, to be shown beside those
        that happened.
    autoplay : bool
        Whether it plays by itself once opened; never for people who ask for reduced motion.
    start, counting
        As for :func:`fragment`.
    heading : bool
        Whether the title stands above the replay, too; not in a frame of a page that names it.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> from novikoff.replay import page
    >>> X, y = [[2.0, 0.0], [0.0, 3.0], [-1.0, 0.0]], [1, 0, 0]
    >>> trace = Perceptron(record_trace=True).fit(X, y).trace_
    >>> page(trace, "Three points").splitlines()[0]
    '<!DOCTYPE html>'
    """
    part = fragment(
        trace, "replay", feature_names=feature_names, bound=bound, autoplay=autoplay, start=start,
        counting=counting, keys="document",
    )  # fmt: skip
    return _page(part, escape(_text(title)), heading)


def template() -> str:
    """The page of a replay that is still to be named: for programs that are not Python.

    `{{title}}` stands for text that HTML is to show, `{{trace}}` for a document of the trace format
    in which <, > and & are written as \\u003c, \\u003e and \\u0026.
    """
    markup = _markup("replay", "{{trace}}", _options(True, 0, "examples", "document"))
    return _page(Fragment(static("replay.css"), markup, bundle()), "{{title}}", heading=True)


def _page(part: Fragment, name: str, heading: bool) -> str:
    """A page that holds one replay; `name` is HTML."""
    style = part.style + static("page.css")
    policy = (
        f"default-src 'none'; script-src '{content_hash(part.script)}'; "
        f"style-src '{content_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    above = f'<h1 dir="auto">{name}</h1>\n' if heading else ""
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{name}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f"<main>\n{above}{part.markup}\n</main>\n"
        f'<script type="module">{part.script}</script>\n</body>\n</html>\n'
    )


def fragment(
    trace: Trace,
    id: str,
    *,
    feature_names: Sequence[str] | None = None,
    bound: float | None = None,
    autoplay: bool = False,
    start: int = 0,
    counting: str = "rows",
    keys: str = "element",
    hypotheses: tuple[Sequence[Sequence[float]], Sequence[float]] | None = None,
) -> Fragment:
    """A replay to be embedded in a larger page.

    Parameters
    ----------
    trace, feature_names, bound, autoplay
        As for :func:`page`.
    id : str
        Of the replay's element, unique on the page: a letter, then letters, digits, "-" and "_".
        The trace goes into a block called ``id + "-trace"``.
    start : int
        The number of updates shown first.
    counting : {"rows", "examples"}
        How the sentence calls an example: "row 6", from 0 as in the library, or "example 7".
    keys : {"element", "document"}
        Where the keys work: within the replay, or on the whole page.
    hypotheses : optional
        theta (k + 1, 2) and offset (k + 1,) to be shown in the place of those that the updates lead
        to: of a run that does not follow the rule, such as a student's.
    """
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", id):
        raise ValueError(f"id must be a letter, then letters, digits, '-' and '_'; it is {id!r}.")
    for name, value, choices in (
        ("counting", counting, ("rows", "examples")),
        ("keys", keys, ("element", "document")),
    ):
        if value not in choices:
            raise ValueError(f"{name} must be one of {', '.join(choices)}; it is {value!r}.")
    options = _options(autoplay, start, counting, keys)
    markup = _markup(id, _document(trace, feature_names, bound, hypotheses), options)
    return Fragment(static("replay.css"), markup, bundle())


def _options(autoplay: bool, start: int, counting: str, keys: str) -> str:
    options = f' data-start="{int(start)}" data-counting="{counting}" data-keys="{keys}"'
    return options + " data-autoplay" * autoplay


def _markup(id: str, document: str, options: str) -> str:
    return (
        f'<div class="novikoff-replay" id="{id}" data-replay="{id}-trace"{options}>'
        f"<noscript><p>{_NO_SCRIPT}</p></noscript></div>\n"
        f'<script type="application/json" id="{id}-trace">{document}</script>'
    )


def content_hash(text: str) -> str:
    """The source expression of an inline script or style in a Content-Security-Policy."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


def _document(
    trace: Trace, feature_names: Sequence[str] | None, bound: float | None, hypotheses: Any = None
) -> str:
    """The trace document, as text that may stand inside a <script> element."""
    _check(trace)
    document = json.loads(trace.to_json())
    if feature_names is not None:
        names = [_text(str(name)) for name in feature_names]
        if len(names) != 2:
            raise ValueError(f"feature_names must be two names, one per axis; got {len(names)}.")
        document["feature_names"] = names
    if bound is not None and bound < float("inf"):
        document["bound"] = float(bound)
    if hypotheses is not None:
        theta, offset = hypotheses
        document["hypotheses"] = {"theta": theta, "offset": offset, "told": True}
        document["updates"] |= {"score_before": None, "score_after": None}
    return json_block(document)


def json_block(document: Any) -> str:
    """JSON as text that may stand inside a <script> element."""
    text = json.dumps(document, allow_nan=False, separators=(",", ":"))
    # All but ASCII is escaped already. These occur in strings only, and without them no text can
    # end the element, or open a comment in it.
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _text(text: str) -> str:
    """Without lone surrogates, which no file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _check(trace: Trace) -> None:
    """Refuse at once what the view would refuse."""
    if not isinstance(trace, Trace):
        raise TypeError(
            f"A replay shows one Trace, not a {type(trace).__name__}; with more than two classes "
            "pick one hyperplane: trace_[i]."
        )
    width = len(trace.alone().start_theta)
    if width != 2:
        raise ValueError(f"A replay shows runs on two features; this one has {width}: fit on two.")
    if trace.examples is None:
        raise ValueError(
            "This trace was stored without its examples: attach them, trace.with_examples(X, y)."
        )
    n_rows = len(trace.examples.side)
    for n, most, what, advice in (
        (len(trace), MAX_UPDATES, "updates", "fit with a smaller max_iter"),
        (n_rows, MAX_ROWS, "rows", "fit on a sample of them"),
    ):
        if n > most:
            raise ValueError(f"A replay shows at most {most} {what}; this run has {n}: {advice}.")
