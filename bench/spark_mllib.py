"""Cases of the suite as Spark's own library of machine learning computes them, in the JVM.

    call = by_mllib["add"](sc, work.inputs)     # caches the inputs, as the library holds them
    call()                                      # what is timed

Matrices are its `BlockMatrix`, points the rows of a data frame with a column of vectors. Its
k-means chooses its first centres itself, and its regression its steps: so many are made as in the
case, and what comes out is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from case_table import Call

Inputs = Mapping[str, Any]
Written = Callable[[Any, Inputs], Call]
by_mllib: dict[str, Written] = {}
"""The ways by the names of their cases."""

_BLOCK = 1024
"""Rows and columns of a block, as the library itself chooses them."""


@dataclass
class InJVM:
    """A result that the JVM has, or will have made when it is asked for all of it."""

    compute: Callable[[], object]
    read: Callable[[], Any] | None = None
    """Brings it here; None if it cannot be compared."""


def _case(*names: str) -> Callable[[Written], Written]:
    def register(make: Written) -> Written:
        by_mllib.update(dict.fromkeys(names, make))
        return make

    return register


def _session(sc: Any) -> Any:
    from pyspark.sql import SparkSession

    return SparkSession(sc)


def _blocks(sc: Any, array: np.ndarray) -> Any:
    """A matrix as the library holds it, which is cached."""
    from pyspark.mllib.linalg import DenseMatrix
    from pyspark.mllib.linalg.distributed import BlockMatrix

    _session(sc)
    rows, columns = array.shape
    blocks: list[Any] = []
    for i in range(0, rows, _BLOCK):
        for j in range(0, columns, _BLOCK):
            part = array[i : i + _BLOCK, j : j + _BLOCK]
            matrix = DenseMatrix(*part.shape, part.ravel(order="F"))
            blocks.append(((i // _BLOCK, j // _BLOCK), matrix))
    held: Any = BlockMatrix(sc.parallelize(blocks), _BLOCK, _BLOCK, rows, columns).cache()
    _count(held)
    return held


def _count(matrix: Any) -> None:
    matrix._java_matrix_wrapper._java_model.blocks().count()  # What is counted stays in the JVM.


def _kept(matrix: Any) -> InJVM:
    def compute() -> None:
        matrix.cache()
        _count(matrix)
        matrix._java_matrix_wrapper._java_model.blocks().unpersist(False)

    return InJVM(compute, lambda: matrix.toLocalMatrix().toArray())


@_case("add")
def _add(sc: Any, inputs: Inputs) -> Call:
    a, b = _blocks(sc, inputs["A"]), _blocks(sc, inputs["B"])
    return lambda: _kept(a.add(b))


@_case("matrix product")
def _product(sc: Any, inputs: Inputs) -> Call:
    a, b = _blocks(sc, inputs["A"]), _blocks(sc, inputs["B"])
    return lambda: _kept(a.multiply(b))


def _points(sc: Any, columns: list[np.ndarray], names: list[str]) -> Any:
    """A cached data frame whose column `features` has a vector for each point."""
    import pandas
    from pyspark.ml.feature import VectorAssembler

    session = _session(sc)
    session.conf.set("spark.sql.execution.arrow.pyspark.enabled", "true")
    table = session.createDataFrame(pandas.DataFrame(dict(zip(names, columns, strict=True))))
    table = table.repartition(int(sc.defaultParallelism))
    features = [name for name in names if name != "label"]
    assembler: Any = VectorAssembler(inputCols=features, outputCol="features")
    kept = [name for name in ("features", "label") if name == "features" or name in names]
    points = assembler.transform(table).select(*kept).cache()
    points.count()
    return points


@_case("k-means, monoid")
def _kmeans(sc: Any, inputs: Inputs) -> Call:
    from pyspark.ml.clustering import KMeans

    points = _points(sc, list(inputs["P"]), ["x", "y"])
    learner: Any = KMeans(k=inputs["K"], maxIter=inputs["steps"], tol=0.0, initMode="random")
    return lambda: InJVM(lambda: learner.fit(points))


@_case("regression, operators", "regression, loops")
def _regression(sc: Any, inputs: Inputs) -> Call:
    from pyspark.ml.regression import LinearRegression

    x = inputs["X"]
    names = [f"x{j}" for j in range(x.shape[1])]
    points = _points(sc, [*x.T, inputs["y"]], [*names, "label"])
    learner: Any = LinearRegression(
        maxIter=inputs["steps"], tol=0.0, solver="l-bfgs", standardization=False, fitIntercept=False
    )
    return lambda: InJVM(lambda: learner.fit(points))
