"""Lists that stay with Spark: data frames given and taken, and results that are passed on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import diablo
from diablo.diagnostics import InputError
from diablo.runtime.engines.spark import spark_context
from diablo.runtime.results.result_types import Rows

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.spark

GROUPS = (
    'input L: list[(Int,Double,String)]; [ (k, +/x, max/x) | (k,x,w) <- L, w != "b", group by k ]'
)
RECORDS = "input R: list[<sum: Double, k: Int>]; +/[ r.sum | r <- R, r.k > 2 ]"
ROWS = [(k % 5, float(k), "abc"[k % 3]) for k in range(40)]


@pytest.fixture(scope="module")
def frame() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession(spark_context("local[2]")).createDataFrame(
        ROWS, "k bigint, x double, w string"
    )


def test_a_frame_in_and_a_frame_out(frame: Any):
    program = diablo.compile(GROUPS, engine="auto")
    result = program(L=frame)
    assert isinstance(result, Rows)
    assert result.is_with_spark
    found = result.to_spark()
    assert found.dtypes == [("_1", "bigint"), ("_2", "double"), ("_3", "double")]
    kept = {}
    for k, x, w in ROWS:
        if w != "b":
            kept.setdefault(k, []).append(x)
    expected = sorted((k, sum(xs), max(xs)) for k, xs in kept.items())
    assert sorted(map(tuple, found.collect())) == expected
    # It is the input of another program where it is, and of the same in this process as well.
    other = diablo.compile(
        "input R: list[(Int,Double,Double)]; [ x+y | (k,x,y) <- R ]", engine="spark"
    )
    np.testing.assert_allclose(sorted(other(R=result)), sorted(x + y for _, x, y in expected))
    assert sorted(diablo.compile(GROUPS)(L=frame).to_list()) == expected
    # The columns of a record are found by their names.
    sums = diablo.compile(RECORDS, engine="spark")(R=found.selectExpr("_1 as k", "_2 as sum"))
    assert sums == sum(x for k, x, _ in expected if k > 2)


@pytest.mark.parametrize(
    ("columns", "message"),
    [(["k", "x"], "L: "), (["w", "x", "k"], "L: "), (["k", "w", "x"], "L: ")],
)
def test_other_frames_are_refused_before_anything_runs(
    frame: Any, columns: list[str], message: str
):
    program = diablo.compile(GROUPS, engine="spark")
    with pytest.raises(InputError, match=message):
        program(L=frame.select(*columns))


def test_rows_of_this_process_are_no_frame():
    with pytest.raises(InputError, match="are in this process"):
        diablo.compile("[ (i, 2*i) | i <- 0..3 ]", engine="local")().to_spark()
