# Results that lazy arrays, tables and programs pass to each other, without leaving the engine.
from typing import Any

import numpy as np
import pytest

import diablo
import diablo.array as da
from diablo.array import col
from diablo.runtime.engines.lazy_records import LazyRecords

MASTER = "local[2]"
ROWS = 3000
ELEMENTS = (1 << 20) + 2000
"""More than the driver has itself."""


@pytest.fixture
def collected(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many rows, or elements, every collected result has had."""
    counts: list[int] = []
    collect = LazyRecords.collect

    def counted(self: LazyRecords) -> list[Any]:
        records = collect(self)
        counts.append(sum(len(r[0]) if isinstance(r[0], np.ndarray) else 1 for r in records))
        return records

    monkeypatch.setattr(LazyRecords, "collect", counted)
    return counts


def _columns() -> dict[str, Any]:
    generator = np.random.default_rng(0)
    return {
        "k": generator.integers(0, 20, ROWS),
        "x": generator.random(ROWS),
        "s": generator.choice(["a", "bb", "ü"], ROWS),
    }


# ---- in this process --------------------------------------------------------------------


def test_nothing_is_copied_in_this_process():
    table = da.table(_columns()).where(col("x") > 0.5).collect()
    x = table["x"]
    assert np.shares_memory(x.to_numpy(), table.to_numpy()["x"])
    program = diablo.compile("input A: list[<k: Int, x: Double>]; [ <y = 2.0*a.x> | a <- A ]")
    result = program(A=table)
    assert np.shares_memory(da.table(result).to_numpy()["y"], result.to_numpy()[0])
    vector = diablo.compile("input V: vector[Double]; tensor(V.length)[ (i,v+1.0) | (i,v) <- V ]")
    made = vector(V=x)
    lazy = da.asarray(made)
    assert np.shares_memory(lazy.to_numpy(), made.to_numpy())
    again = da.table({"y": lazy})
    assert np.shares_memory(again.to_numpy()["y"], made.to_numpy())


# ---- on Spark ---------------------------------------------------------------------------


@pytest.mark.spark
def test_rows_stay_with_spark(collected: list[int]):
    columns = _columns()
    table = da.table(columns).where(col("x") > 0.1).collect(engine="spark", master=MASTER)
    # Queries of it, joins of these, programs, and tables of what they give.
    groups = table.group_by("k").agg(n=da.count(), y=col("x").sum()).collect()
    program = diablo.compile(
        "input A: list[<k: Int, x: Double>]; "
        "[ <k = k, m = max/x> | a <- A, let x = a.x, group by k: a.k ]",
        engine="spark",
    )
    most = da.table(program(A=table))
    joined = most.join(groups, on="k").where(col("n") > 3)
    made = diablo.query("[ <k = a.k, z = a.m * a.y> | a <- A, a.k > 3 ]", A=joined, engine="spark")
    ordered = made.order_by("k").collect()
    assert collected == []
    kept = columns["x"] > 0.1
    assert len(table) == kept.sum()  # Counted there.
    assert collected == []
    found = ordered.to_dict()
    assert collected == [16]
    keys, values = columns["k"][kept], columns["x"][kept]
    assert found["k"] == list(range(4, 20))
    expected = [values[keys == k].max() * values[keys == k].sum() for k in range(4, 20)]
    np.testing.assert_allclose(found["z"], expected)
    # Strings and nulls too.
    outer = table.join(groups.where(col("k") < 5), on="k", how="left").collect()
    assert outer.schema == {
        "k": "int64",
        "x": "float64",
        "s": "str",
        "n": "int64?",
        "y": "float64?",
    }
    counts = outer.group_by("s").agg(n=col("n").count()).order_by("s")
    assert collected == [16]
    assert counts.to_dict()["n"] == [
        int(((keys < 5) & (columns["s"][kept] == s)).sum()) for s in ("a", "bb", "ü")
    ]


@pytest.mark.spark
def test_arrays_stay_with_spark(collected: list[int]):
    x = np.random.default_rng(0).random(ELEMENTS)
    doubled = (da.asarray(x) * 2).compute(engine="spark", master=MASTER)
    assert doubled.is_computed
    program = diablo.compile(
        "input V: vector[Double]; tensor*(V.length)[ (i,3.0*v) | (i,v) <- V ]", engine="spark"
    )
    tripled = da.asarray(program(V=doubled + 1))  # Computed where `doubled` is.
    made = diablo.query(
        "tensor*(V.length)[ (i,v+w) | (i,v) <- V, (j,w) <- W, j == i ]",
        V=tripled, W=doubled, engine="spark",
    )  # fmt: skip
    # Vectors as columns of a table, and columns of a table as vectors.
    table = da.table({"a": doubled, "b": tripled})
    positive = table.where(col("a") > 0.001).collect()
    column = positive["b"] - positive["a"]
    total = float(da.sum(column))
    assert all(count <= 1 for count in collected)
    kept = 2 * x > 0.001
    assert total == pytest.approx((3 * (2 * x + 1) - 2 * x)[kept].sum())
    assert len(positive) == kept.sum()
    np.testing.assert_allclose(made.to_numpy(), 3 * (2 * x + 1) + 2 * x)
    np.testing.assert_array_equal(doubled.to_numpy(), 2 * x)
    np.testing.assert_array_equal(positive.head(5).to_numpy()["a"], (2 * x)[kept][:5])


def test_what_a_query_is_not_given():
    with pytest.raises(diablo.CompileError, match=r"hint: give it by name: query\(…, B=…\)"):
        diablo.query("[ a | a <- B ]", A=[1])
    with pytest.raises(diablo.InputError, match="a program is a string, and not int"):
        diablo.query(5)  # pyright: ignore[reportArgumentType]
