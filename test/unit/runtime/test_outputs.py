"""Writing results: every kind of file reads back as what was written."""

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import InputError, RunError
from diablo.runtime.arrays.tiles import SparseTile, split
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io import outputs
from diablo.runtime.io.inputs import WantedArray, WantedRows, load
from diablo.runtime.io.outputs import (
    check_output_path,
    is_written_by_workers,
    save,
    saving_together,
)
from diablo.runtime.results import DistributedArray, Rows

MATRIX = np.array([[0.1, 0, 1e-300], [0, -2.5, 1 / 3]])
SUFFIXES = [".npy", ".npz", ".csv", ".csv.gz", ".mtx", ".mtx.gz"]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("dense_rank", [0, 1, 2])
def test_matrices(suffix: str, dense_rank: int):
    value = MATRIX if dense_rank == 2 else SparseTile.from_dense(MATRIX, dense_rank)
    rdd = LocalContext(1).parallelize(split(value, 2))
    save(DistributedArray(rdd, (2, 3), dense_rank, np.float64, 2), f"a{suffix}")
    back = load(f"a{suffix}", WantedArray(2, "f64"))
    np.testing.assert_array_equal(np.asarray(back), MATRIX)
    assert os.listdir() == [f"a{suffix}"]


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".csv"])
@pytest.mark.parametrize("element", ["f64", "i64", "i1"])
def test_vectors(suffix: str, element: str):
    vector = np.array([1, 0, 1]).astype({"f64": float, "i64": int, "i1": bool}[element])
    save(vector, f"v{suffix}")
    np.testing.assert_array_equal(load(f"v{suffix}", WantedArray(1, element)), vector)


@pytest.mark.parametrize("suffix", [".npz", ".csv", ".csv.gz"])
def test_rows(suffix: str):
    columns = (np.array([1, 2]), np.array([0.1, np.inf]), np.array([True, False]))
    save(Rows(LocalContext(1).parallelize([columns]), [c.dtype for c in columns]), f"r{suffix}")
    back = load(f"r{suffix}", WantedRows(("i64", "f64", "i1")))
    for column, original in zip(back, columns, strict=True):
        np.testing.assert_array_equal(column, original)


def test_parquet_files():
    parquet = pytest.importorskip("pyarrow.parquet")
    program = diablo.compile("""input L: list[(Int,Double,String)];
var R = [ <k: k, x: x, w: w> | (k,x,w) <- L ];
var M = map*[ (k, +/x) | (k,x,w) <- L, group by k ];
(R, M);
""")
    rows, sums = program(L=[(1, 0.5, "a"), (2, 1.5, "ö"), (1, 2.0, "")])
    save(rows, "r.parquet")
    save(sums, "m.parquet")
    assert parquet.read_table("r.parquet").to_pydict()["w"] == ["a", "ö", ""]
    assert parquet.read_table("m.parquet").to_pydict() == {"key": [1, 2], "value": [2.5, 1.5]}
    back = load("r.parquet", WantedRows(("i64", "f64", "string")))
    assert [list(column) for column in back] == [[1, 2, 1], [0.5, 1.5, 2.0], ["a", "ö", ""]]
    with pytest.raises(InputError, match="holds lists and maps"):
        save(np.eye(2), "a.parquet")
    # A folder of files, as Spark writes one, is read as their rows, and replaced as a file is.
    os.mkdir("f.parquet")
    for part in range(2):
        save(rows, f"f.parquet/part-{part}.parquet")
    Path("f.parquet/_SUCCESS").touch()
    assert len(load("f.parquet", WantedRows(("i64", "f64", "string")))[0]) == 6
    save(sums, "f.parquet/part-2.parquet")
    with pytest.raises(InputError, match="its files have columns of different names"):
        load("f.parquet", WantedRows(("i64", "f64")))
    save(sums, "f.parquet")
    assert Path("f.parquet").is_file()
    Path("g.parquet").mkdir()
    with pytest.raises(InputError, match=r"there is no \.parquet file in this folder"):
        load("g.parquet", WantedRows(("i64",)))
    Path("g.parquet/notes.txt").touch()
    with pytest.raises(InputError, match="is a folder"):
        save(sums, "g.parquet")


def test_rows_of_one_type_are_an_array():
    save((np.array([1, 2]), np.array([3, 4])), "r.npy")
    assert np.load("r.npy").tolist() == [[1, 3], [2, 4]]


def test_scipy_and_scalars():
    save(sparse.csr_array(MATRIX), "s.npz")
    np.testing.assert_array_equal(sparse.load_npz("s.npz").toarray(), MATRIX)
    save(2.5, "x.csv")
    assert Path("x.csv").read_text() == "2.5\n"
    save(7, "x.npy")
    assert np.load("x.npy") == 7


def test_text_is_the_shortest_that_reads_back():
    save(np.array([[0.1, 1.0], [1e22, np.nan]]), "a.csv")
    assert Path("a.csv").read_text() == "0.1,1.0\n1e+22,nan\n"


def test_compressed_files_are_reproducible():
    save(MATRIX, "a.csv.gz")
    first = Path("a.csv.gz").read_bytes()
    save(MATRIX, "a.csv.gz")
    assert Path("a.csv.gz").read_bytes() == first
    assert gzip.decompress(first).startswith(b"0.1,")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (
            "a.xls",
            "a.xls: results are written as .npy, .npz, .csv, .mtx, .json, .txt, .parquet",
        ),
        ("a.npy.gz", "a.npy.gz: results are written as"),
        ("none/a.npy", "none/a.npy: there is no folder none"),
        ("folder.npy", "folder.npy: is a folder"),
    ],
)
def test_wrong_paths(path: str, message: str):
    os.mkdir("folder.npy")
    with pytest.raises(InputError) as error:
        check_output_path(path)
    assert str(error.value).startswith(message)


def test_values_that_a_kind_cannot_hold():
    cube = np.zeros((2, 2, 2))
    for path in ("a.csv", "a.mtx"):
        with pytest.raises(InputError, match="3 dimensions"):
            save(cube, path)
    with pytest.raises(InputError, match="several types"):
        save((np.array([1]), np.array([0.5])), "r.npy")
    assert os.listdir() == []


def test_a_failure_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch):
    save(MATRIX, "a.npy")

    def disk_full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(outputs.np, "save", disk_full)
    with pytest.raises(RunError, match=r"a\.npy: cannot be written: No space left on device"):
        save(MATRIX * 2, "a.npy")
    assert os.listdir() == ["a.npy"]
    np.testing.assert_array_equal(np.load("a.npy"), MATRIX)


def test_files_of_one_run_appear_together():
    save(MATRIX, "a.npy")

    def save_three() -> None:
        with saving_together() as save_part:
            save_part(MATRIX * 2, "a.npy")
            save_part(MATRIX, "b.csv")
            save_part(0.5, "c.txt")

    with pytest.raises(InputError, match="strings"):
        save_three()
    assert os.listdir() == ["a.npy"]
    np.testing.assert_array_equal(np.load("a.npy"), MATRIX)
    with saving_together() as save_part:
        save_part(MATRIX * 2, "a.npy")
        save_part(MATRIX, "b.npy")
        np.testing.assert_array_equal(np.load("a.npy"), MATRIX)
    assert sorted(os.listdir()) == ["a.npy", "b.npy"]
    np.testing.assert_array_equal(np.load("a.npy"), MATRIX * 2)


def test_permissions_follow_the_umask_and_the_old_file():
    umask = os.umask(0o022)
    try:
        save(MATRIX, "a.npy")
        assert os.stat("a.npy").st_mode & 0o777 == 0o644
        os.chmod("a.npy", 0o600)
        save(MATRIX, "a.npy")
        assert os.stat("a.npy").st_mode & 0o777 == 0o600
    finally:
        os.umask(umask)


def test_halves_of_characters(tmp_path):
    save(["a\ud800"], tmp_path / "h.json")
    assert (tmp_path / "h.json").read_text() == '["a\\ud800"]\n'
    for name in ("h.txt", "h.txt.gz"):
        with pytest.raises(RunError, match=r"cannot be written: '\\ud800' is half of a character"):
            save(["a\ud800"], tmp_path / name)


@pytest.mark.parametrize(
    ("path", "expected"), [("r.parquet", True), ("R.PARQUET", True), ("r.csv", False), ("r", False)]
)
def test_what_workers_write(path: str, expected: bool):
    assert is_written_by_workers(path) is expected
