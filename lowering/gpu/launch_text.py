"""Write the function that launches kernels as Python text, which processes without xDSL run.

    func.func @k(%n: index, %x: memref<?xf64>) {       def launches(launch, empty, look, n, x):
      %0 = arith.constant 256 : index                      v0 = 256
      %1 = arith.divui %n, %0 : index            =>        v1 = n // v0
      gpu.launch_func @k_kernels::@k_0 …                   launch(0, (v1, 1, 1), (32, 8, 1), (n, x))

What it computes are numbers of blocks, which are far from what 64 bits hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.dialects import arith, func, gpu, math, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.utils.hints import isa

from diablo.dialects.number_constants import ConstantOps
from diablo.dialects.predicates import SYMBOLS, predicate_of
from diablo.dialects.scalar_types import scalar_of
from diablo.passes.analyses.refused import Refused

_BINARY: dict[type[Operation], str] = {
    arith.AddiOp: "{} + {}",
    arith.SubiOp: "{} - {}",
    arith.MuliOp: "{} * {}",
    arith.DivUIOp: "{} // {}",
    arith.RemUIOp: "{} % {}",
    arith.MinSIOp: "min({}, {})",
    arith.MaxSIOp: "max({}, {})",
    arith.MinUIOp: "min({}, {})",
    arith.MaxUIOp: "max({}, {})",
    arith.ShLIOp: "{} << {}",
    arith.ShRUIOp: "{} >> {}",
    arith.AndIOp: "{} & {}",
    arith.OrIOp: "{} | {}",
}


def launch_text(function: func.FuncOp, numbers: Mapping[str, int]) -> str:
    """Return the text of a function of launches; `numbers` are those of the kernels.

    Raises
    ------
    Refused
        If it computes what is no number of blocks.
    """
    names: dict[SSAValue, str] = {}
    for argument in function.args:
        names[argument] = f"a{len(names)}"
    parameters = ", ".join(["launch", "empty", "look", *names.values()])
    lines = [f"def launches({parameters}):"]
    lines += _lines(function.body.block, names, numbers, "    ")
    return "\n".join([*lines, ""])


def _lines(
    block: Block, names: dict[SSAValue, str], numbers: Mapping[str, int], indent: str
) -> Iterator[str]:
    """The lines of a block."""
    for op in block.ops:
        operands = [names[operand] for operand in op.operands]
        match op:
            case func.ReturnOp():
                yield f"{indent}return {', '.join(operands)}".rstrip()
            case scf.YieldOp() if isinstance(parent := op.parent_op(), scf.ForOp):
                held = [names[argument] for argument in parent.body.block.args[1:]]
                if held:
                    yield f"{indent}{', '.join(held)} = {', '.join(operands)}"
            case gpu.LaunchFuncOp():
                yield f"{indent}{_launch(op, names, numbers)}"
            case scf.YieldOp() if isinstance(parent := op.parent_op(), scf.IfOp) and operands:
                chosen = [names[result] for result in parent.results]
                yield f"{indent}{', '.join(chosen)} = {', '.join(operands)}"
            case scf.YieldOp():
                yield f"{indent}pass"
            case scf.IfOp():
                for result in op.results:
                    names[result] = f"v{len(names)}"
                yield f"{indent}if {operands[0]}:"
                yield from _lines(op.true_region.block, names, numbers, f"{indent}    ")
                yield f"{indent}else:"
                yield from _lines(op.false_region.block, names, numbers, f"{indent}    ")
            case scf.ForOp():
                for old in op.body.block.args:
                    names[old] = f"v{len(names)}"
                index, *held = [names[argument] for argument in op.body.block.args]
                begin, end, step, *first = operands
                if held:
                    yield f"{indent}{', '.join(held)} = {', '.join(first)}"
                yield f"{indent}for {index} in range({begin}, {end}, {step}):"
                yield from _lines(op.body.block, names, numbers, f"{indent}    ")
                names.update(zip(op.results, held, strict=True))
            case _:
                text = _value(op, names)
                (result,) = op.results
                names[result] = f"v{len(names)}"
                yield f"{indent}{names[result]} = {text}"


def _launch(op: gpu.LaunchFuncOp, names: Mapping[SSAValue, str], numbers: Mapping[str, int]) -> str:
    (kernel,) = op.kernel.nested_references.data
    grid = ", ".join(names[v] for v in (op.gridSizeX, op.gridSizeY, op.gridSizeZ))
    block = ", ".join(names[v] for v in (op.blockSizeX, op.blockSizeY, op.blockSizeZ))
    given = "".join(f"{names[value]}, " for value in op.kernelOperands)
    return f"launch({numbers[kernel.data]}, ({grid}), ({block}), ({given}))"


def _value(op: Operation, names: Mapping[SSAValue, str]) -> str:
    """The text of what an op gives."""
    operands = [names[operand] for operand in op.operands]
    match op:
        case _ if isinstance(op, ConstantOps):
            if isinstance(op.value, IntegerAttr):
                return str(op.value.value.data)
        case memref.DimOp():
            return f"{operands[0]}.shape[{operands[1]}]"
        case arith.CmpiOp():
            sign = SYMBOLS[predicate_of(op)]
            return f"{operands[0]} {sign} {operands[1]}"
        case arith.SelectOp():
            return f"{operands[1]} if {operands[0]} else {operands[2]}"
        case arith.IndexCastOp():
            return operands[0]
        case gpu.AllocOp():
            buffer = op.result.type
            assert isa(buffer, MemRefType[Attribute])
            scalar = scalar_of(buffer.element_type)
            if scalar is None:
                raise Refused(f"it makes elements of type {buffer.element_type}")
            sizes = iter(operands)
            shape = [next(sizes) if n == DYNAMIC_INDEX else str(n) for n in buffer.get_shape()]
            return f'empty([{", ".join(shape)}], "{scalar.element}")'
        case memref.LoadOp() if len(operands) == 1:
            return f"look({operands[0]})"
        case math.CountLeadingZerosOp():
            return f"64 - {operands[0]}.bit_length()"
        case _:
            text = _BINARY.get(type(op))
            if text is not None:
                return text.format(*operands)
    raise Refused(f"{op.name} stands before a launch")
