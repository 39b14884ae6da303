"""Reading files: what is accepted, and the one line that says what is not."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy import io, sparse

from diablo.diagnostics import InputError
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.io.inputs import WantedArray, WantedRows, WantedScalar, load, parse_scalar

PAIRS = WantedRows(("i64", "i64"))
MATRIX = WantedArray(2, "f64")


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def write_file(text: str | bytes, name: str = "t.csv") -> str:
        data = text.encode() if isinstance(text, str) else text
        Path(name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return name

    return write_file


def columns(batch: tuple[np.ndarray, ...]) -> list[list]:
    return [column.tolist() for column in batch]


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n2,3\n",
        "0,1\r\n2,3",
        "\n0,1\n\n2,3\n\n",
        "from,to\n0,1\n2,3\n",
        '"from, that is",to\n0,1\n2,3\n',
        " 0 , 1\n2,3\n",
        '"0","1"\n2,3\n',
        "\ufeff0,1\n2,3\n",
        "0\t1\n2\t3\n",
        "0;1\n2;3\n",
        "0 1\n2   3\n",
    ],
)
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.txt"])
def test_rows_of_csv(write, text: str, name: str):
    batch = load(write(text, name), PAIRS)
    assert columns(batch) == [[0, 2], [1, 3]]
    assert all(c.dtype == np.int64 and c.flags.c_contiguous for c in batch)


def test_column_types_of_csv(write):
    wanted = WantedRows(("i64", "f64", "i1", "f32"))
    batch = load(write("7,1e-3,true,0.5\n-8,nan,FALSE,inf\n9,2,1,3\n"), wanted)
    assert [c.dtype for c in batch] == [np.int64, np.float64, np.bool_, np.float32]
    assert columns(batch)[0] == [7, -8, 9]
    assert columns(batch)[1][::2] == [0.001, 2.0]
    assert columns(batch)[2] == [True, False, True]


def test_a_header_alone_is_an_empty_list(write):
    assert columns(load(write("from,to\n"), PAIRS)) == [[], []]


def test_arrays_of_csv(write):
    assert load(write("1,2.5\n3,4\n"), MATRIX).tolist() == [[1, 2.5], [3, 4]]
    assert load(write("x,y\n1,2\n"), WantedArray(2, "i64")).tolist() == [[1, 2]]
    assert load(write("1\n2\n"), WantedArray(1, "f64")).tolist() == [1, 2]
    assert load(write("1,2\n"), WantedArray(1, "f64")).tolist() == [1, 2]
    assert load(write("true,0\n"), WantedArray(2, "i1")).tolist() == [[True, False]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "t.csv: the file is empty"),
        ("\n \n", "t.csv: the file is empty"),
        ("1\n", "t.csv:1: 1 column where 2 are wanted: list[(Int, Int)]"),
        ("0,1,2\n", "t.csv:1: 3 columns where 2 are wanted: list[(Int, Int)]"),
        ("a,b\n0,1,2\n", "t.csv:2: 3 columns where 2 are wanted: list[(Int, Int)]"),
        ("0,1\n\n2\n", "t.csv:3: 1 column where the first row has 2"),
        ("0,1\n2,3,4\n", "t.csv:2: 3 columns where the first row has 2"),
        ("0,1\n2,x\n", "t.csv:2, column 2: 'x' is not an integer"),
        ("0,1\n1.5,2\n", "t.csv:2, column 1: '1.5' is not an integer"),
        ("0,1\n1,nan\n", "t.csv:2, column 2: 'nan' is not an integer"),
        ("0,1\n1,\n", "t.csv:2, column 2: nothing where an integer is wanted"),
        ("a,1\n", "t.csv:1, column 1: 'a' is not an integer"),
        ("0,99999999999999999999\n", "t.csv:1, column 2: 99999999999999999999 does not fit"),
        (b"\xff\xfe\x00\n", "t.csv: the file is not UTF-8 text"),
        (b"0,1\n" * 5000 + b"\xff,1\n", "t.csv: the file is not UTF-8 text"),
    ],
)
def test_wrong_csv(write, text: str | bytes, message: str):
    assert_refused(write(text), PAIRS, message)


def test_wrong_csv_of_other_types(write):
    assert_refused(
        write("maybe,1\n1,2\n"), WantedRows(("i1", "f64")), "t.csv:1, column 1: 'maybe' is not true"
    )
    assert_refused(
        write("1,2\n1,two\n"),
        WantedRows(("f64", "f64")),
        "t.csv:2, column 2: 'two' is not a number",
    )
    assert_refused(
        write("1,2\n3,4\n"),
        WantedArray(1, "f64"),
        "t.csv: 2 dimensions (2 x 2) where vector[Double]",
    )
    assert_refused(write("1,2\n3\n"), MATRIX, "t.csv:2: 1 column where the first row has 2")


def assert_refused(path: str, wanted: WantedRows | WantedArray, message: str) -> None:
    with pytest.raises(InputError) as error:
        load(path, wanted)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('"1,2\n3,4\n5,6\n', 1),
        ('1,2\n3,"4\n5,6\n', 2),
        ('1,2\n3,"4', 2),
        ('a,b\n\n"3;4\n', 3),
        ('"1 2\n3 4\n', 1),
        ('1\n2\n"3\n', 3),
    ],
)
@pytest.mark.parametrize("name", ["t.csv", "t.csv.gz", "t.txt"])
def test_quotes_that_nothing_closes(write, text: str, line: int, name: str):
    message = f"{name}:{line}: a quote is opened in this row and never closed"
    assert_refused(write(text, name), MATRIX, message)
    if "," in text:
        assert_refused(write(text, name), WantedRows(("string", "i64")), message)


def test_quotes_that_are_closed_and_quotes_in_comments(write):
    for text in ('c,"a\nb"\n1,"2"\n', '"1",2 # a,"b\n', '1,2 # a,"b\n', '# a,"b\n1,2\n#"\n'):
        assert load(write(text), MATRIX).tolist() == [[1, 2]]


def test_files_that_cannot_be_read(write, tmp_path: Path):
    assert_refused("none.csv", PAIRS, "none.csv: there is no such file")
    assert_refused(str(tmp_path), PAIRS, f"{tmp_path}: is not a file")
    assert_refused(
        write("1,2", "t.xls"),
        PAIRS,
        "t.xls: unknown kind of file '.xls'; it may be .csv, .txt, .tsv,",
    )
    assert_refused(write("", "t.npy"), MATRIX, "t.npy: cannot be read as .npy")
    assert_refused(write("junk", "t.npz"), MATRIX, "t.npz: cannot be read as .npz: it is no file")
    assert_refused(write("junk\n", "t.mtx"), MATRIX, "t.mtx: cannot be read as .mtx")
    Path("t.csv.gz").write_bytes(b"0,1\n")
    assert_refused("t.csv.gz", PAIRS, "t.csv.gz: the compressed file is damaged")
    Path("t.csv.gz").write_bytes(gzip.compress(b"0,1\n" * 1000)[:-20])
    assert_refused("t.csv.gz", PAIRS, "t.csv.gz: the compressed file is damaged")


def test_npy(write):
    np.save("a.npy", np.arange(6).reshape(2, 3))
    assert load("a.npy", MATRIX).dtype == np.float64
    assert load("a.npy", WantedArray(2, "i64")).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert columns(load("a.npy", WantedRows(("i64", "f64", "i64")))) == [[0, 3], [1, 4], [2, 5]]
    assert_refused("a.npy", PAIRS, "a.npy: 3 columns where list[(Int, Int)] is wanted")
    assert_refused(
        "a.npy", WantedArray(1, "f64"), "a.npy: 2 dimensions (2 x 3) where vector[Double]"
    )
    np.save("f.npy", np.array([[0.0, 1.0], [2.0, np.nan]]))
    assert_refused("f.npy", WantedArray(2, "i64"), "f.npy: nan in [1, 1] is not an integer")
    assert_refused("f.npy", PAIRS, "f.npy: nan in row 2, column 2 is not an integer")
    np.save("o.npy", np.array([{}], object), allow_pickle=True)
    assert_refused("o.npy", WantedArray(1, "f64"), "o.npy: cannot be read as .npy")
    np.save("c.npy", np.array([1j]))
    assert_refused("c.npy", WantedArray(1, "f64"), "c.npy: 1j in [0] is not a number")


def test_npz(write):
    matrix = sparse.random_array((5, 4), density=0.4, format="csr", rng=np.random.default_rng(0))
    sparse.save_npz("s.npz", matrix)
    for name in ("s.npz", "vectors.npz"):
        shape = np.array(matrix.shape)
        np.savez(
            "vectors.npz",
            data=matrix.data,
            indices=matrix.indices,
            indptr=matrix.indptr,
            shape=shape,
        )
        tile = load(name, MATRIX)
        assert isinstance(tile, SparseTile)
        np.testing.assert_array_equal(tile.toarray(), matrix.toarray())
    np.savez("one.npz", anything=np.ones((2, 2)))
    assert load("one.npz", MATRIX).tolist() == [[1, 1], [1, 1]]
    np.savez("two.npz", a=np.array([1, 2]), b=np.array([3, 4]))
    assert columns(load("two.npz", PAIRS)) == [[1, 2], [3, 4]]
    np.savez("odd.npz", a=np.ones((2, 2)), b=np.ones(3))
    assert_refused("odd.npz", MATRIX, "odd.npz: cannot be read as .npz: it holds 2 arrays (a, b)")
    np.savez("bad.npz", data=np.ones(2), indices=np.array([0, 9]), indptr=np.array([0, 1, 2]))
    assert_refused("bad.npz", MATRIX, "bad.npz: cannot be read as .npz")
    vectors = {"data": np.ones(1), "indices": np.array([0]), "indptr": np.array([0, 1])}
    for shape in (["one", "one"], [1.5, 1.5]):
        np.savez("shape.npz", format=np.bytes_("csr"), shape=np.array(shape), **vectors)
        message = "shape.npz: cannot be read as .npz: its shape does not consist of integers"
        assert_refused("shape.npz", MATRIX, message)


def test_matrix_market(write):
    matrix = sparse.coo_array(([1.5, 2.5], ([0, 2], [1, 0])), shape=(3, 2))
    io.mmwrite("m.mtx", matrix)
    write(Path("m.mtx").read_bytes(), "m.mtx.gz")
    for name in ("m.mtx", "m.mtx.gz"):
        np.testing.assert_array_equal(load(name, MATRIX).toarray(), matrix.toarray())
        assert columns(load(name, WantedRows(("i64", "i64", "f64")))) == [
            [0, 2],
            [1, 0],
            [1.5, 2.5],
        ]
        assert columns(load(name, PAIRS)) == [[0, 2], [1, 0]]
    io.mmwrite("d.mtx", np.array([[1.0, 2.0]]))
    assert load("d.mtx", MATRIX).tolist() == [[1.0, 2.0]]


def test_scalars_are_not_files(write):
    assert_refused(write("1"), WantedScalar("i64"), "t.csv: a single Int is wanted, not a file")


@pytest.mark.parametrize(
    ("text", "element", "value"),
    [("12", "i64", 12), ("-3", "i64", -3), ("1e3", "f64", 1000.0), ("TRUE", "i1", True)],
)
def test_parse_scalar(text: str, element: str, value: object):
    parsed = parse_scalar(text, WantedScalar(element), "n")
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(("text", "element"), [("1.5", "i64"), ("x", "f64"), ("2", "i1")])
def test_parse_wrong_scalar(text: str, element: str):
    with pytest.raises(InputError, match=f"n: '{text}' is not"):
        parse_scalar(text, WantedScalar(element), "n")


DEPENDENCIES = Path(__file__).parents[4] / "shared" / "data" / "debian_deps.csv.gz"


@pytest.mark.skipif(not DEPENDENCIES.exists(), reason="the larger data are not beside the clone")
def test_real_graph():
    source, target = load(DEPENDENCIES, PAIRS)
    assert len(source) == len(target) == 272_121
    assert int(max(source.max(), target.max())) < 63_436


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("element", ["f32", "complex64"])
@pytest.mark.parametrize("name", ["v.npy", "v.npz", "v.csv", "v.txt", "v.json", "v.mtx"])
def test_what_is_too_large_for_32_bits_is_infinite(write, name: str, element: str):
    write("", "empty")
    matrix = np.array([[1e300, 1.0]])
    if name == "v.npy":
        np.save(name, matrix)
    elif name == "v.npz":
        sparse.save_npz(name, sparse.csr_array(matrix))
    elif name == "v.mtx":
        io.mmwrite(name, matrix)
    else:
        write("[[1e300, 1.0]]" if name == "v.json" else "1e300,1.0\n", name)
    read = load(name, WantedArray(2, element))
    dense = read.toarray() if isinstance(read, SparseTile) else read
    assert np.array_equal(dense, [[np.inf, 1.0]])


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("element", ["f32", "complex64"])
@pytest.mark.parametrize("text", ['1,1e300,"a"\n', "1\t1e300\ta\n"])
def test_columns_too_large_for_32_bits_are_infinite(write, text: str, element: str):
    batch = load(write(text), WantedRows(("i64", element, "string")))
    assert batch[1].tolist() == [np.inf]
