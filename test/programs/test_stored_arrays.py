# Arrays in files: what is read of them, tiles where they do not fit in memory, and formats.
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import diablo.array as da
from diablo import InputError
from diablo.array.stored_arrays import Ranges, stored

ROWS, COLUMNS = 60, 11
X = np.random.default_rng(4).random((ROWS, COLUMNS))


class _Counted:
    """A source in memory that notes what is read."""

    def __init__(self, array: NDArray[Any]):
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype
        self.reads: list[Ranges] = []

    def read(self, ranges: Ranges) -> NDArray[Any]:
        self.reads.append(ranges)
        return self.array[tuple(slice(*each) for each in ranges)]

    @property
    def count(self) -> int:
        return sum(int(np.prod([b - a for a, b in ranges])) for ranges in self.reads)


def _counted() -> tuple[_Counted, Any]:
    source = _Counted(X)
    return source, da.Array(stored(source))


EXPRESSIONS: dict[str, Callable[[Any, Any], Any]] = {
    "a sum": lambda xp, a: xp.sum(a),
    "means of columns": lambda xp, a: xp.mean(a, axis=0),
    "variances of rows": lambda xp, a: xp.var(a, axis=1),
    "the greatest": lambda xp, a: xp.max(a * 2 - 1),
    "elementwise": lambda xp, a: (a * 2 + a[:, :1])[::-3],
    "less the mean": lambda xp, a: xp.std(a - xp.mean(a, axis=0, keepdims=True)),
    "a product that sums rows": lambda xp, a: a.T @ a,
    "a product for each row": lambda xp, a: a @ xp.ones(a.shape[1]),
    "running sums": lambda xp, a: xp.cumulative_sum(a, axis=0),
    "running sums in rows": lambda xp, a: xp.cumulative_sum(a, axis=1),
    "sorted": lambda xp, a: xp.sort(a.T, axis=-1),
    "behind one another": lambda xp, a: xp.sum(xp.concat([a, a * 3]), axis=1),
    "cut": lambda xp, a: xp.max(xp.reshape(a, (6, 10, -1)), axis=(1, 2)),
    "strides": lambda xp, a: xp.sum(a[5:50:7, ::-1].T, axis=0),
    "a diagonal": lambda xp, a: xp.linalg.diagonal(a) * 2,
    "repeated": lambda xp, a: xp.sum(xp.broadcast_to(a, (3, *a.shape)), axis=0),
    "triangle": lambda xp, a: xp.sum(a * xp.eye(*a.shape, k=-2)),
    "a number": lambda xp, a: a[3, 4] + 1,
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_tiles_give_what_the_whole_gives(name: str):
    expected = EXPRESSIONS[name](np, X)
    for limit in (600, 5000, "1g"):
        _, a = _counted()
        found = EXPRESSIONS[name](da, a).compute(memory=limit).to_numpy()
        np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("name", ["less the mean", "triangle", "running sums", "cut"])
def test_tiles_are_computed_by_programs(name: str):
    _, a = _counted()
    found = EXPRESSIONS[name](da, a).compute(memory=8000, engine="local").to_numpy()
    np.testing.assert_allclose(found, EXPRESSIONS[name](np, X))


@pytest.mark.parametrize(
    ("name", "passes"),
    [("a sum", 1), ("means of columns", 1), ("a product that sums rows", 1), ("less the mean", 3)],
)
def test_tiles_read_each_element_once_for_a_pass(name: str, passes: int):
    source, a = _counted()
    EXPRESSIONS[name](da, a).compute(memory=8000)
    assert len(source.reads) >= 3 * passes
    assert source.count == passes * X.size


def test_no_tile_is_larger_than_the_limit_says():
    source, a = _counted()
    (a * 2 + 1).sum().compute(memory=8000)
    largest = max(int(np.prod([b - first for first, b in ranges])) for ranges in source.reads)
    assert largest * 8 <= 2000


def test_several_arrays_share_a_pass():
    source, a = _counted()
    total, most, least = a.sum(), a.max(axis=0), a.min(axis=1)
    da.compute(total, most, least, memory=8000)
    assert source.count == X.size


def test_a_part_is_all_that_is_read():
    source, a = _counted()
    np.testing.assert_array_equal(a[10:20, ::5].to_numpy(), X[10:20, ::5])
    assert source.reads == [((10, 20), (0, 11))]
    np.testing.assert_array_equal(a[2:9][3].to_numpy(), X[5])
    assert source.reads[1:] == [((5, 6), (0, 11))]


def _write_numpy(folder: Path) -> Path:
    np.save(folder / "x.npy", X)
    return folder / "x.npy"


def _write_hdf5(folder: Path) -> Path:
    h5py: Any = pytest.importorskip("h5py")
    with h5py.File(folder / "x.h5", "w") as file:
        file["a"] = X
    return folder / "x.h5"


def _write_zarr(folder: Path) -> Path:
    zarr: Any = pytest.importorskip("zarr")
    zarr.create_array(folder / "x.zarr", shape=X.shape, dtype=X.dtype, chunks=(16, 4))[:] = X
    return folder / "x.zarr"


def _write_parquet(folder: Path) -> Path:
    parquet: Any = pytest.importorskip("pyarrow.parquet")
    pa: Any = pytest.importorskip("pyarrow")
    table = pa.table({f"c{k}": X[:, k] for k in range(COLUMNS)})
    parquet.write_table(table, folder / "x.parquet", row_group_size=17)
    return folder / "x.parquet"


@pytest.mark.parametrize("write", [_write_numpy, _write_hdf5, _write_zarr, _write_parquet])
def test_formats(write: Any, tmp_path: Path):
    path = write(tmp_path)
    a = da.read(path)
    assert (a.shape, a.dtype) == (X.shape, X.dtype)
    np.testing.assert_array_equal(da.read(path)[20:41, 3:].to_numpy(), X[20:41, 3:])
    np.testing.assert_allclose(float(a.sum().compute(memory=900)), X.sum())
    np.testing.assert_array_equal(da.read(path).to_numpy(), X)


@pytest.mark.parametrize("suffix", [".npy", ".h5", ".zarr"])
def test_results_are_written_by_tiles(suffix: str, tmp_path: Path):
    pytest.importorskip({".h5": "h5py", ".zarr": "zarr"}.get(suffix, "numpy"))
    path = tmp_path / f"y{suffix}"
    for lazy, expected in (
        (lambda a: a - da.mean(a, axis=0), X - X.mean(axis=0)),
        (lambda a: da.sum(a, axis=1), X.sum(axis=1)),
        (lambda a: da.max(a), X.max()),
    ):
        source, a = _counted()
        da.write(path, lazy(a), memory=8000)
        assert len(source.reads) >= 3
        np.testing.assert_allclose(da.read(path).to_numpy(), expected)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_columns_and_names(tmp_path: Path):
    path = _write_parquet(tmp_path)
    np.testing.assert_array_equal(da.read(path, name="c3").to_numpy(), X[:, 3])
    np.testing.assert_array_equal(da.read(path, columns=["c5", "c0"]).to_numpy(), X[:, [5, 0]])
    X.tofile(tmp_path / "raw")
    raw = da.read(tmp_path / "raw", dtype="float64", shape=X.shape)
    np.testing.assert_array_equal(raw.to_numpy(), X)


def test_what_cannot_be_read_or_written_is_said(tmp_path: Path):
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    (tmp_path / "bad.parquet").write_bytes(b"nothing that is long enough")
    (tmp_path / "empty.npy").write_bytes(b"")
    np.save(tmp_path / "cut.npy", X)
    (tmp_path / "cut.npy").write_bytes((tmp_path / "cut.npy").read_bytes()[:200])
    path = _write_parquet(tmp_path)
    for call, message in (
        (lambda: da.read(tmp_path / "none.npy"), "there is no such file"),
        (lambda: da.read(tmp_path / "bad.npy"), "bad.npy: it is no file of NumPy's"),
        (lambda: da.read(tmp_path / "empty.npy"), "it is no file of NumPy's"),
        (lambda: da.read(tmp_path / "cut.npy"), "cut.npy: it ends before its array does"),
        (lambda: da.read(tmp_path / "bad.npy", dtype="f8", shape=(9,)), "it ends before"),
        (lambda: da.read(tmp_path / "bad.npy", dtype="f8"), "is not a multiple"),
        (lambda: da.read(tmp_path / "bad.parquet"), "bad.parquet: "),
        (lambda: da.read(path, name="z"), "there is no column 'z'"),
        (lambda: da.read(Path(__file__)), "arrays are read from"),
        (lambda: da.write(tmp_path / "x.csv", da.ones(3)), "arrays are written to"),
        (lambda: da.write(tmp_path / "none" / "x.npy", da.ones(3)), "there is no folder"),
    ):
        with pytest.raises(InputError, match=message):
            call()


_SUM = """
import resource, sys
import numpy as np, diablo.array as da
a = da.read(sys.argv[1])
held = int(open("/proc/self/statm").read().split()[5]) * resource.getpagesize()
limit = 64 << 20
resource.setrlimit(resource.RLIMIT_DATA, (held + limit, resource.RLIM_INFINITY))
expression = (da.sqrt(a * 2 + 1) - 1).sum()
print(float(expression.compute(memory=sys.argv[2])))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are the system's")
def test_arrays_of_groups_in_hdf5(tmp_path: Path):
    h5py: Any = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["x"] = X
        file.create_group("g").create_dataset("c", data=X + 1)
    np.testing.assert_array_equal(da.read(tmp_path / "x.h5", name="g/c"), X + 1)
    for name in (None, "g", "y"):
        with pytest.raises(InputError, match=r"x\.h5: name one of its arrays: g/c, x"):
            da.read(tmp_path / "x.h5", name=name)


def test_files_of_no_numbers_and_damaged_ones(tmp_path: Path):
    for elements in (np.array(["a"]), np.array([(1, 2)], "i8,i8"), np.array(["2024"], "M8[D]")):
        np.save(tmp_path / "x.npy", elements)
        with pytest.raises(InputError, match=r"x\.npy: an array of numbers is wanted"):
            da.read(tmp_path / "x.npy")
    path = _write_zarr(tmp_path)
    for chunk in (path / "c").rglob("*"):
        if chunk.is_file():
            chunk.write_bytes(b"no chunk")
    with pytest.raises(InputError, match=r"x\.zarr: it cannot be read"):
        da.read(path).to_numpy()


@pytest.mark.parametrize("dtype", [str, "M8[s]", object])
def test_other_types_than_numbers_are_refused(dtype: Any):
    with pytest.raises(TypeError, match="numbers or truth values"):
        da.asarray([1.5], dtype=dtype)


def test_a_file_three_times_as_large_as_the_memory(tmp_path: Path):
    shape = (3 * (64 << 20) // 8 // 1024, 1024)
    mapped = np.lib.format.open_memmap(tmp_path / "large.npy", "w+", np.float64, shape)
    mapped[-1] = 4.0
    mapped.flush()

    def run(memory: str) -> Any:
        command = [sys.executable, "-c", _SUM, str(tmp_path / "large.npy"), memory]
        # NumPy makes arrays of what a kernel would only add up.
        environment = {**os.environ, "DIABLO_COMPILE": "never"}
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    done = run("64m")
    assert done.stdout.strip() == f"{2.0 * 1024}", done.stderr
    assert run("8g").returncode != 0  # As a whole it is too large.
