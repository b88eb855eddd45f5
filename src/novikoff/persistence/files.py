"""`save` and `load`."""

from __future__ import annotations

import os
import warnings
from typing import Any

from novikoff.persistence.errors import ModelFileError
from novikoff.persistence.names import name_of


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a model to a file that :func:`load` reads.

    The file appears whole or not at all: it is written beside `path` under another name and then
    renamed. The model is not changed.

    Parameters
    ----------
    model : estimator
        An estimator of this library, fitted by `fit`, by `partial_fit` or not at all; or a
        scikit-learn pipeline or meta-estimator made of the classes that docs/model-files.md lists.
        `mistake_counts_`, `trace_`, callbacks and a pipeline's `memory` are not stored.
    path : str or path-like
        A file there is replaced.

    Raises
    ------
    ModelFileError
        If the model holds something that a model file cannot hold, such as a callable kernel. The
        message says where it is and what to do.

    Examples
    --------
    >>> import tempfile, novikoff
    >>> clf = novikoff.Perceptron().fit([[2, 1], [1, 3], [-1, -1], [-2, 1]], [1, 1, 0, 0])
    >>> path = tempfile.mkdtemp() + "/model"
    >>> novikoff.save(clf, path)
    >>> novikoff.load(path).predict([[3, 0], [-3, 0]])
    array([1, 0])
    """
    from novikoff.persistence.container import write_file
    from novikoff.persistence.writing import Writer

    if isinstance(model, type) or not hasattr(model, "get_params"):
        what = f"of type {type(model).__name__}"
        if isinstance(model, type):
            what = f"the class {model.__name__} itself, not an instance"
        raise ModelFileError(
            f"save takes an estimator; this is {what}. For anything else use numpy.save, json or "
            "pickle."
        )
    writer = Writer()
    tree = writer.tree(model)
    write_file(path, name_of(type(model)), tree, writer.arrays)


def load(path: str | os.PathLike[str], *, max_memory: int = 2**31) -> Any:
    """Read a model that :func:`save` wrote.

    Reading executes nothing that the file brings along: a file holds data and the names of classes
    from a fixed list, and what it holds is checked before it is used. Still, a model from a
    stranger may predict whatever the stranger likes.

    Parameters
    ----------
    path : str or path-like
    max_memory : int, default=2**31
        In bytes: a file whose structure may take more (a vocabulary of ten million words does) is
        refused before it does. The contents of arrays come on top, as large as they are in the
        file.

    Returns
    -------
    model : estimator

    Raises
    ------
    ModelFileError
        If the file is not a model file, is truncated, was changed, holds what a model file must
        not hold, may take more than `max_memory`, or has a newer format than this version of the
        library reads.

    Warns
    -----
    sklearn.exceptions.InconsistentVersionWarning
        If scikit-learn's own classes are inside and the file comes from another version of it.

    Examples
    --------
    A pipeline comes back whole, with what it learned about scales:

    >>> import tempfile, novikoff
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> model = make_pipeline(StandardScaler(), novikoff.AveragedPerceptron())
    >>> model = model.fit([[20, 1], [10, 3], [-10, -1], [-20, 1]], ["yes", "yes", "no", "no"])
    >>> path = tempfile.mkdtemp() + "/model"
    >>> novikoff.save(model, path)
    >>> novikoff.load(path).predict([[30, 0], [-30, 0]])
    array(['yes', 'no'], dtype='<U3')
    """
    from sklearn import __version__ as installed
    from sklearn.exceptions import InconsistentVersionWarning

    from novikoff.persistence.container import open_file
    from novikoff.persistence.reading import Reader

    with open_file(path) as file:
        reader = Reader(file, max_memory)
        model = reader.model()
    stored = file.header.get("scikit-learn")
    if reader.from_sklearn and stored != installed:
        warnings.warn(
            InconsistentVersionWarning(
                estimator_name=reader.from_sklearn[0],
                current_sklearn_version=installed,
                original_sklearn_version=str(stored),
            ),
            stacklevel=2,
        )
    return model
