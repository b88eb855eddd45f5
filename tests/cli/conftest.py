"""Files and models that several tests use, made once."""

import pytest

from tests.cli.helpers import inside
from tests.real_data import shared

FLOWERS = "width,height,colour,kind\n" + "".join(
    f"{1 + k % 5},{k % 7},{'red' if k % 3 else 'blue'},{'rose' if k % 5 > 1 else 'tulip'}\n"
    for k in range(60)
)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("cli")


@pytest.fixture(scope="session")
def flowers(folder):
    """60 rows with two numbers and a category; kind is rose exactly if width > 2."""
    path = folder / "flowers.csv"
    path.write_text(FLOWERS)
    return path


@pytest.fixture(scope="session")
def model(folder, flowers):
    """A model of the flowers."""
    path = folder / "flowers.model"
    inside("fit", flowers, "--out", path)
    return path


@pytest.fixture(scope="session")
def four(folder):
    """Four points on paper."""
    path = folder / "four.csv"
    path.write_text("x1,x2,y\n2,1,yes\n-1,2,no\n-1,-1,no\n-2,1,no\n3,-4,yes\n")
    return path


@pytest.fixture(scope="session")
def titanic():
    return shared("small/titanic.csv")
