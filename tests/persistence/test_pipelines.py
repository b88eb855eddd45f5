"""Pipelines: preprocessing and classifier in one file."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sklearn
from sklearn import preprocessing as pre
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.decomposition import PCA, IncrementalPCA, TruncatedSVD
from sklearn.exceptions import InconsistentVersionWarning
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    VarianceThreshold,
    chi2,
    f_classif,
)
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.kernel_approximation import Nystroem, PolynomialCountSketch, RBFSampler
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.random_projection import GaussianRandomProjection, SparseRandomProjection
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import novikoff
from novikoff import AveragedPerceptron, MaxMarginClassifier, ModelFileError, Perceptron
from novikoff.persistence.names import OBJECTS, find
from tests.persistence.helpers import IRIS, KINDS, NAMES, TWO, outputs, quietly, taken_apart

HOLES = np.where(np.random.RandomState(0).rand(*IRIS.shape) < 0.1, np.nan, IRIS)
TEXTS = [f"{a:.0f}a {b:.0f}b {c:.0f}c and {d:.0f}d" for a, b, c, d in IRIS]
RECORDS = [{"a": a, "b": f"{b:.0f}"} for a, b, c, d in IRIS]
WORDS = np.array([[f"{a:.0f}", f"w{c:.0f}"] for a, b, c, d in IRIS], object)

STEPS = {
    "StandardScaler": (pre.StandardScaler(), IRIS),
    "MinMaxScaler": (pre.MinMaxScaler(), IRIS),
    "MaxAbsScaler": (pre.MaxAbsScaler(), IRIS),
    "RobustScaler": (pre.RobustScaler(), IRIS),
    "Normalizer": (pre.Normalizer(), IRIS),
    "Binarizer": (pre.Binarizer(threshold=2.0), IRIS),
    "PolynomialFeatures": (pre.PolynomialFeatures(2), IRIS),
    "PowerTransformer": (pre.PowerTransformer(), IRIS),
    "QuantileTransformer": (pre.QuantileTransformer(n_quantiles=10), IRIS),
    "KBinsDiscretizer": (
        pre.KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf"),
        IRIS,
    ),
    "log1p": (pre.FunctionTransformer(np.log1p), IRIS),
    "identity": (pre.FunctionTransformer(), IRIS),
    "OneHotEncoder": (pre.OneHotEncoder(handle_unknown="ignore"), WORDS),
    "OneHotEncoder-numbers": (pre.OneHotEncoder(sparse_output=False, drop="first"), IRIS.round()),
    "OneHotEncoder-rare": (
        pre.OneHotEncoder(max_categories=3, handle_unknown="infrequent_if_exist", drop="if_binary"),
        WORDS,
    ),
    "OrdinalEncoder": (pre.OrdinalEncoder(), WORDS),
    "TargetEncoder": (pre.TargetEncoder(cv=3, random_state=0), WORDS),
    "SimpleImputer": (SimpleImputer(add_indicator=True), HOLES),
    "SimpleImputer-words": (
        make_pipeline(SimpleImputer(strategy="most_frequent"), pre.OneHotEncoder()),
        WORDS,
    ),
    "KNNImputer": (KNNImputer(), HOLES),
    "PCA": (PCA(2), IRIS),
    "IncrementalPCA": (IncrementalPCA(2), IRIS),
    "TruncatedSVD": (TruncatedSVD(2), IRIS),
    "SelectKBest": (SelectKBest(f_classif, k=2), IRIS),
    "chi2": (SelectKBest(chi2, k=2), IRIS),
    "VarianceThreshold": (VarianceThreshold(0.2), IRIS),
    "SelectFromModel": (SelectFromModel(AveragedPerceptron()), IRIS),
    "RFE": (RFE(AveragedPerceptron(), n_features_to_select=2), IRIS),
    "Nystroem": (Nystroem(n_components=9, random_state=0), IRIS),
    "RBFSampler": (RBFSampler(n_components=9, random_state=0), IRIS),
    "PolynomialCountSketch": (PolynomialCountSketch(n_components=9, random_state=0), IRIS),
    "GaussianRandomProjection": (GaussianRandomProjection(3, random_state=0), IRIS),
    "SparseRandomProjection": (SparseRandomProjection(3, random_state=0), IRIS),
    "CountVectorizer": (CountVectorizer(max_features=9), TEXTS),
    "TfidfVectorizer": (TfidfVectorizer(ngram_range=(1, 2), stop_words=["and"]), TEXTS),
    "HashingVectorizer": (HashingVectorizer(n_features=64), TEXTS),
    "DictVectorizer": (DictVectorizer(), RECORDS),
    "FeatureUnion": (FeatureUnion([("p", PCA(2)), ("s", pre.StandardScaler())]), IRIS),
    "ColumnTransformer": (
        ColumnTransformer(
            [("s", pre.StandardScaler(), [0, 2]), ("b", pre.KBinsDiscretizer(
                2, quantile_method="averaged_inverted_cdf"), slice(1, 2))],
            remainder="passthrough",
        ),
        IRIS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(STEPS))
def test_preprocessing(name, tmp_path):
    step, X = STEPS[name]
    model = quietly(make_pipeline(step, AveragedPerceptron()).fit, X, NAMES)
    novikoff.save(model, tmp_path / "model")
    again = novikoff.load(tmp_path / "model")
    assert outputs(model, X) == outputs(again, X)
    assert quietly(again.fit, X, NAMES).score(X, NAMES) == model.score(X, NAMES)


def test_columns_by_name(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"size": IRIS[:, 0], "colour": WORDS[:, 1], "missing": HOLES[:, 1]})
    chosen = ColumnTransformer(
        [
            ("number", make_pipeline(SimpleImputer(), pre.StandardScaler()), ["size", "missing"]),
            ("word", pre.OneHotEncoder(), make_column_selector(pattern="colour")),
        ]
    )
    model = make_pipeline(chosen, AveragedPerceptron()).fit(frame, NAMES)
    novikoff.save(model, tmp_path / "model")
    again = novikoff.load(tmp_path / "model")
    assert outputs(model, frame) == outputs(again, frame)
    assert list(again[0].get_feature_names_out()) == list(model[0].get_feature_names_out())


def test_the_best_of_a_search(tmp_path):
    search = GridSearchCV(
        make_pipeline(pre.StandardScaler(), AveragedPerceptron()),
        {"averagedperceptron__margin": [0.0, 1.0]},
    ).fit(IRIS, NAMES)
    with pytest.raises(ModelFileError, match="best_estimator_"):
        novikoff.save(search, tmp_path / "model")
    novikoff.save(search.best_estimator_, tmp_path / "model")
    assert outputs(novikoff.load(tmp_path / "model"), IRIS) == outputs(search, IRIS)


@pytest.mark.parametrize(
    "model",
    [
        OneVsRestClassifier(AveragedPerceptron()),
        OneVsOneClassifier(Perceptron(max_iter=3)),
        LogisticRegression(max_iter=1000),
    ],
    ids=lambda model: type(model).__name__,
)
def test_meta_estimators(model, tmp_path):
    quietly(model.fit, IRIS, NAMES)
    novikoff.save(model, tmp_path / "model")
    assert outputs(novikoff.load(tmp_path / "model"), IRIS) == outputs(model, IRIS)


def test_codes_of_classes(tmp_path):
    """Where all classes have the same bit of the code, a predictor of that bit is stored."""
    model = OutputCodeClassifier(AveragedPerceptron(), random_state=0).fit(IRIS, NAMES)
    assert any(type(each).__name__ == "_ConstantPredictor" for each in model.estimators_)
    novikoff.save(model, tmp_path / "model")
    assert novikoff.load(tmp_path / "model").predict(IRIS).tolist() == model.predict(IRIS).tolist()


def test_one_against_one_with_margins(tmp_path):
    model = OneVsOneClassifier(MaxMarginClassifier()).fit(IRIS[TWO], KINDS[TWO])
    novikoff.save(model, tmp_path / "model")
    assert outputs(novikoff.load(tmp_path / "model"), IRIS) == outputs(model, IRIS)


def test_calibrated(tmp_path):
    model = CalibratedClassifierCV(AveragedPerceptron(), cv=3).fit(IRIS, NAMES)
    novikoff.save(model, tmp_path / "model")
    again = novikoff.load(tmp_path / "model")
    assert model.predict_proba(IRIS).tobytes() == again.predict_proba(IRIS).tobytes()


def test_run_data_is_left_out_of_pipelines_too(tmp_path):
    model = make_pipeline(pre.StandardScaler(), Perceptron(record_trace=True))
    quietly(model.set_params(memory=str(tmp_path / "cache")).fit, IRIS, KINDS)
    novikoff.save(model, tmp_path / "model")
    again = novikoff.load(tmp_path / "model")
    assert not {"trace_", "mistake_counts_"} & set(vars(again[-1]))
    assert again.memory is None
    assert model.memory == str(tmp_path / "cache")
    assert hasattr(model[-1], "trace_")


def test_table_encoder(tmp_path):
    encoder = find("object", "novikoff.TableEncoder")(keep=("a",), hash_bits=8)
    encoder.columns_ = [{"name": "a", "kind": "number", "mean": 0.1, "counts": np.arange(3)}]
    encoder.target_ = None
    novikoff.save(encoder, tmp_path / "model")
    again = novikoff.load(tmp_path / "model")
    assert again.get_params() == encoder.get_params()
    assert again.columns_[0].pop("counts").tolist() == encoder.columns_[0].pop("counts").tolist()
    assert (again.columns_, again.target_) == (encoder.columns_, None)


@pytest.mark.parametrize("name", [name for name in OBJECTS if name.startswith("sklearn.")])
def test_attributes_are_all_there_is(name):
    """A class with a state of its own making could not be stored by its attributes."""
    cls = find("object", name)
    base = sklearn.base.BaseEstimator
    for method in ("__getstate__", "__setstate__", "__reduce__"):
        assert getattr(cls, method, None) in (
            getattr(base, method, None),
            getattr(object, method, None),
        )
    assert not hasattr(cls, "__slots__") or cls.__slots__ == ()


class TestVersions:
    def _from_elsewhere(self, model, path, monkeypatch):
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(sklearn, "__version__", "1.8.99")
            novikoff.save(model, path)

    def test_a_warning_if_scikit_learn_is_inside(self, tmp_path, monkeypatch):
        model = make_pipeline(pre.StandardScaler(), AveragedPerceptron()).fit(IRIS, KINDS)
        self._from_elsewhere(model, tmp_path / "model", monkeypatch)
        with pytest.warns(InconsistentVersionWarning, match=r"1\.8\.99"):
            again = novikoff.load(tmp_path / "model")
        assert outputs(again, IRIS) == outputs(model, IRIS)

    def test_no_warning_for_a_model_of_ours(self, tmp_path, monkeypatch):
        model = AveragedPerceptron().fit(IRIS, KINDS)
        self._from_elsewhere(model, tmp_path / "model", monkeypatch)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            novikoff.load(tmp_path / "model")


class Own(pre.StandardScaler):
    """A class of somebody else."""


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (
            make_pipeline(pre.FunctionTransformer(lambda X: X), Perceptron()),
            r"steps\[0\]\[1\]\.fun",
        ),
        (
            make_pipeline(TfidfVectorizer(tokenizer=str.split), Perceptron()),
            r"tokenizer: str.split is",
        ),
        (make_pipeline(Own(), Perceptron()), "Own is not among the classes"),
        (make_pipeline(DecisionTreeClassifier()), "DecisionTreeClassifier is not among"),
        (make_pipeline(SVC()), "SVC is not among"),
        (novikoff.KernelPerceptron(kernel=np.dot), r"kernel: .*holds none.*precomputed"),
        (novikoff.KernelPerceptron(kernel=lambda a, b: a @ b.T), r"at kernel: .*precomputed"),
        (Perceptron(margin=-1.0), "unsound parameters"),
        (Perceptron(class_weight={0: object()}), r"class_weight\.0: builtins\.object"),
        (Perceptron(random_state=np.random.RandomState(np.random.PCG64(0))), "RandomState"),
        (Perceptron, "the class Perceptron itself"),
        ({"coef_": 1}, "takes an estimator; this is of type dict"),
    ],
)
def test_what_cannot_be_stored(model, message, tmp_path):
    with pytest.raises(ModelFileError, match=message):
        novikoff.save(model, tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_what_contains_itself_cannot_be_stored(tmp_path):
    model = Perceptron()
    model.extra_ = [model]
    with pytest.raises(ModelFileError, match="contains itself"):
        novikoff.save(model, tmp_path / "model")


def test_a_model_that_was_tampered_with_in_memory(tmp_path):
    model = Perceptron().fit(IRIS[TWO], KINDS[TWO])
    model.coef_ = model.coef_[:, :2]
    with pytest.raises(ModelFileError, match="coef_ has the shape"):
        novikoff.save(model, tmp_path / "model")


def test_the_structure_is_what_the_documentation_says(tmp_path):
    novikoff.save(Perceptron().fit(IRIS[TWO], KINDS[TWO]), tmp_path / "model")
    nodes, arrays = taken_apart(tmp_path / "model")
    assert nodes[-1][:2] == ["object", "novikoff.Perceptron"]
    attributes = dict(zip(*nodes[-1][2:], strict=True))
    kind, dtype, shape, order, writeable = nodes[attributes["coef_"]["node"]]
    assert (kind, dtype, shape, order, writeable) == ("array", "<f8", [1, 4], "C", True)
    assert len(arrays) == sum(
        np.dtype(node[1]).itemsize * int(np.prod(node[2])) for node in nodes if node[0] == "array"
    )
