"""Batches from Python rows and back, for tests that compare with models."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from diablo.runtime import rows
from diablo.runtime.io.nested_values import packed_column
from diablo.runtime.results.python_values import python_values
from diablo.runtime.value_kinds import kind_of, row_of

CODES: dict[Any, st.SearchStrategy[Any]] = {
    "i8": st.integers(-3, 3),
    "f8": st.sampled_from([-1.5, 0.0, 0.1, 1e300]),
    "b1": st.booleans(),
    "char": st.sampled_from("aé\U0001f600"),
    "U": st.sampled_from(["", "a", "b", "ab", "é", "a\0"]),
    ("list", "i8"): st.lists(st.integers(0, 3), max_size=3),
    ("list", "U", "f8"): st.lists(st.tuples(st.sampled_from("xy"), st.just(0.5)), max_size=3),
    ("list", ("list", "U")): st.lists(st.lists(st.sampled_from("xy"), max_size=2), max_size=2),
}
"""Codes of columns, and Python values for each."""
KEYS = ("i8", "f8", "b1", "char", "U")
VALUES = tuple(CODES)


def batch_of(table: Sequence[Sequence[Any]], codes: Sequence[Any]) -> rows.Batch:
    """A batch with columns of the given codes."""
    if not codes:
        return ()
    columns = list(zip(*table, strict=True)) or [() for _ in codes]
    return tuple(
        packed_column(column, kind_of(code), "batch", str)
        for column, code in zip(columns, codes, strict=True)
    )


def rows_of(batch: rows.Batch, codes: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The rows of a batch as Python tuples."""
    columns = [python_values(row_of([c]), (x,)) for c, x in zip(codes, batch, strict=True)]
    return list(zip(*columns, strict=True))


def assert_types(batch: rows.Batch, codes: Sequence[Any]) -> None:
    """Every column is stored as its code says."""
    assert list(map(_types, batch)) == list(map(_types, rows.empty(codes)))


def _types(column: Any) -> Any:
    return list(map(_types, column.values)) if isinstance(column, rows.Lists) else column.dtype


@st.composite
def tables(draw: Any, keys: int | None = None, max_size: int = 8) -> Any:
    """A table: its codes, of which the first are keys, and its rows."""
    width = draw(st.integers(0, 2)) if keys is None else keys
    codes = [
        *draw(st.lists(st.sampled_from(KEYS), min_size=width, max_size=width)),
        *draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=3)),
    ]
    row = st.tuples(*[CODES[code] for code in codes])
    return width, codes, draw(st.lists(row, max_size=max_size))
