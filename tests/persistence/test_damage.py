"""Files that are not model files, not whole, or not as they were written."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import stat

import numpy as np
import pytest

import novikoff
from novikoff import AveragedPerceptron, ModelFileError, VotedPerceptron
from novikoff.persistence import disk
from novikoff.persistence.container import MODEL
from tests.persistence.helpers import IRIS, KINDS, outputs
from tests.systems import posix

MARK = MODEL.mark


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("saved") / "model"
    novikoff.save(VotedPerceptron(max_iter=1).fit(IRIS, KINDS), path)
    return path.read_bytes()


def refused(path, data, message):
    path.write_bytes(data)
    with pytest.raises(ModelFileError, match=message) as caught:
        novikoff.load(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_every_flipped_bit_is_noticed(saved, tmp_path):
    places = sorted({*range(0, len(saved), 47), *range(300), *range(len(saved) - 40, len(saved))})
    for place in places:
        damaged = bytearray(saved)
        damaged[place] ^= 1 << place % 8
        refused(tmp_path / "model", damaged, "cannot be loaded")


def test_a_flipped_bit_in_the_contents_is_called_a_change(saved, tmp_path):
    damaged = bytearray(saved)
    damaged[len(saved) // 2] ^= 4
    refused(tmp_path / "model", damaged, "changed or damaged: its contents do not match")


def test_every_truncation_is_noticed(saved, tmp_path):
    for length in [*range(1, 300), *range(300, len(saved), 47), len(saved) - 1]:
        refused(tmp_path / "model", saved[:length], "truncated")


def test_longer_than_it_says(saved, tmp_path):
    refused(tmp_path / "model", saved + b"\0", "1 bytes follow its end")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (pickle.dumps({"a": 1}), "it is a pickle, which is never read"),
        (b"PK\x03\x04" + bytes(60), "zip archive"),
        (gzip.compress(b"x", mtime=0), "not a model file of novikoff"),
        (b"a,b\n1,2\n", "not a model file of novikoff"),
        (MARK, "truncated or damaged: its header has no end"),
        (MARK + b"{" * 10**5, "truncated or damaged: its header has no end"),
        (MARK + b"[" * 60000 + b"\n", "header is no JSON .it is nested more than"),
        (MARK + b"{}\n", "header is damaged"),
        (MARK + b"null\n", "header is damaged"),
        (MARK + b'{"format": "novikoff.model"}\n', "no format version"),
        (MARK + b'{"format": "novikoff.model", "version": true}\n', "no format version"),
        (MARK + b'{"format": "novikoff.model", "version": 2}\n', "no lengths"),
        (
            MARK + b'{"format": "novikoff.model", "version": 2, "tree": -5, "arrays": 5}\n',
            "no lengths",
        ),
        (
            MARK + b'{"format": "novikoff.model", "version": 2, "tree": 0, "arrays": 1e3}\n',
            "no lengths",
        ),
        (
            MARK + b'{"format": "novikoff.model", "version": 2, "tree": 9999999999, "arrays": 0}\n',
            "structure claims 9999999999 bytes",
        ),
        (
            MARK + b'{"format": "novikoff.model", "version": 2, "tree": 9, "arrays": ' + b"9" * 5000
            + b"}\n",
            "damaged",
        ),
    ],
)  # fmt: skip
def test_other_files(data, message, tmp_path):
    refused(tmp_path / "model", data, message)


def test_a_newer_format(saved, tmp_path):
    _, header, rest = saved.split(b"\n", 2)
    newer = json.dumps({**json.loads(header), "version": 3, "novikoff": "9.1"}).encode()
    message = r"version 3, and this version of novikoff reads up to 2.*novikoff 9\.1"
    refused(tmp_path / "model", MARK + newer + b"\n" + rest, message)


def test_a_format_from_before_the_release(tmp_path):
    """A whole file of version 1, but for what was inside."""
    header = b'{"format": "novikoff.model", "version": 1, "tree": 2, "arrays": 0}\n'
    whole = MARK + header + b"[]"
    message = r"version 1, which only versions .* before its release wrote.*version 2\. Train again"
    refused(tmp_path / "model", whole + hashlib.sha256(whole).digest(), message)


@posix
def test_places_without_a_file(tmp_path):
    with pytest.raises(ModelFileError, match="is a directory"):
        novikoff.load(tmp_path)
    with pytest.raises(FileNotFoundError):
        novikoff.load(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="not a regular file"):
        novikoff.load(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="not a regular file"):
        novikoff.load("/dev/zero")
    with pytest.raises(ModelFileError, match="is a directory"):
        novikoff.save(AveragedPerceptron(), tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no such directory.*make it first.*no'$"):
        novikoff.save(AveragedPerceptron(), tmp_path / "no" / "model")


class Full(Exception):
    """The disk is full."""


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    """If writing fails, what was there before is there still, and nothing else."""
    path = tmp_path / "model"
    old = AveragedPerceptron().fit(IRIS, KINDS)
    novikoff.save(old, path)

    def full(descriptor):
        raise Full

    with monkeypatch.context() as broken:
        broken.setattr(disk.os, "fsync", full)
        with pytest.raises(Full):
            novikoff.save(AveragedPerceptron(margin=1.0).fit(IRIS, KINDS), path)
    assert outputs(novikoff.load(path), IRIS) == outputs(old, IRIS)
    assert os.listdir(tmp_path) == ["model"]


@posix
def test_permissions_are_those_of_any_new_file(tmp_path):
    novikoff.save(AveragedPerceptron(), tmp_path / "model")
    (tmp_path / "other").touch()
    modes = {stat.S_IMODE(os.stat(tmp_path / name).st_mode) for name in ("model", "other")}
    assert len(modes) == 1


@posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "model")
    novikoff.save(AveragedPerceptron(), tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert isinstance(novikoff.load(tmp_path / "model"), AveragedPerceptron)


def test_the_header_can_be_read_by_a_person(saved):
    header = json.loads(saved.split(b"\n", 2)[1])
    assert header["class"] == "novikoff.VotedPerceptron"
    assert header["novikoff"] == novikoff.__version__
    assert header["numpy"] == np.__version__


@posix
def test_a_model_is_not_written_over_what_is_no_regular_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(novikoff.ModelFileError, match="not a regular file"):
        novikoff.save(novikoff.Perceptron(), pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
