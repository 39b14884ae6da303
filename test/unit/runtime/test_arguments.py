"""What a caller may pass, and the sentence for what it may not."""

from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import diablo
from diablo.diagnostics import InputError
from diablo.runtime.arrays.tiles import SparseTile
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io.arguments import (
    WantedArray,
    WantedMap,
    WantedRows,
    WantedScalar,
    check_argument,
)
from diablo.runtime.results import DistributedArray, Rows

PAIRS = WantedRows(("i64", "f64"))


@pytest.mark.parametrize(
    ("value", "element", "result"),
    [
        (3, "i64", 3),
        (np.int32(3), "i64", 3),
        (np.array(3), "i64", 3),
        (3, "f64", 3.0),
        (np.float32(0.5), "f32", 0.5),
        (True, "i1", True),
        (np.bool_(False), "i1", False),
    ],
)
def test_scalars(value: object, element: str, result: object):
    checked = check_argument(value, WantedScalar(element), "n")
    assert checked == result
    assert type(checked) is type(result)


@pytest.mark.parametrize(
    ("value", "element", "message"),
    [
        (2.5, "i64", "n: 2.5 where an integer is wanted"),
        (True, "i64", "n: True where an integer is wanted"),
        ("3", "i64", "n: '3' where an integer is wanted"),
        (None, "f64", "n: None where a number is wanted"),
        (1, "i1", "n: 1 where true or false is wanted"),
        (2**63, "i64", "n: 9223372036854775808 does not fit in 64 bits"),
        ([1], "i64", "n: a list where an integer is wanted"),
    ],
)
def test_wrong_scalars(value: object, element: str, message: str):
    assert_refused(value, WantedScalar(element), message, "n")


def assert_refused(value: object, wanted: object, message: str, name: str = "A") -> None:
    with pytest.raises(InputError) as error:
        check_argument(value, wanted, name)
    assert str(error.value) == message


def test_dense_arrays():
    matrix = np.arange(6.0).reshape(2, 3)
    assert check_argument(matrix, WantedArray(2, "f64"), "A") is matrix
    assert check_argument([[1, 2], [3, 4]], WantedArray(2, "f64"), "A").dtype == np.float64
    assert check_argument(matrix.T, WantedArray(2, "f64"), "A").flags.c_contiguous
    assert check_argument(matrix, WantedArray(2, "i64"), "A").dtype == np.int64
    assert check_argument(np.array([0, 1]), WantedArray(1, "i1"), "A").tolist() == [False, True]
    assert check_argument(np.zeros((0, 3)), WantedArray(2, "f64"), "A").shape == (0, 3)


@pytest.mark.parametrize(
    ("value", "wanted", "message"),
    [
        ([1, 2], WantedArray(2, "f64"), "A: 1 dimension (2) where matrix[Double] is wanted"),
        (5, WantedArray(1, "f64"), "A: 5 where vector[Double] is wanted"),
        ([[1, 2], [3]], WantedArray(2, "f64"), "A: the rows are of different lengths"),
        ([[1, 2.5]], WantedArray(2, "i64"), "A: 2.5 in [0, 1] is not an integer"),
        ([1e300], WantedArray(1, "i64"), "A: 1e+300 in [0] is not a 64-bit integer"),
        ([2], WantedArray(1, "i1"), "A: 2 in [0] is not true or false"),
        (["x"], WantedArray(1, "f64"), "A: 'x' in [0] is not a number"),
        ([2**64], WantedArray(1, "i64"), "A: 18446744073709551616 in [0] is not a 64-bit integer"),
        (
            np.array([2**63], np.uint64),
            WantedArray(1, "i64"),
            "A: 9223372036854775808 in [0] is not a 64-bit integer",
        ),
        ({1}, WantedArray(1, "f64"), "A: a set where vector[Double] is wanted"),
    ],
)
def test_wrong_arrays(value: object, wanted: WantedArray, message: str):
    assert_refused(value, wanted, message)


def test_sparse_arrays():
    wanted = WantedArray(2, "f64")
    dense = np.array([[0, 2, 0], [1, 0, 3]])
    for form in ("csr", "csc", "coo", "lil", "dok"):
        tile = check_argument(sparse.coo_array(dense).asformat(form), wanted, "A")
        assert isinstance(tile, SparseTile)
        assert (tile.dense_rank, tile.dtype) == (1, np.float64)
        np.testing.assert_array_equal(tile.toarray(), dense)
    assert check_argument(sparse.csr_matrix(dense), wanted, "A").nnz == 3
    vector = check_argument(sparse.coo_array(dense[0]), WantedArray(1, "i64"), "A")
    assert (vector.dense_rank, vector.toarray().tolist()) == (0, [0, 2, 0])
    own = SparseTile.from_dense(dense.astype(float), 0)
    assert check_argument(own, wanted, "A").values is own.values
    assert_refused(
        sparse.csr_array([[0.0, 1.5]]),
        WantedArray(2, "i64"),
        "A: 1.5 in [0, 1] is not an integer",
    )
    assert_refused(
        sparse.csr_array(dense),
        WantedArray(1, "f64"),
        "A: 2 dimensions (2 x 3) where vector[Double] is wanted",
    )


class Frame:
    """As much of a pandas DataFrame as is asked for."""

    def __init__(self, columns: dict[str, np.ndarray]):
        self.columns = list(columns)
        self.iloc = self
        self.data = list(columns.values())

    def __getitem__(self, index: tuple[slice, int]):
        class Series:
            to_numpy = self.data[index[1]].copy

        return Series


@pytest.mark.parametrize(
    "value",
    [
        [(1, 0.5), (2, 1.0)],
        ((1, 0.5), (2, 1.0)),
        [[1, 0.5], [2, 1]],
        iter([(1, 0.5), (2, 1.0)]),
        np.array([[1, 0.5], [2, 1.0]]),
        np.array([(1, 0.5), (2, 1.0)], [("a", int), ("b", float)]),
        (np.array([1, 2]), np.array([0.5, 1.0])),
        Frame({"a": np.array([1, 2]), "b": np.array([0.5, 1.0])}),
    ],
)
def test_rows(value: object):
    batch = check_argument(value, PAIRS, "G")
    assert [c.tolist() for c in batch] == [[1, 2], [0.5, 1.0]]
    assert [c.dtype for c in batch] == [np.int64, np.float64]


def test_columns_of_the_wanted_types_are_taken_as_they_are():
    columns = (np.arange(3), np.ones(3))
    assert check_argument(columns, PAIRS, "G") is columns
    others = (np.arange(3, dtype=np.int32), np.ones(6)[::2])
    taken = check_argument(others, PAIRS, "G")
    assert [column.dtype for column in taken] == [np.int64, np.float64]
    assert all(column.flags.c_contiguous for column in taken)
    with pytest.raises(InputError, match="of different lengths"):
        check_argument((np.arange(3), np.ones(2)), PAIRS, "G")


def test_rows_of_one_column():
    wanted = WantedRows(("i64",))
    for value in ([1, 2], [(1,), (2,)], np.array([1, 2]), np.array([[1], [2]]), range(1, 3)):
        assert check_argument(value, wanted, "V")[0].tolist() == [1, 2]
    assert check_argument([], wanted, "V")[0].dtype == np.int64


def test_empty_rows():
    assert [c.dtype for c in check_argument([], PAIRS, "G")] == [np.int64, np.float64]
    assert [len(c) for c in check_argument(np.zeros((0, 2)), PAIRS, "G")] == [0, 0]


def test_rows_of_a_sparse_matrix():
    matrix = sparse.csr_array(np.array([[0, 2.0], [3.0, 0]]))
    entries = check_argument(matrix, WantedRows(("i64", "i64", "f64")), "G")
    assert [c.tolist() for c in entries] == [[0, 1], [1, 0], [2.0, 3.0]]
    pattern = check_argument(matrix, WantedRows(("i64", "i64")), "G")
    assert [c.tolist() for c in pattern] == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([(1, 2), (3,)], "G: row 2 has 1 column where list[(Int, Double)] is wanted"),
        ([(1, 2), 3], "G: row 2 is 3, not a tuple"),
        ([(1, 2), "ab"], "G: row 2 is 'ab', not a tuple"),
        ([(1, 2), (1.5, 2)], "G: 1.5 in row 2, column 1 is not an integer"),
        ([(1, 2), (1, "x")], "G: 'x' in row 2, column 2 is not a number"),
        ([(1, 2), (None, 2)], "G: None in row 2, column 1 is not an integer"),
        (np.zeros((2, 3)), "G: 3 columns where list[(Int, Double)] is wanted"),
        (np.zeros(3), "G: 1 dimension (3) where list[(Int, Double)] is wanted"),
        ("text", "G: 'text' where list[(Int, Double)] is wanted"),
        (7, "G: 7 where list[(Int, Double)] is wanted"),
        ((np.zeros(1), np.zeros(2)), "G: the columns are of different lengths"),
    ],
)
def test_wrong_rows(value: object, message: str):
    assert_refused(value, PAIRS, message, "G")


def test_results_are_inputs():
    sc = LocalContext(1)
    array = DistributedArray(sc.parallelize([((0,), np.ones(3))]), (3,), 1, np.float64)
    assert check_argument(array, WantedArray(1, "f64"), "A").tolist() == [1, 1, 1]
    rows = Rows(sc.parallelize([(np.array([1]), np.array([0.5]))]), [np.int64, np.float64])
    assert [c.tolist() for c in check_argument(rows, PAIRS, "G")] == [[1], [0.5]]


def test_an_integer_too_large_for_a_double():
    with pytest.raises(InputError, match=r"x: this number is too large for a Double"):
        check_argument(10**400, WantedScalar("f64"), "x")


def test_an_array_without_dimensions_is_a_number():
    with pytest.raises(InputError, match=r"A: 3\.0 where matrix\[Double\] is wanted"):
        check_argument(np.array(3.0), WantedArray(2, "f64"), "A")


FRAMES = "input L: list[<a: Int, x: Double>]; +/[ l.a*l.x | l <- L ];"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({"x": [1.5, 2.0], "a": [2, 3]}, 9),
        ({"q": ["u", "v"], "x": [1.5, 2.0], "a": [2, 3]}, 9),
        ({0: [2, 3], 1: [1.5, 2.0]}, 9),
        ({"x": [1.5, 2.0], "a": pd.Series([2, 3], dtype=object)}, 9),
        ({"x": [1.5, 2.0], "a": pd.Series([2, 3], dtype="Int64")}, 9),
        ({"x": [1.5, 2.0], "a": pd.Categorical([2, 3])}, 9),
        ({"b": [2, 3], "y": [1.5, 2.0]}, "the table has no column 'a': it has b, y where list"),
        ({"a": [2, 3], "y": [1.5, 2.0]}, "the table has no column 'x': it has a, y where list"),
        ({1: [2, 3], 0: [1.5, 2.0]}, "the table has no column 'a': it has 1, 0 where list"),
        ({"x": [1.5, 2.0], "a": [2, None]}, "there is no value in row 2 of column 'a'"),
        (
            {"x": [1.5, 2.0], "a": pd.Series([2, None], dtype=object)},
            "no value in row 2 of column 'a'",
        ),
        (
            {"x": [1.5, 2.0], "a": pd.Series([2, None], dtype="Int64")},
            "there is no value in row 2 of column 'a'",
        ),
        ({"x": [1.5, 2.0], "a": pd.to_datetime(["2020-01-01"] * 2)}, "is not an integer"),
    ],
)
def test_columns_of_data_frames(table, expected):
    program = diablo.compile(FRAMES)
    if isinstance(expected, str):
        with pytest.raises(diablo.InputError, match=expected):
            program(L=pd.DataFrame(table))
    else:
        assert program(L=pd.DataFrame(table)) == expected


@pytest.mark.parametrize(
    ("column", "place"),
    [
        ({"s": ["x", None]}, "row 2 of column 's'"),
        ({"x": np.array([None, 2.0], object)}, "row 1 of column 'x'"),
        ({"a": [1, None]}, "row 2 of column 'a'"),
    ],
)
def test_missing_values_of_data_frames(column, place):
    program = diablo.compile("input L: list[<a: Int, x: Double, s: String>]; L.length")
    table = pd.DataFrame({"a": [1, 2], "x": [1.0, np.nan], "s": ["x", "y"]})
    assert program(L=table) == 2
    with pytest.raises(diablo.InputError, match=f"L: there is no value in {place}"):
        program(L=table.assign(**column))


def _with_a_null() -> list[Any]:
    """Columns of two floats of which the second is a null, in all that hold some."""
    arrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    return [
        arrow.array([1.5, None]),
        arrow.chunked_array([[1.5], [None]]),
        polars.Series([1.5, None]),
        pd.Series([1.5, None], dtype="Float64"),
        pd.Series([1.5, None], dtype="double[pyarrow]"),
    ]


def test_nulls_of_floats_are_refused_and_nan_is_not():
    pairs = WantedRows(("i64", "f64"))
    for column in _with_a_null():
        rows = pd.DataFrame({"a": [1, 2], "b": column})
        for value, wanted, place in [
            (column, WantedArray(1, "f64"), r"\[1\]"),
            (column, WantedArray(1, "i64"), r"\[1\]"),
            ([column, column], WantedArray(2, "f64"), r"\[0, 1\]"),
            (column, WantedRows(("f64",)), "row 2 of it"),
            ({"a": np.array([1, 2]), "b": column}, pairs, "row 2 of column 'b'"),
            ((np.array([1, 2]), column), pairs, "row 2 of column 2"),
            ((np.array(["u", "v"]), column), WantedMap(1, ("string", "f64")), "row 2 of column 2"),
        ]:
            with pytest.raises(diablo.InputError, match=f"x: there is no value in {place}"):
                check_argument(value, wanted, "x")
        if isinstance(column, pd.Series):
            with pytest.raises(diablo.InputError, match=r"there is no value in \[1, 1\]"):
                check_argument(rows, WantedArray(2, "f64"), "x")
    arrow, polars = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    nan = [1.5, float("nan")]
    for table in (arrow.table({"a": [1, 2], "b": [1, None]}), polars.DataFrame({"b": [1, None]})):
        with pytest.raises(diablo.InputError, match="there is no value in "):
            check_argument(table, WantedArray(2, "f64"), "x")
    for value in (arrow.array(nan), polars.Series(nan), pd.Series(nan), pd.Series(nan, dtype="f4")):
        assert np.isnan(cast(Any, check_argument(value, WantedArray(1, "f64"), "x"))[1])


LISTS = [[1.5], [], [2.0, 3.0]]
LISTS_OF_ARROW = [
    ("list[Double]", LISTS, LISTS),
    ("list[Int]", [[1.0, 2.0]], [[1, 2]]),
    ("list[String]", [["a", "bü"], []], [["a", "bü"], []]),
    ("list[list[Int]]", [[[1], []], [[2, 3]], []], [[[1], []], [[2, 3]], []]),
    ("list[(Int,String)]", [[{"a": 1, "b": "x"}], []], [[(1, "x")], []]),
    ("list[<b: String, a: Int>]", [[{"a": 1, "b": "x"}], []], [[("x", 1)], []]),
    ("list[(Int,(Int,String))]", [[{"a": 1, "b": {"c": 5, "d": "z"}}]], [[(1, (5, "z"))]]),
]


@pytest.mark.parametrize(("type", "given", "wanted"), LISTS_OF_ARROW)
def test_lists_of_arrow(type, given, wanted):
    arrow = pytest.importorskip("pyarrow")
    array = arrow.array(given)
    alone, pairs = (diablo.compile(f"input L: list[{t}]; L") for t in (type, f"(Int,{type})"))
    for column in (array, arrow.chunked_array([array]), array.cast(_large(arrow, array.type))):
        assert alone(L=column).to_list() == wanted
    assert alone(L=arrow.chunked_array([array, array])).to_list() == wanted + wanted
    table = arrow.table({"k": range(len(given)), "v": array})
    assert pairs(L=table).to_list() == list(enumerate(wanted))
    assert pairs(L=table[1:]).to_list() == list(enumerate(wanted))[1:]


def _large(arrow: Any, type: Any) -> Any:
    return arrow.large_list(type.value_type)


def test_lists_of_arrow_are_read_where_they_lie(monkeypatch):
    arrow = pytest.importorskip("pyarrow")
    array = arrow.array(LISTS)
    (lists,) = cast(Any, check_argument(array, WantedRows((("list", "f8"),)), "x"))
    assert np.shares_memory(lists.values[0], array.values.to_numpy())


@pytest.mark.parametrize(
    ("type", "given", "message"),
    [
        ("list[Double]", [[1.5, None]], "there is no value in row 1, element 2"),
        ("list[Int]", [[1], [2, None]], "there is no value in row 2, element 2"),
        ("list[Double]", [[1.5], None], "there is no value in row 2 of it"),
        ("list[Int]", [[], [1, 1.5]], "1.5 in row 2, element 2 is not an integer"),
        ("list[Int]", [["a"]], "'a' in row 1, element 1 is not an integer"),
        ("list[list[Int]]", [[[1], None]], "there is no value in row 1, element 2"),
        (
            "list[(Int,String)]",
            [[{"a": 1, "b": None}]],
            "there is no value in row 1, element 1, field b",
        ),
        ("list[(Int,Int)]", [[1]], "row 1, element 1 is of type int64, not a tuple"),
        ("list[<a: Int, c: Int>]", [[{"a": 1, "b": 2}]], "row 1, element 1 has no field 'c'"),
        ("list[(Int,Int,Int)]", [[{"a": 1, "b": 2}]], "row 1, element 1 has 2 columns where"),
    ],
)
def test_lists_of_arrow_that_do_not_fit(type, given, message):
    arrow = pytest.importorskip("pyarrow")
    with pytest.raises(diablo.InputError, match=f"L: {message}"):
        diablo.compile(f"input L: list[{type}]; L")(L=arrow.array(given))


def test_lists_of_vectors_of_numbers():
    program = diablo.compile("input L: list[(Int,list[Int])]; L")
    vectors = [np.array([1, 2]), np.array([], np.int64)]
    assert program(L=list(enumerate(vectors))).to_list() == [(0, [1, 2]), (1, [])]
    # What is in NumPy's arrays goes by their type, single numbers as Python's do.
    assert program(L=[(0, np.array([1.0, 2.0]))]).to_list() == [(0, [1, 2])]
    with pytest.raises(
        diablo.InputError, match=r"2\.5 in row 2, column 2, element 1 is not an int"
    ):
        program(L=[(0, np.array([1.0])), (1, np.array([2.5]))])
    with pytest.raises(
        diablo.InputError, match=r"1\.0 in row 1, column 2, element 1 is not an int"
    ):
        program(L=[(0, [np.float64(1.0)])])


def test_columns_of_structured_arrays_and_of_maps():
    program = diablo.compile(FRAMES)
    assert program(L=np.array([(1.5, 2), (2, 3)], [("x", "f8"), ("a", "i8")])) == 9
    assert program(L=np.array([(2, 1.5), (3, 2)], [("f0", "f8"), ("f1", "f8")])) == 9
    with pytest.raises(diablo.InputError, match="the table has no column 'a': it has u, v where"):
        program(L=np.array([(2, 1.5), (3, 2)], [("u", "f8"), ("v", "f8")]))
    with pytest.raises(diablo.InputError, match="several columns 'a'"):
        program(L=pd.DataFrame([[1, 2, 3.0]], columns=["a", "a", "x"]))
    program = diablo.compile("input M: map[Int,<a: Int, x: Double>]; +/[ r.a*r.x*k | (k,r) <- M ];")
    assert program(M=pd.DataFrame({"x": [1.5, 2], "a": [2, 3], "k": [1, 10]})) == 63
    with pytest.raises(diablo.InputError, match="the table has no column 'a': it has x, b, k"):
        program(M=pd.DataFrame({"x": [1.5, 2], "b": [2, 3], "k": [1, 10]}))
    program = diablo.compile("input L: list[(Int,Double)]; +/[ a*x | (a,x) <- L ];")
    assert program(L=pd.DataFrame({"b": [2, 3], "y": [1.5, 2.0]})) == 9


def test_masked_arrays():
    total = diablo.compile("input V: vector[Double]; +/[ v | (i,v) <- V ];")
    assert total(V=np.ma.masked_array([1, 2.0])) == 3
    with pytest.raises(diablo.InputError, match="V: 1 element is masked"):
        total(V=np.ma.masked_array([1, 2.0], [0, 1]))
    pairs = diablo.compile("input L: list[(Int,Double)]; +/[ a*x | (a,x) <- L ];")
    with pytest.raises(diablo.InputError, match="L: 2 elements are masked"):
        pairs(L=(np.array([1, 2]), np.ma.masked_array([1, 2.0], [1, 1])))
    records = diablo.compile("input L: list[<k: Int, x: Double>]; +/[ r.x | r <- L ]")
    columns = {"k": np.array([1, 2]), "x": np.ma.masked_array([1, 2.0], [0, 1])}
    with pytest.raises(diablo.InputError, match="L: 1 element is masked"):
        records(L=columns)
    rows = np.ma.masked_array([(1, 1.0), (2, 2.0)], [(0, 0), (1, 1)], "i8, f8")
    assert pairs(L=rows[:1]) == 1.0
    with pytest.raises(diablo.InputError, match="L: 2 elements are masked"):
        pairs(L=rows)
    assert pairs(L=[(1, 2.5), np.ma.masked_array([2, 3])]) == 8.5
    with pytest.raises(diablo.InputError, match="L: 1 element is masked"):
        pairs(L=[(1, 2.0), np.ma.masked_array([1, 2], [0, 1])])
