"""Operations on the elements at one place: NumPy's ufuncs, choices and conversions.

    ADD = ELEMENTWISE["add"];  elementwise(ADD, a, b)    ->    a node of the shape of both

The types that one computes in, and of its result, are those of NumPy's loop for its operands.
`scalar_code.py` knows which of them programs compute.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from diablo.array.expression_graph import NUMBER, Node, Operation, broadcast, constant
from diablo.array.scalar_code import Writer, scalar_code, scalar_row, ufunc_of

DType = np.dtype[Any]


class Loop:
    """The types in which an elementwise operation computes, and what writes its code, if any."""

    __slots__ = ("_code", "inputs", "name", "output")

    def __init__(self, name: str, inputs: tuple[DType, ...], output: DType):
        self.name = name
        self.inputs = inputs
        self.output = output
        self._code: Writer | Literal["not asked for"] | None = "not asked for"

    @property
    def code(self) -> Writer | None:
        """The writer of its code in programs; the table of functions is read once this is asked."""
        if self._code == "not asked for":
            self._code = scalar_code(self.name, self.inputs, self.output)
        return self._code


class Elementwise(Operation):
    """A function of the elements of its operands at one place.

    Parameters
    ----------
    name : the name of the function in NumPy
    function : what computes it there
    loop : from the types of operands to those computed in and that of the result; that of the
        ufunc if it is not given
    """

    __slots__ = ("_choose", "_loops", "function")

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        loop: Callable[..., tuple[DType, ...]] | None = None,
    ):
        super().__init__(name)
        self.function = function
        self._choose = loop
        self._loops: dict[tuple[DType, ...], Loop] = {}

    def loop(self, *dtypes: DType) -> Loop:
        """Return the types that it computes in for operands of some types."""
        found = self._loops.get(dtypes)
        if found is None:
            if self._choose is None:
                ufunc: Any = self.function
                resolved = ufunc.resolve_dtypes((*dtypes, None))
            else:
                resolved = self._choose(*dtypes)
            found = self._loops[dtypes] = Loop(self.name, resolved[:-1], resolved[-1])
        return found

    def loop_of(self, node: Node) -> Loop:
        """Return the types that a node computes in."""
        return self.loop(*[operand.dtype for operand in node.operands])

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Call NumPy's function."""
        return self.function(*values)

    def in_programs(self, node: Node) -> bool:
        """Whether there is code for the types of its elements, and of those of its operands."""
        if self.loop_of(node).code is None:
            return False
        return all(scalar_row(operand.dtype) is not None for operand in node.operands)


class Conversion(Elementwise):
    """Elements as others of the type of the node."""

    __slots__ = ()

    def loop_of(self, node: Node) -> Loop:
        """Return the types that a node converts between."""
        (operand,) = node.operands
        key = (operand.dtype, node.dtype)
        found = self._loops.get(key)
        if found is None:
            found = self._loops[key] = Loop(self.name, (operand.dtype,), node.dtype)
        return found

    def evaluate(self, node: Node, values: Sequence[Any]) -> Any:
        """Convert with NumPy."""
        return np.asarray(values[0]).astype(node.dtype)


def real_type(number: DType) -> DType:
    """Return the type of the parts of complex numbers; that of others is their own."""
    return np.dtype(f"f{number.itemsize // 2}") if number.kind == "c" else number


def _choice(condition: DType, one: DType, other: DType) -> tuple[DType, ...]:
    both = np.result_type(one, other)
    return np.dtype(np.bool_), both, both, both


def _part(number: DType) -> tuple[DType, ...]:
    return number, real_type(number)


def _is_elementwise(value: object) -> bool:
    return isinstance(value, np.ufunc) and value.nout == 1 and value.signature is None


_UFUNCS: dict[str, Any] = {
    value.__name__: value for value in vars(np).values() if _is_elementwise(value)
}

ELEMENTWISE: dict[str, Elementwise] = {
    **{name: Elementwise(name, ufunc) for name, ufunc in _UFUNCS.items()},
    "where": Elementwise("where", np.where, _choice),
    "real": Elementwise("real", np.real, _part),
    "imag": Elementwise("imag", np.imag, _part),
}
"""The elementwise operations by NumPy's names for them."""


def operation_of(ufunc: np.ufunc) -> Elementwise | None:
    """Return what a ufunc is as an elementwise operation, if one output is made of single elements.

    Besides NumPy's ufuncs these are the ones of SciPy's that the table of functions names.
    """
    name = ufunc.__name__
    if name not in ELEMENTWISE and ufunc_of(f"special.{name}") is ufunc and _is_elementwise(ufunc):
        ELEMENTWISE[name] = Elementwise(name, ufunc)
    found = ELEMENTWISE.get(name)
    return found if found is not None and found.function is ufunc else None


_FASTER = frozenset({"floor_divide", "remainder", "left_shift", "right_shift"})
"""What processors do faster with integers that the compiler knows."""

CONVERT = Conversion("astype", np.asarray)


def elementwise(operation: Elementwise, *operands: Node) -> Node:
    """Return the node of an elementwise operation, whose operands are broadcast."""
    if len(operands) == 2:
        first, second = operands
        if second.operation is NUMBER and operation.name in _FASTER and first.dtype.kind in "iu":
            second = constant(second)
            operands = first, second
        dtype = operation.loop(first.dtype, second.dtype).output
        return Node(operation, operands, None, broadcast(first.shape, second.shape), dtype)
    shape = operands[0].shape
    for operand in operands[1:]:
        shape = broadcast(shape, operand.shape)
    dtype = operation.loop(*[operand.dtype for operand in operands]).output
    return Node(operation, operands, None, shape, dtype)


def converted(node: Node, dtype: DType) -> Node:
    """Return the node with elements of another type; the node itself if it has them."""
    if node.dtype == dtype:
        return node
    return Node(CONVERT, (node,), None, node.shape, dtype)
