"""The directive ``commands``: every command and option, as the command line itself tells them.

Options under a heading that several commands share (how a table is read) are described once, at the
end; each command says which of them it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

Records = list[tuple[str, str]]  # what is written, and what it does
OWN = ("Arguments", "Options")  # the headings typer gives by itself


class Commands(SphinxDirective):
    """A section per command of `novikoff`: usage, what it does, arguments and options."""

    def run(self) -> list[nodes.Node]:
        import typer

        from novikoff.cli.app import app

        group: Any = typer.main.get_command(app)
        shared: dict[str, dict[str, str]] = {}
        sections = [_section(name, command, shared) for name, command in _commands(group)]
        return [*sections, *(_shared_section(title, shared[title]) for title in shared)]


def _commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every command and its name; those of a group, such as `teaching`, after the group's."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _section(name: str, command: Any, shared: dict[str, dict[str, str]]) -> nodes.section:
    """The section of a command; adds its shared options to `shared`."""
    context = command.make_context(f"novikoff {name}", [], resilient_parsing=True)
    section = nodes.section(ids=[_anchor(f"novikoff {name}")], names=[f"novikoff {name}"])
    section += nodes.title("", f"novikoff {name}")
    usage = " ".join(["novikoff", name, *command.collect_usage_pieces(context)])
    section += nodes.literal_block(usage, usage, language="text")
    for paragraph in (command.help or "").split("\n\n"):
        section += nodes.paragraph("", " ".join(paragraph.split()))
    for title, records in _panels(command, context).items():
        section += nodes.rubric("", title)
        if title in OWN:
            section += _table(records)
        else:
            shared.setdefault(title, {}).update(records)
            section += _names(title, records)
    return section


def _shared_section(title: str, records: dict[str, str]) -> nodes.section:
    section = nodes.section(ids=[_anchor(title)], names=[title.lower()])
    section += nodes.title("", title)
    section += _table(list(records.items()))
    return section


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _panels(command: Any, context: Any) -> dict[str, Records]:
    """What is written, and what it says, under the headings of ``--help``."""
    panels: dict[str, Records] = {}
    for parameter in command.params:
        record = parameter.get_help_record(context)
        if record is None:  # hidden
            continue
        is_argument = parameter.param_type_name == "argument"
        panel = parameter.rich_help_panel or ("Arguments" if is_argument else "Options")
        panels.setdefault(panel, []).append(record)
    return panels


def _names(title: str, records: Records) -> nodes.paragraph:
    """The names alone, with a link to where they are described."""
    paragraph = nodes.paragraph()
    for written, _ in records:
        paragraph += nodes.literal("", written.split()[0])
        paragraph += nodes.Text(", ")
    paragraph[-1] = nodes.Text("; ")
    paragraph += nodes.reference("", "what they mean", refid=_anchor(title), internal=True)
    paragraph += nodes.Text(".")
    return paragraph


def _table(records: Records) -> nodes.table:
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
