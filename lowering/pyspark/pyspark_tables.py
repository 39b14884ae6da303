"""Hash tables of the driver, which loops find keys in and write to.

%t = comprehension.table %map            =>    t = table(map, ("U",), ("i8",))
%v, %found = comprehension.find %t[%k]   =>    v, found = t.find(k)
comprehension.put (%x) into %t[%k]       =>    t[k] = x
%n = comprehension.size %t               =>    n = len(t)
%rows = comprehension.entries %t         =>    rows = t.entries()

The text of a key is the key where there is one column, else a tuple of them. A float is written as
`float_key(k)`, as -0.0 is the key 0.0, and all NaNs are one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import tuple_text
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import Scalar

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver

TableOps = (
    comprehension.TableOp
    | comprehension.FindOp
    | comprehension.PutOp
    | comprehension.SizeOp
    | comprehension.EntriesOp
)
"""The ops on hash tables."""


def write_table_op(driver: Driver, op: TableOps) -> None:
    """Write one of these ops as a statement."""
    match op:
        case comprehension.TableOp():
            type = op.table.type
            assert isinstance(type, comprehension.TableType)
            codes = [
                tuple_text([type_code(column) for column in columns])
                for columns in (type.key_types, type.value_types)
            ]
            driver.assign(op, Chain(f"table({driver.text(op.rows)}, {', '.join(codes)})"), "found")
        case comprehension.FindOp():
            _write_find(driver, op)
        case comprehension.PutOp():
            values = [driver.text(value) for value in op.values]
            driver.lines.comment(op)
            target = f"{driver.text(op.table)}[{_key(driver, op.keys, grouped=True)}]"
            text = values[0] if len(values) == 1 else tuple_text(values)
            driver.lines.statement(f"{target} = ", Chain(text))
        case comprehension.SizeOp():
            name = driver.name(op.result, "size")
            driver.lines.comment(op)
            driver.lines.statement(f"{name} = ", Chain(f"len({driver.text(op.table)})"))
            driver.bind_scalar(op.result, Scalar(name))
        case comprehension.EntriesOp():
            driver.assign(op, Chain(f"{driver.text(op.table)}.entries()"), "entries")


def _write_find(driver: Driver, op: comprehension.FindOp) -> None:
    names = [
        driver.name(result, "found" if result is op.found else "value") if result.first_use else "_"
        for result in op.results
    ]
    driver.lines.comment(op)
    key = _key(driver, op.keys, grouped=op.grouped is not None)
    call = f"{driver.text(op.table)}.find({key})"
    driver.lines.statement(f"{', '.join(names)} = ", Chain(call))
    for name, result in zip(names, op.results, strict=True):
        if name != "_":
            driver.bind(result, name)


def _key(driver: Driver, keys: Sequence[SSAValue], *, grouped: bool) -> str:
    texts = [
        f"float_key({driver.text(key)})"
        if grouped and isinstance(key.type, AnyFloat)
        else driver.text(key)
        for key in keys
    ]
    return texts[0] if len(texts) == 1 else tuple_text(texts)
