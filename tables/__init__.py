"""Lazy tables: queries in Python, computed by the compiler.

import diablo.array as da
t = da.table(frame)
t.where(da.col("x") > 0).group_by("k").agg(total=da.col("x").sum()).to_pandas()
"""

from __future__ import annotations

from diablo.table.column_expressions import (
    Expression,
    TextFunctions,
    col,
    count,
    lit,
    row_number,
    when,
)
from diablo.table.lazy_table import GroupBy, Table, concat, table

__all__ = [
    "Expression",
    "GroupBy",
    "Table",
    "TextFunctions",
    "col",
    "concat",
    "count",
    "lit",
    "row_number",
    "table",
    "when",
]
