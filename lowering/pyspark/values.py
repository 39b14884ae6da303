"""Values of the driver that come from elsewhere: parts of tuples, elements, what a map holds.

    %x, %found = spark.probe %M[%k : i64] …      =>      x, found = probe_map(M, (k,), "i8")
                                                         x = int(x)

They are NumPy's scalars, of which the integers and Booleans become Python's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects import scf, tensor
from xdsl.ir import Operation, SSAValue

from diablo.dialects import comprehension, spark
from diablo.lowering.numpy.expressions import Level
from diablo.lowering.pyspark.lines import Chain
from diablo.lowering.pyspark.scalars import Scalar, python_value

if TYPE_CHECKING:
    from diablo.lowering.pyspark.driver import Driver


def is_here(use: Operation, op: Operation) -> bool:
    """Whether `use` is evaluated where `op` stands."""
    return use.parent is op.parent and not isinstance(use, scf.WhileOp)


def write_unpack(driver: Driver, op: comprehension.UnpackOp) -> None:
    """The parts of a packed tuple, each in a variable if it is used more than once."""
    packed = driver.scalars[op.tuple].at(Level.ATOM)
    for number, part in enumerate(op.parts):
        uses = list(part.uses)
        if not uses:
            continue
        value = python_value(f'{packed}["f{number}"]', part.type)
        if len(uses) > 1 or not is_here(uses[0].operation, op):
            name = driver.names.unique(part.name_hint, "x")
            driver.lines.comment(op)
            driver.lines.statement(f"{name} = ", Chain(value.text))
            value = Scalar(name, is_numpy=value.is_numpy)
        driver.scalars[part] = value


def write_probe(driver: Driver, op: comprehension.ProbeOp | spark.ProbeOp, call: str) -> None:
    """The values for a key, and whether it is there."""
    names = [
        driver.names.unique(result.name_hint, "found" if result is op.found else "value")
        for result in op.results
    ]
    driver.lines.comment(op)
    driver.lines.statement(f"{', '.join(names)} = ", Chain(call))
    for name, result in zip(names, op.results, strict=True):
        if result is op.found:
            driver.bind(result, name)
        else:
            _bind(driver, result, name)


def write_scalar(
    driver: Driver, op: spark.FoldOp | spark.ExtractOp | tensor.ExtractOp, chain: Chain
) -> None:
    """A scalar that comes from an array or from the workers."""
    fallback = "total" if isinstance(op, spark.FoldOp) else "element"
    name = driver.names.unique(op.result.name_hint, fallback)
    driver.lines.comment(op)
    driver.lines.statement(f"{name} = ", chain)
    _bind(driver, op.result, name)


def _bind(driver: Driver, result: SSAValue, name: str) -> None:
    """Let the variable `name`, which was just assigned, hold `result` as the driver needs it."""
    value = python_value(name, result.type)
    if value.text != name and result.uses:
        driver.lines.add(f"{name} = {value.text}")
    driver.scalars[result] = Scalar(name, is_numpy=value.is_numpy)
