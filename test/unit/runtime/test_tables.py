"""Tables and columns of others as inputs: Arrow's, Polars', pandas', dictionaries of columns."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from diablo.diagnostics import InputError
from diablo.runtime.io import arrow_tables
from diablo.runtime.io.arguments import check_argument
from diablo.runtime.io.wanted import WantedRows
from diablo.runtime.native import written_loops
from diablo.runtime.rows import string_spans
from diablo.runtime.rows.string_column import Strings
from diablo.runtime.value_kinds import ScalarKind, TupleKind

PAIRS = WantedRows(("i64", "string"))
RECORDS = WantedRows(
    ("i64", "string"), TupleKind((ScalarKind("i64"), ScalarKind("string")), ("k", "w"))
)
WORDS = WantedRows(("string",))
KEYS, TEXTS = [3, 1, 2], ["a", "é", ""]


@pytest.fixture(autouse=True)
def _from_the_first_string_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(written_loops, "WORTH_COMPILING", 0)
    monkeypatch.setattr(string_spans, "FEW", 0)


def _check(value: Any, wanted: WantedRows = PAIRS, columns: tuple[list[Any], ...] = (KEYS, TEXTS)):
    batch = check_argument(value, wanted, "L")
    assert [column.tolist() for column in batch] == list(columns)
    assert isinstance(batch[-1], Strings)


@pytest.mark.parametrize("columns", [{"k": KEYS, "w": TEXTS}, {"w": TEXTS, "k": KEYS, "z": KEYS}])
def test_dictionaries_of_columns(columns: dict[str, Any]):
    _check(columns, RECORDS)
    _check({name: np.array(column) for name, column in columns.items()}, RECORDS)
    _check({name: np.array(column, object) for name, column in columns.items()}, RECORDS)


def test_columns_without_names_of_fields_are_taken_in_their_order():
    _check({"x": KEYS, "y": TEXTS})
    _check({"x": np.array(TEXTS)}, WORDS, (TEXTS,))


def test_what_arrow_has():
    arrow = pytest.importorskip("pyarrow")
    keys, texts = arrow.array(KEYS), arrow.array(TEXTS)
    table = arrow.table({"w": texts, "k": keys})
    _check(table, RECORDS)
    _check(table.to_batches()[0], RECORDS)
    _check({"k": keys, "w": texts}, RECORDS)
    _check((np.array(KEYS), texts))
    _check((keys, arrow.chunked_array([texts[:1], texts[1:]])))
    _check(texts, WORDS, (TEXTS,))
    _check(arrow.chunked_array([texts]), WORDS, (TEXTS,))


def test_what_polars_has():
    polars = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    frame = polars.DataFrame({"w": TEXTS, "k": KEYS})
    _check(frame, RECORDS)
    _check((frame["k"], frame["w"]))
    _check(frame["w"], WORDS, (TEXTS,))


def test_what_pandas_has():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"w": TEXTS, "k": KEYS})
    _check(frame, RECORDS)
    _check((frame["k"], frame["w"]))
    _check(frame["w"], WORDS, (TEXTS,))
    rows = check_argument(pandas.Series(list(zip(KEYS, TEXTS, strict=True))), PAIRS, "L")
    assert [column.tolist() for column in rows] == [KEYS, TEXTS]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "L: a dict where"),
        ({"k": 1, "w": 2}, "L: a dict where"),
        ({"k": [1], "w": ["a", "b"]}, "L: the columns are of different lengths"),
        ({"k": [1.5], "w": ["a"]}, "L: 1.5 in row 1 of column 'k' is not an integer"),
        ({"k": [1], "v": ["a"]}, "L: the table has no column 'w'"),
    ],
)
def test_errors(value: Any, message: str):
    with pytest.raises(InputError) as error:
        check_argument(value, RECORDS, "L")
    assert str(error.value).startswith(message)


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(arrow_tables, "import_module", missing)
    table = SimpleNamespace(columns=["k"], __arrow_c_stream__=None)
    with pytest.raises(InputError, match="L: to read a SimpleNamespace needs pyarrow"):
        check_argument(table, PAIRS, "L")
