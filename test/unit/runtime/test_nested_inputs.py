"""Strings, records, maps and nested lists as inputs: what is taken, and every refusal."""

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from diablo.diagnostics import InputError
from diablo.runtime import rows
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.io import arguments, nested_values
from diablo.runtime.io.arguments import (
    Wanted,
    WantedArray,
    WantedMap,
    WantedRows,
    WantedScalar,
    check_argument,
    parse_scalar,
)
from diablo.runtime.io.inputs import load
from diablo.runtime.results import Map, Rows
from diablo.runtime.results.python_values import python_items, python_values
from diablo.runtime.value_kinds import (
    ArrayKind,
    Kind,
    ListKind,
    MapKind,
    ScalarKind,
    TupleKind,
    code_of_kind,
    codes_of,
    kind_of,
    map_codes,
)

INT, DOUBLE, STRING, CHAR = (ScalarKind(e) for e in ("i64", "f64", "string", "i24"))
PERSON = TupleKind((STRING, INT), ("name", "age"))


def wanted(kind: Kind) -> Any:
    match kind:
        case ScalarKind():
            return WantedScalar(kind.element)
        case ListKind():
            return WantedRows(codes_of(kind.row), kind.row)
        case MapKind():
            return WantedMap(len(codes_of(kind.key)), map_codes(kind), kind)
        case ArrayKind():
            return WantedArray(kind.rank, code_of_kind(kind.element), kind.element)
        case TupleKind():
            raise AssertionError(kind)


def given(value: Any, kind: Kind) -> Any:
    """The value as a caller would get it back; what is checked may be checked again."""
    checked = check_argument(value, wanted(kind), "x")
    checked = check_argument(checked, wanted(kind), "x")
    if isinstance(kind, ListKind):
        return python_values(kind.row, checked)
    return dict(python_items(kind, checked)) if isinstance(kind, MapKind) else checked


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (ListKind(STRING), ["a", "é"], ["a", "é"]),
        (ListKind(STRING), np.array(["a", "bc"]), ["a", "bc"]),
        (ListKind(STRING), [], []),
        (ListKind(CHAR), ["a", "é"], ["a", "é"]),
        (ListKind(CHAR), np.array(["a", "b"]), ["a", "b"]),
        (ListKind(CHAR), ["ab"][0:0], []),
        (ListKind(PERSON), [{"age": 3, "name": "a"}], [("a", 3)]),
        (ListKind(PERSON), [("a", 3), ["b", 4]], [("a", 3), ("b", 4)]),
        (ListKind(PERSON), np.array([(3, "a")], [("age", int), ("name", "U3")]), [("a", 3)]),
        (ListKind(TupleKind((INT, PERSON))), [(1, {"name": "a", "age": 2})], [(1, ("a", 2))]),
        (ListKind(TupleKind((TupleKind((INT, INT)), DOUBLE))), [((1, 2), 3)], [((1, 2), 3.0)]),
        (ListKind(TupleKind((TupleKind((INT, INT)), DOUBLE))), [(1, 2, 3)], [((1, 2), 3.0)]),
        (
            ListKind(TupleKind((INT, ListKind(STRING)))),
            [(1, ["a", "b"]), (2, [])],
            [(1, ["a", "b"]), (2, [])],
        ),
        (ListKind(ListKind(ListKind(INT))), [[[1], []], []], [[[1], []], []]),
        (ListKind(ListKind(INT)), np.array([[1, 2], [3, 4]]), [[1, 2], [3, 4]]),
        (ListKind(ListKind(INT)), np.array([[1], [2]]), [[1], [2]]),
        (ListKind(ListKind(INT)), [[1], [2]], [[1], [2]]),
        (ListKind(ListKind(PERSON)), [[("a", 1)], []], [[("a", 1)], []]),
        (ListKind(MapKind(STRING, INT)), [{"a": 1}, {}], [{"a": 1}, {}]),
        (MapKind(STRING, INT), {"a": 1}, {"a": 1}),
        (MapKind(STRING, INT), {}, {}),
        (MapKind(STRING, INT), [("a", 1), ("b", 2), ("a", 3)], {"a": 3, "b": 2}),
        (MapKind(INT, DOUBLE), np.array([[1, 0.5], [2, 1.5]]), {1: 0.5, 2: 1.5}),
        (MapKind(TupleKind((INT, STRING)), PERSON), {(1, "k"): ("a", 2)}, {(1, "k"): ("a", 2)}),
        (MapKind(STRING, PERSON), {"k": {"name": "a", "age": 2}}, {"k": ("a", 2)}),
        (MapKind(STRING, ListKind(INT)), {"a": [1, 2], "b": []}, {"a": [1, 2], "b": []}),
    ],
)
def test_collections(kind: Kind, value: Any, expected: Any):
    assert given(value, kind) == expected


def test_records_are_named_tuples():
    (person,) = given([{"age": 3, "name": "a"}], ListKind(PERSON))
    assert (person.name, person.age) == ("a", 3)
    assert repr(person) == "record(name='a', age=3)"


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        (ArrayKind(1, STRING), ["a", "bc"], ["a", "bc"]),
        (ArrayKind(2, STRING), np.array([["a", "bc"]]), [["a", "bc"]]),
        (ArrayKind(1, CHAR), ["a", "b"], [97, 98]),
        (ArrayKind(1, PERSON), [("a", 1)], [("a", 1)]),
        (ArrayKind(2, PERSON), [[{"name": "a", "age": 1}]], [[("a", 1)]]),
        (ArrayKind(1, PERSON), np.array([("a", 1)], "U1,i8"), [("a", 1)]),
        (ArrayKind(1, PERSON), [], []),
    ],
)
def test_arrays(kind: Kind, value: Any, expected: Any):
    assert given(value, kind).tolist() == expected


def test_arrays_of_arrays():
    array = given([[1, 2], [3]], ArrayKind(1, ArrayKind(1, DOUBLE)))
    assert [cell.tolist() for cell in array] == [[1.0, 2.0], [3.0]]


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (STRING, 3, "x: 3 where a string is wanted"),
        (CHAR, "ab", "x: 'ab' where a character is wanted"),
        (CHAR, -1, "x: -1 is not the number of a character"),
        (ListKind(STRING), ["a", 3], "x: 3 in row 2 is not a string"),
        (ListKind(STRING), "abc", "x: 'abc' where list[String] is wanted"),
        (ListKind(STRING), [b"a"], "x: b'a' in row 1 is not a string"),
        (ListKind(CHAR), ["a", "bc"], "x: 'bc' in row 2 is not a character"),
        (ListKind(CHAR), [-1], "x: -1 in row 1 is not a character"),
        (ListKind(INT), ["a"], "x: 'a' in row 1 is not an integer"),
        (ListKind(PERSON), [("a", 1), ("b", "c")], "x: 'c' in row 2, field age is not an integer"),
        (
            ListKind(PERSON),
            [{"name": "a", "agee": 1}],
            "x: row 1 has no field 'age': it has name, agee"
            " where <name: String, age: Int> is wanted",
        ),
        (
            ListKind(PERSON),
            [{"name": "a", "age": 1}, 5],
            "x: row 2 is 5, not a record <name: String, age: Int>",
        ),
        (
            ListKind(PERSON),
            [("a", 1, 2)],
            "x: row 1 has 3 columns where list[<name: String, age: Int>] is wanted",
        ),
        (
            ListKind(TupleKind((INT, TupleKind((INT, INT))))),
            [(1, (2, 3)), (1, (2, 3, 4))],
            "x: row 2, column 2 has 3 columns where (Int, Int) is wanted",
        ),
        (ListKind(ListKind(INT)), [[1], [2, "a"]], "x: 'a' in row 2, element 2 is not an integer"),
        (ListKind(ListKind(INT)), [1], "x: 1 in row 1 where list[Int] is wanted"),
        (MapKind(STRING, INT), 3, "x: 3 where map[String, Int] is wanted"),
        (MapKind(STRING, INT), {"a": 1.5}, "x: 1.5 in the value of entry 1 is not an integer"),
        (MapKind(STRING, INT), {1: 1}, "x: 1 in the key of entry 1 is not a string"),
        (
            MapKind(STRING, INT),
            [("a", 1, 2)],
            "x: entry 1 has 3 columns where (String, Int) is wanted",
        ),
        (ArrayKind(1, STRING), ["a", 2], "x: 2 in [1] is not a string"),
        (ArrayKind(2, STRING), ["a"], "x: 1 dimension (1) where matrix[String] is wanted"),
        (
            ArrayKind(1, PERSON),
            [("a", "b")],
            "x: 'b' in [0], field age is not an integer",
        ),
    ],
)
def test_refusals(kind: Kind, value: Any, message: str):
    with pytest.raises(InputError) as error:
        check_argument(value, wanted(kind), "x")
    assert str(error.value) == message


def test_results_are_inputs_again():
    batch = (np.array(["a", "b"], object), rows.Lists((np.arange(3),), np.array([0, 1, 3])))
    result = Rows(LocalContext(1).parallelize([batch]), ["U", ("list", "i8")])
    kind = ListKind(TupleKind((STRING, ListKind(INT))))
    assert given(result, kind) == [("a", [0]), ("b", [1, 2])]
    map_result = Map(LocalContext(1).parallelize([batch]), ["U", ("list", "i8")], 1)
    assert given(map_result, MapKind(STRING, ListKind(INT))) == {"a": [0], "b": [1, 2]}


def test_columns_of_a_table_may_be_strings():
    columns = (np.array(["a", "b"]), np.array([1, 2]))
    assert given(columns, ListKind(PERSON)) == [("a", 1), ("b", 2)]
    assert given(columns, MapKind(STRING, INT)) == {"a": 1, "b": 2}
    wide = (*columns, np.array([5, 6]))
    assert given(wide, MapKind(STRING, TupleKind((INT, INT)))) == {"a": (1, 5), "b": (2, 6)}


def test_scalars_on_the_command_line():
    assert parse_scalar(" a b ", WantedScalar("string"), "s") == " a b "
    assert parse_scalar("é", WantedScalar("i24"), "c") == ord("é")


def test_kinds_and_codes():
    code = ("list", "i8", ("map", 1, "U", ("tuple", "f8", "char")), ("tile", 2, "b1"))
    kind = kind_of(code)
    text = "list[(Int, map[String, (Double, Char)], matrix[Boolean])]"
    assert str(kind) == text
    assert code_of_kind(kind) == code


def read(folder: Path, name: str, text: str, wanted: Wanted) -> Any:
    (folder / name).write_text(text)
    return load(folder / name, wanted)


def values(batch: rows.Batch) -> list[list[Any]]:
    return [column.tolist() for column in batch]


def test_text_files(tmp_path: Path):
    lines = read(tmp_path, "t.txt", "one, two\r\n\n#three", wanted(ListKind(STRING)))
    assert values(lines) == [["one, two", "", "#three"]]
    assert values(read(tmp_path, "e.txt", "", wanted(ListKind(STRING)))) == [[]]
    assert read(tmp_path, "v.txt", "a\nb\n", wanted(ArrayKind(1, STRING))).tolist() == ["a", "b"]
    assert read(tmp_path, "s.txt", "all\nof it", WantedScalar("string")) == "all\nof it"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada,36\nBob,41\n", [["Ada", "Bob"], [36, 41]]),
        ("name,age\nAda,36\n", [["Ada"], [36]]),
        ("who,years\nAda,36\n", [["Ada"], [36]]),
        ("age,id,name\n36,7,Ada\n", [["Ada"], [36]]),
        ('"A, B",1\n#c, 2\n', [["A, B", "#c"], [1, 2]]),
        ("Ada\t36\n", [["Ada"], [36]]),
        ("Ada 36\n", [["Ada"], [36]]),
        ("name,age\n", [[], []]),
        ("", [[], []]),
    ],
)
def test_tables_with_strings(tmp_path: Path, text: str, expected: Any):
    assert values(read(tmp_path, "p.csv", text, wanted(ListKind(PERSON)))) == expected


def test_other_tables(tmp_path: Path):
    numbers = wanted(ListKind(TupleKind((INT, DOUBLE), ("a", "b"))))
    assert values(read(tmp_path, "n.csv", "b,c,a\n0.5,1,7\n", numbers)) == [[7], [0.5]]
    commented = "# made by hand\na,b\n1,2.5  # first\n\n# more\n2,3\n"
    assert values(read(tmp_path, "c.csv", commented, numbers)) == [[1, 2], [2.5, 3.0]]
    edges = wanted(ListKind(TupleKind((INT, INT))))
    snap = "# Nodes: 2\n# From To\n0\t1\n1\t0\n"
    assert values(read(tmp_path, "g.txt", snap, edges)) == [[0, 1], [1, 0]]
    mixed = wanted(ListKind(TupleKind((CHAR, ScalarKind("i1"), STRING))))
    assert values(read(tmp_path, "m.csv", "x,true,\ny,0,s\n", mixed)) == [
        [120, 121],
        [True, False],
        ["", "s"],
    ]
    pairs = wanted(MapKind(STRING, TupleKind((INT, INT))))
    assert python_items(pairs.kind, read(tmp_path, "k.csv", "b,1,2\na,3,4\n", pairs)) == [
        ("a", (3, 4)),
        ("b", (1, 2)),
    ]
    assert values(read(tmp_path, "w.csv", '"a, b"\nc\n', wanted(ListKind(STRING)))) == [
        ["a, b", "c"]
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ada,36\nBob\n", ":2: 1 column where 2 are wanted: list[<name: String, age: Int>]"),
        ("Ada,36\nBob,x\n", ":2, column 2: 'x' is not an integer"),
        ("name,id,age\nAda,1\n", ":2: 2 columns where the header has more than 2"),
        (
            "name,Age\nAda,1\n",
            ":1: the header has no column 'age': list[<name: String, age: Int>]",
        ),
        ("a,b,c\n", ":1: 3 columns where 2 are wanted: list[<name: String, age: Int>]"),
    ],
)
def test_wrong_tables(tmp_path: Path, text: str, message: str):
    with pytest.raises(InputError) as error:
        read(tmp_path, "p.csv", text, wanted(ListKind(PERSON)))
    assert str(error.value) == f"{tmp_path / 'p.csv'}{message}"


def test_a_header_with_some_of_the_fields(tmp_path: Path):
    point = wanted(ListKind(TupleKind((INT, DOUBLE), ("x", "y"))))
    assert values(read(tmp_path, "p.csv", "z,y,x\n1,2,3\n", point)) == [[3], [2.0]]
    assert values(read(tmp_path, "p.csv", "a,b\n1,2\n", point)) == [[1], [2.0]]
    with pytest.raises(InputError, match=r":1: the header has no column 'y': list\[<x: Int"):
        read(tmp_path, "p.csv", "x,Y\n1,2\n", point)


def test_json(tmp_path: Path):
    kind = ListKind(TupleKind((INT, ListKind(PERSON))))
    content = [[1, [{"name": "a", "age": 2}]], [2, []]]
    batch = read(tmp_path, "l.json", json.dumps(content), wanted(kind))
    assert python_values(kind.row, batch) == [(1, [("a", 2)]), (2, [])]
    mapping = MapKind(STRING, ListKind(INT))
    batch = read(tmp_path, "m.json", '{"b": [1], "a": []}', wanted(mapping))
    assert python_items(mapping, batch) == [("a", []), ("b", [1])]
    with pytest.raises(InputError, match=r"x\.json: cannot be read as \.json: Expecting value"):
        read(tmp_path, "x.json", "nothing", wanted(kind))
    with pytest.raises(InputError, match="is not read from text; give a"):
        read(tmp_path, "x.csv", "1,2", wanted(kind))


def test_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Column:
        type = "any"

        def __init__(self, values: list[Any]):
            self.values = values

        def to_numpy(self) -> Any:
            return np.array(self.values, object if isinstance(self.values[0], str) else None)

    class Table:
        column_names = ("age", "name")
        schema = None

        def column(self, number: int) -> Column:
            return Column([[3, 4], ["a", "b"]][number])

    class File:
        metadata = SimpleNamespace(num_rows=2, num_columns=2)

        def __init__(self, path: str):
            assert path.endswith("x.parquet")

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *error: object) -> None:
            pass

        def read(self) -> Table:
            return Table()

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match="need pyarrow, which is not installed"):
        read(tmp_path, "x.parquet", "", wanted(ListKind(PERSON)))
    parquet = ModuleType("pyarrow.parquet")
    arrow: Any = ModuleType("pyarrow")
    arrow.ArrowInvalid = ValueError
    arrow.concat_tables = lambda tables: tables[0]
    monkeypatch.setitem(sys.modules, "pyarrow", arrow)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", parquet)
    parquet.ParquetFile = File  # type: ignore[attr-defined]
    batch = read(tmp_path, "x.parquet", "", wanted(ListKind(PERSON)))
    assert values(batch) == [["a", "b"], [3, 4]]


def test_rows_of_pythons_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which says how long they are, and nothing of them is looked for that arrays have."""

    def never(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(arguments, "without_mask", never)
    monkeypatch.setattr(nested_values, "without_mask", never)
    monkeypatch.setattr(nested_values, "_length", never)
    kind = ListKind(TupleKind((STRING, INT)))
    strings, numbers = check_argument([("a", 1), ["b", 2], ("c", 3)], wanted(kind), "x")
    assert list(strings) == ["a", "b", "c"]
    assert numbers.tolist() == [1, 2, 3]


@pytest.mark.parametrize("width", [2, 33])
def test_rows_of_another_length_are_found(width: int) -> None:
    """However long rows are, and whatever else could be unpacked."""
    kind = ListKind(TupleKind((STRING,) * width))
    right, short, long = ("a",) * width, ("b",) * (width - 1), ("c",) * (width + 1)
    columns = check_argument([right, list(right)], wanted(kind), "x")
    assert [list(column) for column in columns] == [["a", "a"]] * width
    for wrong in (short, long, "d" * width, None, {str(k): k for k in range(width)}):
        with pytest.raises(InputError, match=r"x: row 2 (has|is)"):
            check_argument([right, wrong], wanted(kind), "x")
