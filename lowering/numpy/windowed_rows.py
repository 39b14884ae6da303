"""What functions of the rows around a row are called with.

keys [0] by [1 desc] functions [scan add 1]    =>    (0,), ((1, True),), (("scan", "add", 1),)
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from diablo.dialects.window_ops import WindowRows
from diablo.lowering.numpy.expressions import tuple_text
from diablo.lowering.numpy.numpy_monoids import monoid_text
from diablo.lowering.numpy.numpy_values import keys_text
from diablo.lowering.python_text import string_literal


def window_arguments(op: WindowRows, scalar: Callable[[SSAValue], str]) -> list[str]:
    """Return the texts of the keys, the order and the functions of an op."""
    functions: list[str] = []
    for function, size in op.sized_functions:
        parts = [string_literal(function.function.data)]
        if function.form.monoid:
            parts.append(monoid_text(function.monoid.data))
        if function.form.interpolation:
            parts.append(string_literal(function.interpolation.data))
        if function.form.column:
            parts.append(str(function.column.data))
        if size is not None:
            parts.append(scalar(size))
        functions.append(tuple_text(parts))
    keys = tuple_text([str(column) for column in op.key_columns])
    return [keys, keys_text(op.by), tuple_text(functions)]
