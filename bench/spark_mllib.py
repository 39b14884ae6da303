"""Cases of the suite as Spark's own library of machine learning computes them, in the JVM.

    call = by_mllib["k-means, monoid"](sc, work.inputs)   # caches the inputs, as the library does
    call().compute()                                      # what is timed

Points are the rows of a data frame with a column of vectors. Its k-means chooses its first centres
itself, and its regression its steps: so many are made as in the case, and what comes out is not
compared. Its matrices are not here: to make one of an array of Python's takes minutes.
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


@dataclass
class Fit:
    """What the library learns, when it is asked to."""

    compute: Callable[[], object]


def _case(*names: str) -> Callable[[Written], Written]:
    def register(make: Written) -> Written:
        by_mllib.update(dict.fromkeys(names, make))
        return make

    return register


def _points(sc: Any, columns: list[np.ndarray], names: list[str]) -> Any:
    """A cached data frame: `features` has a vector for each point; a column `label` comes last."""
    import pandas
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import SparkSession

    session: Any = SparkSession(sc)
    session.conf.set("spark.sql.execution.arrow.pyspark.enabled", "true")
    table = session.createDataFrame(pandas.DataFrame(dict(zip(names, columns, strict=True))))
    table = table.repartition(int(sc.defaultParallelism))
    features = [name for name in names if name != "label"]
    assembler: Any = VectorAssembler(inputCols=features, outputCol="features")
    labels = names[len(features) :]
    points = assembler.transform(table).select("features", *labels).cache()
    points.count()
    return points


@_case("k-means, monoid")
def _kmeans(sc: Any, inputs: Inputs) -> Call:
    from pyspark.ml.clustering import KMeans

    points = _points(sc, list(inputs["P"]), ["x", "y"])
    learner: Any = KMeans(k=inputs["K"], maxIter=inputs["steps"], tol=0.0, initMode="random")
    return lambda: Fit(lambda: learner.fit(points))


@_case("regression, operators", "regression, loops")
def _regression(sc: Any, inputs: Inputs) -> Call:
    from pyspark.ml.regression import LinearRegression

    x = inputs["X"]
    names = [f"x{j}" for j in range(x.shape[1])]
    points = _points(sc, [*x.T, inputs["y"]], [*names, "label"])
    learner: Any = LinearRegression(
        maxIter=inputs["steps"], tol=0.0, solver="l-bfgs", standardization=False, fitIntercept=False
    )
    return lambda: Fit(lambda: learner.fit(points))
