"""Lazy arrays: folds that pass over NaN and quantiles, against NumPy, and what computes where."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.diagnostics import InputError
from diablo.runtime.device.device import DEVICE, STAND_IN, NoDeviceError
from diablo.runtime.device.found_device import find_device

FOLDS = [
    "nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanvar", "nanmedian", "median",
    "nancumsum", "nancumprod", "nanargmax", "nanargmin",
]  # fmt: skip


def _array(dtype: str, shape: tuple[int, ...]) -> Any:
    rng = np.random.default_rng(len(shape))
    array = rng.integers(-4, 5, shape).astype(dtype)
    if array.dtype.kind in "fc":
        array[rng.random(shape) < 0.3] = np.nan
        array[rng.random(shape) < 0.1] = np.inf
        if len(shape) == 2:
            array[:, 1] = np.nan
    return array


def _outcome(function: Any, *arguments: Any, **options: Any) -> Any:
    """The result, or the type of the error that there is instead."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return np.asarray(function(*arguments, **options))
        except (TypeError, ValueError) as error:
            return type(error)


def _assert_same(found: Any, expected: Any) -> None:
    if isinstance(expected, type):
        assert found is expected
        return
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "bool", "complex128"])
def test_functions_without_nan_are_those_of_numpy(dtype: str):
    for shape in ((5,), (3, 4)):
        array = _array(dtype, shape)
        lazy = da.asarray(array)
        for name in FOLDS:
            for options in ({}, {"axis": 0}, {"axis": -1, "keepdims": True}):
                if "cum" in name:
                    options.pop("keepdims", None)
                function = getattr(np, name)
                _assert_same(
                    _outcome(function, lazy, **options), _outcome(function, array, **options)
                )
                if not name.endswith(("std", "var")) and (dtype != "complex128" or "sum" in name):
                    assert isinstance(function(lazy, **options), da.Array)
    deviations = np.nanstd(da.asarray(_array(dtype, (9,))), ddof=1)
    _assert_same(np.asarray(deviations), np.asarray(np.nanstd(_array(dtype, (9,)), ddof=1)))


def test_functions_without_nan_in_machine_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    array = _array("float32", (3, 4))
    lazy, names = da.asarray(array), ["nanmax", "nanvar"]
    made = [getattr(np, name)(lazy, axis=0) for name in names]
    da.compute(*made)
    for name, found in zip(names, made, strict=True):
        _assert_same(np.asarray(found), _outcome(getattr(np, name), array, axis=0))


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
def test_quantiles_are_those_of_numpy(name: str):
    for dtype in ("float64", "float32", "int64"):
        array, function = _array(dtype, (4, 5)), getattr(np, name)
        for q in (0.3, [0.1, 0.5], np.array([[0.0], [1.0]])):
            for options in ({}, {"axis": 1}, {"axis": (0, 1), "keepdims": True}):
                found = function(da.asarray(array), q, **options)
                assert isinstance(found, da.Array)
                _assert_same(np.asarray(found), _outcome(function, array, q, **options))
    with pytest.raises(ValueError, match="range"):
        da.quantile(da.asarray([1.0]), 2.0)
    with pytest.raises(ValueError, match="an axis of extent 0"):
        da.median(da.zeros((0, 3)), axis=0)


def test_numbers_stand_for_nan_and_infinities():
    array = np.array([1.0, np.nan, np.inf, -np.inf])
    for options in ({}, {"nan": 2.5, "posinf": 7.0}, {"neginf": -1.0}):
        found = np.nan_to_num(da.asarray(array), **options)
        assert isinstance(found, da.Array)
        np.testing.assert_array_equal(found, np.nan_to_num(array, **options))
    whole = np.nan_to_num(da.asarray(array.astype("float32")))
    assert np.asarray(whole).dtype == np.float32
    np.testing.assert_array_equal(np.nan_to_num(da.asarray([1, 2])), [1, 2])
    with pytest.raises(TypeError, match="the parts of complex numbers"):
        da.nan_to_num(da.asarray([1j]))
    with pytest.raises(ValueError, match="All-NaN"):
        da.nanargmax(da.asarray([np.nan])).compute()


def test_a_fold_without_nan_is_one_program():
    text = da.explain(da.nanmean(da.asarray(np.ones((30, 40))), axis=0))
    assert "NumPy" not in text
    assert text.count("func.func private @kernel") <= 2


def _expressions() -> list[Any]:
    rng = np.random.default_rng(0)
    x, a = da.asarray(rng.random(500)), da.asarray(rng.random((20, 30)))
    return [((x - 0.5) ** 2)[::2] + 1, da.max(a, axis=1)]


def test_a_device_computes_what_the_processor_does(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(DEVICE, STAND_IN)
    before = find_device().traffic.launches
    found = da.compute(*_expressions(), device="gpu")
    assert find_device().traffic.launches > before
    for one, other in zip(found, _expressions(), strict=True):
        assert type(one.to_numpy()) is np.ndarray
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_which_devices_there_are(monkeypatch: pytest.MonkeyPatch):
    x = da.asarray(np.ones(8))
    with pytest.raises(InputError, match="there is no device 'tpu'; there are cpu, gpu and auto"):
        da.sum(x).compute(device="tpu")
    with pytest.raises(InputError, match="device 'gpu' is for the local engine"):
        da.sum(x).compute(device="gpu", engine="spark")

    def nothing(_: str) -> Any:
        raise NoDeviceError("device 'gpu': there is none")

    monkeypatch.setattr("diablo.runtime.device.found_device.find_devices", nothing)
    assert float(da.sum(x).compute(device="auto")) == 8.0
    with pytest.raises(NoDeviceError):
        da.sum(x + 1).compute(device="gpu")
