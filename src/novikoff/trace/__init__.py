"""What a run recorded: every update, ready to be replayed."""

from novikoff.trace._trace import Trace, traces_of_run

__all__ = ["Trace", "traces_of_run"]
