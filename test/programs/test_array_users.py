# Lazy arrays in the hands of libraries that take arrays of the array API, or NumPy's.
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import diablo.array as da

Array = type(da.asarray(1.0))


def _matrix() -> Any:
    return np.random.default_rng(0).random((60, 4))


# ---- xarray -----------------------------------------------------------------------------


def test_xarray_wraps_them():
    xarray = pytest.importorskip("xarray")
    x = _matrix()
    wrapped = xarray.DataArray(
        da.asarray(x), dims=("i", "j"), coords={"i": np.arange(60), "j": list("abcd")}
    )
    made = (wrapped * 2 + 1).transpose("j", "i").isel(i=slice(5, 50, 3))
    assert isinstance(made.data, Array)
    assert not made.data.is_computed
    plain = xarray.DataArray(x, dims=wrapped.dims, coords=wrapped.coords)
    expected = (plain * 2 + 1).transpose("j", "i").isel(i=slice(5, 50, 3))
    xarray.testing.assert_allclose(made, expected)
    for ours, theirs in (
        (wrapped.mean("i", skipna=False), plain.mean("i")),
        (wrapped.sel(j="b").sum(skipna=False), plain.sel(j="b").sum()),
        (wrapped - wrapped.mean("j", skipna=False), plain - plain.mean("j")),
        (wrapped.max("j", skipna=False), plain.max("j")),
        (wrapped.groupby(wrapped.i // 20).mean(), plain.groupby(plain.i // 20).mean()),
        (wrapped.std("j", ddof=1), plain.std("j", ddof=1)),
        (wrapped.where(wrapped > 0.5, 0.0), plain.where(plain > 0.5, 0.0)),
        (np.exp(wrapped), np.exp(plain)),
        (wrapped.rename(i="k").stack(z=("k", "j")), plain.rename(i="k").stack(z=("k", "j"))),
    ):
        assert isinstance(ours.data, Array)
        np.testing.assert_allclose(ours.to_numpy(), theirs.to_numpy())


# ---- Dask, pandas, Polars, Arrow --------------------------------------------------------


def test_dask_takes_them():
    dask = pytest.importorskip("dask.array")
    x = _matrix()
    for options in ({}, {"asarray": False}):
        made = dask.from_array(da.asarray(x) + 1, chunks=(16, 2), **options)
        np.testing.assert_allclose(made.sum(axis=0).compute(), (x + 1).sum(axis=0))


def test_data_frames_take_them():
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    x = _matrix()
    lazy = da.asarray(x)
    frame = pandas.DataFrame({"a": lazy[:, 0], "b": lazy[:, 1] * 2})
    np.testing.assert_array_equal(frame["b"], x[:, 1] * 2)
    np.testing.assert_array_equal(pandas.Series(lazy[:, 2]), x[:, 2])
    np.testing.assert_array_equal(pandas.DataFrame(lazy), x)
    np.testing.assert_array_equal(pyarrow.array(lazy[:, 0] + 1), x[:, 0] + 1)
    assert pyarrow.table({"a": lazy[:, 0]}).num_rows == 60
    with pytest.raises(TypeError, match="one dimension, and not 2"):
        lazy.__arrow_c_array__()
    polars = pytest.importorskip("polars")
    np.testing.assert_array_equal(polars.Series(lazy[:, 3]).to_numpy(), x[:, 3])


def test_unique_values_are_in_order():
    # NumPy's are in any, by which classifiers would take one class for another.
    assert da.unique_values(da.asarray([3, 1, 2, 1])).tolist() == [1, 2, 3]


# ---- SciPy, scikit-learn ----------------------------------------------------------------

# Both look at the environment, or at options of their own, once: so in a process of their own.

_SCIPY = """
import numpy as np
import diablo.array as da
from scipy import cluster, fft, ndimage, signal, special, stats
x = np.random.default_rng(0).random((50, 4))
lazy, Array = da.asarray(x), type(da.asarray(1.0))
for function in (
    special.expit, special.gammaln, lambda x: special.logsumexp(x, axis=0), stats.zscore,
    stats.skew, stats.kurtosis, stats.hmean, stats.sem, fft.fft, lambda x: fft.dct(x[:, 0]),
    cluster.vq.whiten, lambda x: signal.detrend(x[:, 0]), lambda x: signal.hilbert(x[:, 0]),
    lambda x: signal.convolve(x[:, 0], x[:, 1]), lambda x: ndimage.gaussian_filter(x, 1.0),
    lambda x: stats.pearsonr(x[:, 0], x[:, 1]).statistic,
    lambda x: stats.ttest_ind(x[:, 0], x[:, 1]).pvalue,
):
    found, expected = function(lazy), function(x)
    assert isinstance(found, Array), (function, type(found))
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-9, atol=1e-12)
"""

_SKLEARN = """
import numpy as np
import diablo.array as da
import sklearn
from sklearn import decomposition, linear_model, metrics, model_selection, preprocessing
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
sklearn.set_config(array_api_dispatch=True)
x = np.random.default_rng(0).random((60, 4))
y, labels = x @ np.arange(4.0), (x[:, 0] > 0.5).astype(np.int64)
lazy, target, classes = da.asarray(x), da.asarray(y), da.asarray(labels)
Array = type(lazy)
for made in (
    preprocessing.StandardScaler, preprocessing.MinMaxScaler, preprocessing.MaxAbsScaler,
    preprocessing.Normalizer, lambda: decomposition.PCA(2, svd_solver="full"),
    lambda: decomposition.PCA(2, svd_solver="covariance_eigh"),
):
    found, expected = made().fit_transform(lazy), made().fit_transform(x)
    assert isinstance(found, Array), made
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-7, atol=1e-9)
ridge = linear_model.Ridge(solver="svd").fit(lazy, target)
assert isinstance(ridge.coef_, Array)
np.testing.assert_allclose(ridge.coef_, linear_model.Ridge(solver="svd").fit(x, y).coef_)
guessed = LinearDiscriminantAnalysis().fit(lazy, classes).predict(lazy)
assert isinstance(guessed, Array)
expected = LinearDiscriminantAnalysis().fit(x, labels).predict(x)
assert metrics.accuracy_score(guessed, da.asarray(expected)) == 1.0
assert metrics.r2_score(target, ridge.predict(lazy)) > 0.9
parts = model_selection.train_test_split(lazy, classes, random_state=0)
assert all(isinstance(part, Array) for part in parts)
assert isinstance(metrics.pairwise.euclidean_distances(lazy, lazy), Array)
assert len(model_selection.cross_val_score(linear_model.Ridge(solver="svd"), lazy, target)) == 5
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("library", "text"), [("scipy", _SCIPY), ("sklearn", _SKLEARN)])
def test_they_are_taken_for_arrays_of_the_standard(library: str, text: str):
    pytest.importorskip(library)
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
