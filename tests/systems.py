"""Tests of what only some systems have."""

import os
import sys

import pytest

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has other pipes, links and signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc and /dev/full are Linux's")
