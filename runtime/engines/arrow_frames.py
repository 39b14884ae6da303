"""Functions over the Arrow batches of data frames of Spark.

map_in_arrow(frame, pack, "batch binary")
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any


def map_in_arrow(
    frame: Any, function: Callable[[Iterable[Any]], Iterator[Any]], schema: str
) -> Any:
    """Return `frame.mapInArrow(function, schema)`, without PySpark's warning of a new pandas.

    It looks at pandas, which plays no part here.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"PySpark .* pandas", FutureWarning)
        return frame.mapInArrow(function, schema)
