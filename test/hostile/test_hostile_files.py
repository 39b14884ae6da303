# Files and arrays that are nearly right: one sentence, no crash, no memory for what is claimed.
import gzip
import io
import zipfile

import numpy as np
import pytest
import scipy.sparse as sparse
from hostile_files import MAKERS, write
from run_files import examine

import diablo
from diablo.runtime.io.inputs import load
from diablo.runtime.io.wanted import WantedArray

ROW_SUMS = """
input A: matrix[Double]; input n: Int;
tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", range(4 * len(MAKERS)))
def test_a_file_that_is_nearly_right(tmp_path, number):
    assert examine(write(number, tmp_path)) is None


def _csr(**vectors):
    matrix = sparse.csr_array(np.eye(3))
    for name, value in vectors.items():
        setattr(matrix, name, value)
    return matrix


def _altered(form, alter):
    matrix = sparse.csr_array(np.eye(3)).asformat(form)
    alter(matrix)
    return matrix


INT = np.int32
WRONG = {
    "outside of 3 columns": _csr(indices=np.array([0, 9, 2], INT)),
    "the index -1 lies outside": _csr(indices=np.array([0, -1, 2], INT)),
    "the index -1 lies": _csr(indices=np.array([0, -1, 2], INT)),
    "the rows end at 77": _csr(indptr=np.array([0, 1, 2, 77], INT)),
    "decrease": _csr(indptr=np.array([0, 2, 1, 3], INT)),
    "starts at 1 instead": _csr(indptr=np.array([1, 1, 2, 3], INT)),
    "3 starts of rows where 4": _csr(indptr=np.array([0, 2, 3], INT)),
    "type float64, not integers": _csr(indptr=np.array([0, 1, 2, 3.0])),
    "2 indices and 3 values": _csr(indices=np.array([0, 1], INT)),
    "type object, not numbers": _csr(data=np.array([1, 2, "x"], object)),
    r"1j in \[0, 0\] is not a number": _csr(data=np.array([1j, 2, 3])),
    "outside of 3 places": _altered("lil", lambda m: m.rows[0].__setitem__(0, 5)),
    "2 indices and 1 values": _altered("lil", lambda m: m.rows[0].append(1)),
    "3 x 2 elements|exceeds": _altered("dok", lambda m: m._dict.update({(7, 7): 1.0})),
    "rows, even if they are empty": sparse.coo_array((10**13, 3)),
    "64 bits can number": sparse.coo_array((10**10, 10**10)),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_sparse_array_that_is_none(message):
    with pytest.raises(diablo.InputError, match=f"^A: .*({message})"):
        diablo.compile(ROW_SUMS)(A=WRONG[message], n=3)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
@pytest.mark.parametrize("type", ["f8", "f4", "i4", "u8", "?"])
def test_sparse_arrays_of_every_form(form, type):
    matrix = sparse.csr_array(np.eye(3)[::-1]).astype(type).asformat(form)
    assert list(diablo.compile(ROW_SUMS)(A=matrix, n=3).to_numpy()) == [1, 1, 1]


@pytest.mark.parametrize("type", [">f8", ">i4", "f2", "g"])
def test_sparse_values_of_other_types(type):
    matrix = _csr(data=np.ones(3).astype(type))
    assert list(diablo.compile(ROW_SUMS)(A=matrix, n=3).to_numpy()) == [1, 1, 1]


def test_repeated_and_unsorted_entries_are_added():
    matrix = _csr(
        indices=np.array([2, 0, 2], INT), indptr=np.array([0, 3, 3, 3], INT), data=np.arange(1.0, 4)
    )
    assert list(diablo.compile(ROW_SUMS)(A=matrix, n=3).to_numpy()) == [6, 0, 0]


def _npy(text, data=b""):
    header = text.encode()
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + data


def _npz(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return file.getvalue()


HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000, 3), }\n"
OBJECTS = "{'descr': '|O', 'fortran_order': False, 'shape': (1, 1), }\n"
MTX = b"%%MatrixMarket matrix coordinate real general\n"
FILES = {
    "huge.npy": (_npy(HUGE), "says that it holds 24000000000000 bytes"),
    "objects.npy": (_npy(OBJECTS, b"cos\nsystem\n."), "Python's objects"),
    "huge.npz": (_npz(a=_npy(HUGE)), "says that it holds 24000000000000 bytes"),
    "rows.mtx": (MTX + b"1000000000000 3 1\n1 1 1.0\n", "rows, even if they are empty"),
    "count.mtx": (MTX + b"3 3 1000000000\n1 1 1.0\n", "it has 1000000000 entries, in 2 lines"),
    "nul.mtx": (MTX + b"3 3 1\n1 1 \0 1.0\n", "line 3: the byte 0x00"),
    "large.mtx": (MTX + b"3 3 1\n99999999999999999999 1 1.0\n", r"cannot be read as \.mtx"),
    "none.mtx": (b"\x7fELF", "banner"),
    "cut.mtx.gz": (gzip.compress(MTX * 9)[:40], r"cannot be read as \.mtx"),
    "deep.json": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "nul.csv": (b"1,2\n\0,4\n", "nul.csv"),
    "quote.csv": (b'1,"2\n3,4\n', "quote.csv"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_claim_or_hold_what_they_must_not(tmp_path, name):
    data, message = FILES[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(diablo.InputError, match=message) as raised:
        load(tmp_path / name, WantedArray(2, "f64"))
    assert "\n" not in str(raised.value)


def test_what_expands_beyond_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("diablo.runtime.io.file_checks.available_memory", lambda: 1_000_000)
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(b"1,2\n" * 1_000_000))
    with pytest.raises(diablo.InputError, match="half of the free memory"):
        load(tmp_path / "a.csv.gz", WantedArray(2, "f64"))
    monkeypatch.setattr("diablo.runtime.available_memory.available_memory", lambda: 1000)
    (tmp_path / "a.npz").write_bytes(_npz(a=bytes(100_000)))
    with pytest.raises(diablo.InputError, match="what it expands to would take"):
        load(tmp_path / "a.npz", WantedArray(2, "f64"))


def test_a_table_of_equal_numbers_that_expands_beyond_memory(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    parquet.write_table(pyarrow.table({"a": np.zeros(1_000_000)}), tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").stat().st_size < 10_000
    monkeypatch.setattr("diablo.runtime.available_memory.available_memory", lambda: 10**6)
    with pytest.raises(diablo.InputError, match="its columns would take"):
        load(tmp_path / "a.parquet", WantedArray(1, "f64"))
