"""The page: Jinja2 with everything escaped, and a policy that lets nothing in from outside."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from novikoff.replay import content_hash
from novikoff.replay.bundle import bundle, static


def page(template: str, context: dict[str, Any]) -> str:
    """A template with all that it needs as one file."""
    ours = files("novikoff.reports") / "templates" / "report.css"
    style = ours.read_text(encoding="utf-8") + static("replay.css")
    script = bundle() if context.get("replay") else ""
    scripts = f"'{content_hash(script)}'" if script else "'none'"
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src '{content_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    text: str = (
        _environment()
        .get_template(template)
        .render(**context, style=style, script=script, policy=policy)
    )
    # Lone surrogates may stand in a name; no file can hold them.
    return text.encode("utf-8", "replace").decode("utf-8")


def check_extras() -> None:
    """Fail at once, and not after a minute, where a package is missing."""
    for name in ("jinja2", "matplotlib"):
        if find_spec(name) is None:
            raise ImportError(f'A report needs {name}: pip install "novikoff[report]"')


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader("novikoff.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
