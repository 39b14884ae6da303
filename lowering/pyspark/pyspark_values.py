"""Values of the driver that come from elsewhere: parts of tuples, elements, what a map holds.

    %x, %found = spark.probe %M[%k : i64] …      =>      x, found = probe_map(M, (k,), "i8")
                                                         x = int(x)

They are NumPy's scalars, of which the integers and Booleans become Python's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import scf, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, spark
from diablo.dialects.bags import BagType
from diablo.lowering.kernel_types import type_code
from diablo.lowering.numpy.expressions import Level, place_of
from diablo.lowering.pyspark.pyspark_lines import Chain
from diablo.lowering.pyspark.pyspark_scalars import Scalar, python_value
from diablo.lowering.python_text import string_literal
from diablo.lowering.scalar_roles import role_of

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def is_here(use: Operation, op: Operation) -> bool:
    """Return whether `use` is evaluated where `op` stands."""
    return use.parent is op.parent and not isinstance(use, scf.WhileOp)


def write_unpack(driver: Driver, op: comprehension.UnpackOp) -> None:
    """The parts of a packed tuple, each in a variable if it is used more than once."""
    packed = driver.scalars[op.tuple].at(Level.ATOM)
    for number, part in enumerate(op.parts):
        uses = list(part.uses)
        if not uses:
            continue
        text = f'{packed}["f{number}"]'
        if isinstance(part.type, BagType):
            text = f"rows.unpack({packed}, {type_code(op.tuple.type)})[{number}]"
        value = python_value(text, part.type)
        if len(uses) > 1 or not is_here(uses[0].operation, op):
            name = driver.name(part, role_of(part))
            driver.lines.comment(op)
            driver.lines.statement(f"{name} = ", Chain(value.text))
            driver.bind(part, name)
            value = Scalar(name, is_numpy=value.is_numpy)
        driver.scalars[part] = value


def write_probe(driver: Driver, op: comprehension.ProbeOp | spark.ProbeOp, call: str) -> None:
    """The values for a key, and whether it is there."""
    names = [
        driver.name(result, "found" if result is op.found else "value") for result in op.results
    ]
    driver.lines.comment(op)
    driver.lines.statement(f"{', '.join(names)} = ", Chain(call))
    for name, result in zip(names, op.results, strict=True):
        if result is op.found:
            driver.bind(result, name)
        else:
            _bind(driver, result, name)


def write_element(driver: Driver, op: comprehension.ElementOp, call: str) -> None:
    """The columns of a row of a list of the driver, each in a variable."""
    names = [driver.name(value, "item") for value in op.values]
    driver.lines.comment(op)
    driver.lines.statement(f"{', '.join(names)}{',' if len(names) == 1 else ''} = ", Chain(call))
    for name, value in zip(names, op.values, strict=True):
        if isinstance(value.type, BagType | TensorType):
            driver.bind(value, name)
        else:
            _bind(driver, value, name)


def write_sequence(driver: Driver, op: comprehension.SequenceOp) -> None:
    """Rows in order, and their number."""
    rows = driver.name(op.rows, "in_order")
    arguments = [driver.text(op.bag), str(op.sorted_columns), string_literal(place_of(op))]
    driver.lines.comment(op)
    driver.lines.statement(f"{rows} = ", Chain(f"sequence({', '.join(arguments)})"))
    driver.bind(op.rows, rows)
    driver.scalars[op.count] = Scalar(f"{rows}.count")
    driver.variables.hold(op.count, rows)


def write_row(driver: Driver, op: comprehension.RowOp) -> None:
    """The columns of a row that are used: numbers are Python's, but for those of 32 bits."""
    names = [driver.name(value, "value") if value.first_use else "_" for value in op.values]
    if all(name == "_" for name in names):
        return
    driver.lines.comment(op)
    target = ", ".join(names) if len(names) > 1 else f"({names[0]},)"
    call = f"{driver.text(op.rows)}.row({driver.scalar(op.place)})"
    driver.lines.statement(f"{target} = ", Chain(call))
    for name, value in zip(names, op.values, strict=True):
        driver.bind(value, name)


def write_scalar(
    driver: Driver, op: spark.FoldOp | spark.ExtractOp | tensor.ExtractOp, chain: Chain
) -> None:
    """A scalar that comes from an array or from the workers."""
    fallback = "total" if isinstance(op, spark.FoldOp) else "item"
    name = driver.name(op.result, fallback)
    driver.lines.comment(op)
    driver.lines.statement(f"{name} = ", chain)
    _bind(driver, op.result, name)


def write_results(
    driver: Driver, op: spark.FoldAllOp | spark.CollectStripsOp, chain: Chain
) -> None:
    """Several scalars, or arrays, that come from the workers at once."""
    names = [
        driver.name(result, "local" if isinstance(result.type, TensorType) else "total")
        for result in op.results
    ]
    driver.lines.comment(op)
    driver.lines.statement(f"{', '.join(names)} = ", chain)
    for result, name in zip(op.results, names, strict=True):
        if isinstance(result.type, TensorType):
            driver.bind(result, name)
        else:
            _bind(driver, result, name)


def _bind(driver: Driver, result: SSAValue, name: str) -> None:
    """Let the variable `name`, which was just assigned, hold `result` as the driver needs it."""
    value = python_value(name, result.type)
    if value.text != name and result.uses:
        driver.lines.statement(f"{name} = ", Chain(value.text))
    driver.bind_scalar(result, Scalar(name, is_numpy=value.is_numpy))
