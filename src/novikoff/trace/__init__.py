"""What a run recorded: every update, ready to be replayed, written down and audited."""

from novikoff.trace._audit import Audit
from novikoff.trace._parts import Examples, Replacements
from novikoff.trace._record import Record, Setting, traces_of_run
from novikoff.trace._trace import Trace

__all__ = ["Audit", "Examples", "Record", "Replacements", "Setting", "Trace", "traces_of_run"]
