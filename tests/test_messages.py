"""Messages in parts: one text for Python, and prose that no part of a name is taken from."""

import pickle

import pytest

from novikoff._messages import Message, Setting, said

NAMES = ["plain", "two words", "a,b", 'say "so"', "it's", "back\\slash", "new\nline"]


@pytest.mark.parametrize("value", [*NAMES, tuple(NAMES), True, None, 0.5, -3])
def test_python_reads_a_setting_as_what_it_is(value):
    """What is said can be typed: as an argument of a call it gives the value back."""
    given = eval(f"dict({Setting('drop', value)})")
    assert given == {"drop": list(value) if isinstance(value, tuple) else value}


def test_an_exception_and_a_warning_keep_the_parts():
    inner = Message("use ", Setting("ties", "mistake"))
    for kind in (ValueError, UserWarning):
        told = kind(Message("file: ", inner, "."))
        assert str(told) == 'file: use ties="mistake".'
        assert said(told).parts == ("file: ", "use ", Setting("ties", "mistake"), ".")
        assert str(pickle.loads(pickle.dumps(told))) == str(told)
    assert said(ValueError("plain")).parts == ("plain",)
    assert str(said(KeyError("a", "b"))) == "('a', 'b')"


def test_prose_that_looks_like_a_setting_stays_as_it_is():
    """The names of columns are data: "margin=1" may be one."""
    told = Message("the column margin=1 {drop} %s; ", Setting("drop", ("margin=1",)))
    assert told.spelled(lambda setting: f"<{setting.name}>") == (
        "the column margin=1 {drop} %s; <drop>"
    )
