"""The directive ``commands``: every command and option, as the command line itself tells them."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Commands(SphinxDirective):
    """A section per command of `novikoff`: usage, what it does, arguments and options."""

    def run(self) -> list[nodes.Node]:
        import typer

        from novikoff.cli.app import app

        group: Any = typer.main.get_command(app)
        return [self._section(name, command) for name, command in group.commands.items()]

    def _section(self, name: str, command: Any) -> nodes.section:
        context = command.make_context(f"novikoff {name}", [], resilient_parsing=True)
        section = nodes.section(ids=[f"novikoff-{name}"], names=[f"novikoff {name}"])
        section += nodes.title("", f"novikoff {name}")
        usage = " ".join(["novikoff", name, *command.collect_usage_pieces(context)])
        section += nodes.literal_block(usage, usage, language="text")
        for paragraph in (command.help or "").split("\n\n"):
            section += nodes.paragraph("", " ".join(paragraph.split()))
        for title, records in _panels(command, context).items():
            section += nodes.rubric("", title)
            section += _table(records)
        return section


def _panels(command: Any, context: Any) -> dict[str, list[tuple[str, str]]]:
    """What is written, and what it says, under the headings of ``--help``."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is None:  # hidden
            continue
        is_argument = parameter.param_type_name == "argument"
        panel = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
        panels.setdefault(panel, []).append(record)
    return panels


def _table(records: list[tuple[str, str]]) -> nodes.table:
    body = nodes.tbody()
    for written, said in records:
        body += nodes.row(
            "",
            nodes.entry("", nodes.paragraph("", "", nodes.literal("", written.strip()))),
            nodes.entry("", nodes.paragraph("", said.strip())),
        )
    group = nodes.tgroup("", nodes.colspec(colwidth=35), nodes.colspec(colwidth=65), body, cols=2)
    return nodes.table("", group, classes=["options"])


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
