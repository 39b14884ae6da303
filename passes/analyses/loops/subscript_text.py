"""How a program writes an index: `n-1-i`, `2*i+1`, `W[i]`.

The ops are spelled as they stand, and not brought into a form: the importer makes one of each
operation of the source.
"""

from __future__ import annotations

from xdsl.dialects import arith, tensor
from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects import comprehension, diablo
from diablo.passes.analyses.values.affine_values import constant_value

_DEPTH = 12

_OPERATORS: dict[type[Operation], tuple[str, int]] = {
    arith.AddiOp: ("+", 1),
    arith.SubiOp: ("-", 1),
    arith.MuliOp: ("*", 2),
    arith.DivSIOp: ("/", 2),
    arith.RemSIOp: ("%", 2),
}
"""The sign of each operation, and how tightly it holds together."""

_ATOM = 3


def subscript_text(value: SSAValue) -> str:
    """An index as the source writes it; `…` for what is no arithmetic of names and numbers."""
    found = _text(value, _DEPTH)
    return "…" if found is None else found[0]


def _text(value: SSAValue, depth: int) -> tuple[str, int] | None:
    """The text of a value, and how tightly it holds together."""
    owner = value.owner
    if not depth:
        return None
    match owner:
        case comprehension.StringOp():
            return f'"{owner.value.data}"', _ATOM
        case arith.IndexCastOp() if value.name_hint is None or owner.input.name_hint is not None:
            return _text(owner.input, depth - 1)
        case diablo.LoadOp() | tensor.ExtractOp():
            return _read(owner, depth - 1)
        case _ if type(owner) in _OPERATORS and isinstance(owner, Operation):
            return _operation(owner, depth - 1)
        case _:
            pass
    if value.name_hint is not None:
        return value.name_hint, _ATOM
    constant = None if isinstance(owner, Block) else constant_value(value)
    return None if constant is None else (str(constant), _ATOM if constant >= 0 else 0)


def _operation(op: Operation, depth: int) -> tuple[str, int] | None:
    sign, level = _OPERATORS[type(op)]
    left, right = (_text(operand, depth) for operand in op.operands)
    if left is None or right is None:
        return None
    if sign == "-" and left[0] == "0":
        return f"-{_within(right, level + 1)}", level
    # Of the operands on the right those of the same level are in parentheses in the source.
    return f"{_within(left, level)}{sign}{_within(right, level + 1)}", level


def _within(text: tuple[str, int], level: int) -> str:
    return text[0] if text[1] >= level else f"({text[0]})"


def _read(op: diablo.LoadOp | tensor.ExtractOp, depth: int) -> tuple[str, int] | None:
    """A variable or one of its elements."""
    if isinstance(op, tensor.ExtractOp):
        whole = _text(op.tensor, depth)
    else:
        declared = op.ref.owner
        whole = (declared.sym_name.data, _ATOM) if isinstance(declared, diablo.VarOp) else None
    indices = [_text(index, depth) for index in op.indices]
    if whole is None or None in indices:
        return None
    shown = ",".join(text[0] for text in indices if text is not None)
    return (f"{whole[0]}[{shown}]" if shown else whole[0]), _ATOM
