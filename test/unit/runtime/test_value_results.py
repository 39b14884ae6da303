"""Results that are not numbers: as Python's values, as text, and as files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from row_models import batch_of

from diablo.diagnostics import InputError
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io.inputs import load
from diablo.runtime.io.outputs import save
from diablo.runtime.io.wanted import WantedArray, WantedMap, WantedRows
from diablo.runtime.results import DistributedArray, Map, Rows
from diablo.runtime.results.aliases import detach
from diablo.runtime.results.shaped_results import shaped_results
from diablo.runtime.rows import Lists, from_rows
from diablo.runtime.value_kinds import (
    ArrayKind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    kind_of,
    leaves,
    row_of,
)

INT, CHAR = ScalarKind("i64"), ScalarKind("i24")
NESTED = [("a", [(1, 0.5)], "x"), ("b", [], "y")]
NESTED_CODES = ["U", ("list", "i8", "f8"), "char"]


def rows_result(table: list[Any], codes: list[Any], parts: int = 1) -> Rows:
    batches = [batch_of(table[i::parts], codes) for i in range(parts)]
    return Rows(LocalContext(1).parallelize(batches), codes)


def map_result(table: list[Any], codes: list[Any], keys: int = 1) -> Map:
    batches = [batch_of([row], codes) for row in table]
    return Map(LocalContext(1).parallelize(batches), codes, keys)


def array_result(array: Any, code: Any, dense_rank: int | None = None) -> DistributedArray:
    rank = array.ndim if dense_rank is None else dense_rank
    rdd = LocalContext(1).parallelize([((0,) * array.ndim, array)])
    return DistributedArray(rdd, array.shape, rank, code)


def test_rows():
    result = rows_result(NESTED, NESTED_CODES)
    assert result.to_list() == NESTED
    assert result == NESTED
    assert list(result) == NESTED
    assert (result[0], result[-1], result[1:]) == (NESTED[0], NESTED[1], NESTED[1:])
    assert repr(result) == "[('a', [(1, 0.5)], 'x'), ('b', [], 'y')]"
    with pytest.raises(IndexError):
        result[2]
    names, lists, letters = result.to_numpy()
    assert names.tolist() == ["a", "b"]
    assert isinstance(lists, Lists)
    assert letters.dtype == np.int32


def test_rows_have_the_shape_of_their_type():
    flat = rows_result([(1, 2, "x", 3)], ["i8", "i8", "char", "i8"])
    person = TupleKind((INT, CHAR), ("number", "letter"))
    kind = ListKind(TupleKind((INT, person, TupleKind((INT,)))))
    (result,) = shaped_results(flat, [kind])
    assert result.to_list() == [(1, (2, "x"), (3,))]
    assert result[0][1].letter == "x"
    assert repr(result) == "[(1, record(number=2, letter='x'), (3,))]"


def test_maps():
    result = map_result([("b", 2.5), ("a", 1.5)], ["U", "f8"])
    assert result.to_dict() == {"a": 1.5, "b": 2.5} == dict(result)
    assert result == {"b": 2.5, "a": 1.5}
    assert list(result) == ["a", "b"]  # whatever the partitions were
    assert (len(result), result["b"], "c" in result, result.get("c", 0)) == (2, 2.5, False, 0)
    assert repr(result) == "{'a': 1.5, 'b': 2.5}"
    assert repr(map_result([], ["U", "f8"])) == "{}"
    several = map_result([(1, "x", (0.5, "y"))], ["i8", "U", ("tuple", "f8", "U")], 2)
    assert several.to_dict() == {(1, "x"): (0.5, "y")}
    many = map_result([(i, i) for i in range(1001)], ["i8", "i8"])
    assert repr(many) == "{0: 0, 1: 1, 2: 2, ..., 998: 998, 999: 999, 1000: 1000}"


def test_arrays():
    strings = array_result(np.array([["a", "bc"]], object), "U")
    assert strings.to_numpy().tolist() == [["a", "bc"]]
    assert str(strings) == "[['a' 'bc']]"
    with pytest.raises(TypeError, match="holds numbers"):
        strings.to_scipy()
    letters = array_result(np.array([97, 98], np.int32), "char")
    assert letters.to_numpy().tolist() == ["a", "b"]
    assert str(letters) == "['a' 'b']"
    code = ("tuple", "i8", "U")
    pairs = array_result(np.array([(1, "a")], [("f0", int), ("f1", object)]), code)
    assert pairs.to_numpy()["f1"].tolist() == ["a"]
    assert str(pairs) == "[(1, 'a')]"
    sparse = array_result(SparseTile.from_dense(np.array(["", "a"], object), 0), "U", 0)
    assert sparse.to_numpy().tolist() == ["", "a"]
    assert str(sparse) == "2 sparse array, 1 entry\n  [1]  a"
    cells = np.empty(2, object)
    cells[:] = [np.arange(1), np.arange(2)]
    arrays = array_result(cells, ("tile", 1, "i8"))
    assert [cell.tolist() for cell in arrays] == [[0], [0, 1]]


def test_scalars():
    kinds = [TupleKind((INT, CHAR), ("n", "c")), ScalarKind("string"), TupleKind((INT, INT))]
    record, text, pair = shaped_results((np.int64(1), 98, "s", 2, np.int64(3)), kinds)
    assert (record, record.c, text, pair) == ((1, "b"), "b", "s", (2, 3))
    assert type(record.n) is int
    assert shaped_results(2.5, [ScalarKind("f64")]) == [2.5]
    assert shaped_results((), []) == []


def test_kinds_of_codes():
    assert list(leaves(kind_of(("tuple", "i8", "char")))) == [INT, CHAR]
    assert row_of([np.float32]) == ScalarKind("f32")
    assert str(MapKind(INT, ArrayKind(3, INT))) == "map[Int, array3[Int]]"


@pytest.mark.parametrize("block", [None, 2])
def test_results_are_apart_from_the_inputs(block: int | None):
    given = np.arange(4.0)
    same = array_result(given, "f8")
    other = array_result(np.arange(3.0), "f8")
    reverse = array_result(given[::-1], "f8")
    tile = SparseTile.from_dense(given, 0)
    sparse = array_result(tile, "f8", 0)
    lists = Lists((given,), np.array([0, 4]))
    batch = Rows(LocalContext(1).parallelize([(given[:1], lists)]), ["f8", ("list", "f8")])
    inputs = {"a": given, "t": tile, "l": (np.zeros(1), lists), "n": 3}
    result = detach((same, other, reverse, sparse, batch, 5), inputs)
    for part in result[:3]:
        part.to_numpy()[:] = -1
    result[3].collect().values[:] = -1
    for column in result[4].to_numpy():
        (column.values[0] if isinstance(column, Lists) else column)[:] = -1
    assert given.tolist() == [0, 1, 2, 3]
    assert tile.values.tolist() == [1, 2, 3]
    assert result[5] == 5
    assert other.to_rdd().collect()[0][1].tolist() != [0, 1, 2]  # not copied without need


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_json_files(folder: Path):
    nested = rows_result(NESTED, NESTED_CODES)
    save(nested, "r.json")
    assert json.loads(Path("r.json").read_text()) == [["a", [[1, 0.5]], "x"], ["b", [], "y"]]
    names = map_result([("é", 1)], ["U", "i8"])
    save(names, "m.json.gz")
    assert load("m.json.gz", WantedMap(1, ("string", "i64")))[0].tolist() == ["é"]
    save(map_result([(1, 2)], ["i8", "i8"]), "p.json")
    assert Path("p.json").read_text() == "[[1, 2]]\n"
    kind = ListKind(TupleKind((INT, INT), ("a", "b")))
    (records,) = shaped_results(rows_result([(1, 2)], ["i8", "i8"]), [kind])
    save(records, "records.json")
    assert Path("records.json").read_text() == '[{"a": 1, "b": 2}]\n'
    for value, text in [("s", '"s"'), (True, "true"), ((1, "a"), '[1, "a"]'), (0.1, "0.1")]:
        save(value, "x.json")
        assert Path("x.json").read_text() == f"{text}\n"
    save(array_result(np.array([["a"]], object), "U"), "a.json")
    assert Path("a.json").read_text() == '[["a"]]\n'
    save(SparseTile.from_dense(np.array([0, 1]), 0), "s.json")
    assert Path("s.json").read_text() == "[0, 1]\n"


def test_tables(folder: Path):
    save(rows_result([("a, b", 1, "x"), ("c", 2, "y")], ["U", "i8", "char"]), "r.csv")
    assert Path("r.csv").read_text() == '"a, b",1,x\nc,2,y\n'
    back = load("r.csv", WantedRows(("string", "i64", "i24")))
    assert [column.tolist() for column in back] == [["a, b", "c"], [1, 2], [120, 121]]
    save(map_result([("k", (1, 0.5))], ["U", ("tuple", "i8", "f8")]), "m.csv")
    assert Path("m.csv").read_text() == "k,1,0.5\n"
    pairs = np.array([(1, "a"), (2, "b")], [("f0", int), ("f1", object)])
    save(array_result(pairs, ("tuple", "i8", "U")), "p.csv")
    assert Path("p.csv").read_text() == "1,a\n2,b\n"
    save(array_result(np.array([["a", "b"]], object), "U"), "s.csv")
    assert Path("s.csv").read_text() == "a,b\n"


def test_other_files(folder: Path):
    strings = array_result(np.array(["a", "bc"], object), "U")
    for path in ("s.npy", "s.npz"):
        save(strings, path)
        assert load(path, WantedArray(1, "string")).tolist() == ["a", "bc"]
    save(rows_result([("a",), ("b c",)], ["U"]), "l.txt")
    assert Path("l.txt").read_text() == "a\nb c\n"
    save("one", "t.txt")
    assert Path("t.txt").read_text() == "one\n"
    save(rows_result([("a", 1)], ["U", "i8"]), "r.npz")
    back = load("r.npz", WantedRows(("string", "i64")))
    assert [column.tolist() for column in back] == [["a"], [1]]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("x.csv", "lists and arrays inside of rows are written as .json"),
        ("x.npz", "lists and arrays inside of rows are written as .json"),
        ("x.txt", ".txt holds strings; give a .csv or a .json file"),
    ],
)
def test_what_files_cannot_hold(folder: Path, path: str, message: str):
    with pytest.raises(InputError) as error:
        save(rows_result(NESTED, NESTED_CODES), path)
    assert str(error.value) == f"{path}: {message}"
    assert list(folder.iterdir()) == []


def test_arrays_that_files_cannot_hold(folder: Path):
    pairs = np.array([[(1, "a")]], [("f0", int), ("f1", object)])
    result = array_result(pairs, ("tuple", "i8", "U"))
    for path in ("x.csv", "x.mtx"):
        with pytest.raises(InputError, match=r"json"):
            save(result, path)
    nested = rows_result([([1],)], [("list", "i8")])
    with pytest.raises(InputError, match=r"json"):
        save(nested, "x.npy")
    strings = from_rows((np.array([0]), np.array(["a"], object)), (1,), 1, "U")
    with pytest.raises(InputError, match=r"x\.mtx: \.mtx holds numbers"):
        save(strings, "x.mtx")


def test_only_results_that_share_memory_are_made_anew():
    given = np.arange(4)
    apart = array_result(given + 1, "i8")
    assert detach(apart, {"A": given}) is apart
    shared = array_result(given[1:], "i8")
    found = detach(shared, {"A": given})
    assert found is not shared
    assert not np.shares_memory(found.to_numpy(), given)
    rows = Rows(LocalContext(1).parallelize([(given, given + 1.5)]), ["i8", "f8"])
    columns = detach(rows, {"A": given}).to_numpy()
    assert not np.shares_memory(columns[0], given)
    np.testing.assert_array_equal(columns[0], given)
