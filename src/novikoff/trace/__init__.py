"""What a run recorded: every update, ready to be replayed, written down and audited."""

from novikoff.trace._audit import Audit
from novikoff.trace._parts import Examples, Replacements
from novikoff.trace._record import Record, Told, traces_of_run
from novikoff.trace._trace import Trace

__all__ = ["Audit", "Examples", "Record", "Replacements", "Told", "Trace", "traces_of_run"]
