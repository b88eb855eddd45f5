"""Homework: is a student's function right, and if not, which mistake is it?"""

from novikoff.teaching.checking import check, exercise
from novikoff.teaching.verdict import Verdict

__all__ = ["Verdict", "check", "exercise"]
