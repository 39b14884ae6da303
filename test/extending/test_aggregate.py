"""A new aggregate of tables is one row of the table, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo.array as da
from diablo.array import col
from diablo.diagnostics import InputError
from diablo.table.column_values import FLOAT64
from diablo.table.table_aggregates import AGGREGATES, AggregateFunction
from diablo.table.typed_expressions import Typed


def _squared(operand: Typed) -> Typed:
    return Typed("call", FLOAT64.with_nulls(operand.type.nullable), (operand, operand), "multiply")


ROWS = {
    "product": AggregateFunction("product", "the product of a group", monoid="mul"),
    "rms": AggregateFunction(
        "rms",
        "the root of the mean of squares",
        is_divided=True,
        null_of_none=True,
        takes=lambda type: type == FLOAT64.with_nulls(type.nullable),
        folded=_squared,
        finished=lambda _, found: Typed("call", found.type, (found,), "sqrt"),
        also="quadratic_mean",
    ),
}
TABLE = {"k": [1, 1, 2, 1], "x": [3.0, 4.0, None, 5.0], "n": [2, 3, 5, 7], "s": list("abcd")}


@pytest.fixture(autouse=True)
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, row in ROWS.items():
        monkeypatch.setitem(AGGREGATES, name, row)


def test_without_its_row_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(AGGREGATES, "rms")
    with pytest.raises(InputError, match="there is no aggregate 'rms': it is sum, prod, mean, "):
        da.table(TABLE).agg(x="rms")


def test_it_is_checked() -> None:
    with pytest.raises(InputError, match=r"there is no rms\(\) of a column of str"):
        da.table(TABLE).agg(s="rms")


def test_it_is_of_groups() -> None:
    grouped = da.table(TABLE).group_by("k").agg({"x": ["rms", "count"], "n": "product"})
    found: dict[str, Any] = grouped.order_by("k").to_dict()
    assert found["x_rms"] == [pytest.approx(np.sqrt(50 / 3)), None]
    assert (found["x_count"], found["n"]) == ([3, 0], [42, 5])


def test_it_is_of_all_rows() -> None:
    table = da.table(TABLE)
    found = table.agg(r=("x", "quadratic_mean"), p=("n", "product")).to_dict()
    assert found == {"r": [pytest.approx(np.sqrt(50 / 3))], "p": [210]}
    assert table.where(col("n") > 9).agg(x="rms", n="product").to_dict() == {"x": [None], "n": [1]}
