"""Every test draws without a window, with matplotlib's own defaults, and leaves no figure open."""

import matplotlib as mpl
import pytest


@pytest.fixture(autouse=True)
def _matplotlib():
    mpl.use("Agg")
    import matplotlib.pyplot as plt

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.use("Agg")
        yield
    plt.close("all")
