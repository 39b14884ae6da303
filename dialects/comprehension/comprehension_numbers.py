"""The ops that compute numbers which `arith` and `math` have none for.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.functions.scalar_functions import FUNCTIONS


@irdl_op_definition
class HashOp(IRDLOperation):
    """An index that depends on nothing but the value: equal values have equal hashes.

    It is what a random number of a list's row is keyed by. The hash of -0.0 is that of 0.0.

    ```mlir
    %x = "test.op"() : () -> f64
    %key = comprehension.hash %x : f64
    ```
    """

    name = "comprehension.hash"
    value = operand_def()
    result = result_def(IndexType)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue):
        super().__init__(operands=[value], result_types=[IndexType()])


@irdl_op_definition
class RemainderOp(IRDLOperation):
    """The remainder of a division of floats, truncated toward zero: C's `fmod`, Scala's `%`.

    It has the sign of the dividend; a division by zero gives NaN.

    ```mlir
    %a, %b = "test.op"() : () -> (f64, f64)
    %r = comprehension.remainder %a, %b : f64
    ```
    """

    T: ClassVar = VarConstraint("T", AnyFloatConstr)

    name = "comprehension.remainder"
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue):
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


@irdl_op_definition
class NumberCallOp(IRDLOperation):
    """A function on numbers that has no op in `math`, by its name in the table of functions.

    The table is `diablo.dialects.functions.scalar_functions.FUNCTIONS`.

    ```mlir
    %a, %b = "test.op"() : () -> (f64, f64)
    %c = comprehension.number_call "hypot" (%a, %b) : (f64, f64) -> f64
    ```
    """

    name = "comprehension.number_call"
    function = prop_def(StringAttr)
    arguments = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = (
        "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)"
    )

    def __init__(self, function: str, arguments: Sequence[SSAValue]):
        type = arguments[0].type
        overload = FUNCTIONS[function].on(type)
        assert overload is not None
        super().__init__(
            operands=[arguments],
            properties={"function": StringAttr(function)},
            result_types=[overload.result_type(type)],
        )

    def verify_(self) -> None:
        """Check the function's name, its arguments and its result."""
        name = self.function.data
        function = FUNCTIONS.get(name)
        if function is None:
            raise VerifyException(f"there is no function of numbers '{name}'")
        if len(self.arguments) != function.arity:
            raise VerifyException(
                f"'{name}' takes {function.arity} arguments, got {len(self.arguments)}"
            )
        type = self.arguments[0].type
        overload = function.on(type)
        if overload is None or set(self.arguments.types) != {type}:
            found = ", ".join(map(str, self.arguments.types))
            raise VerifyException(f"'{name}' is no function on {found}")
        if overload.operation is not None:
            raise VerifyException(f"'{name}' on {type} is {overload.operation.name}")
        wanted = overload.result_type(type)
        if self.result.type != wanted:
            raise VerifyException(f"'{name}' gives {wanted}, not {self.result.type}")


@irdl_op_definition
class RandomOp(IRDLOperation):
    """A number in [0, 1) that depends only on the seed, the occurrence and the indices.

    The occurrence numbers the calls of `random()` in the program's text, so that each call
    has numbers of its own; the indices are those of the element that is computed.

    ```mlir
    %seed, %i, %j = "test.op"() : () -> (i64, index, index)
    %x = comprehension.random 0 seed(%seed) at(%i, %j)
    ```
    """

    name = "comprehension.random"
    occurrence = prop_def(IntegerAttr[I64])
    seed = operand_def(i64)
    indices = var_operand_def(IndexType)
    result = result_def(f64)
    traits = traits_def(Pure())
    assembly_format = "$occurrence `seed` `(` $seed `)` `at` `(` $indices `)` attr-dict"

    def __init__(self, occurrence: int, seed: SSAValue, indices: Sequence[SSAValue]):
        super().__init__(
            operands=[seed, indices],
            properties={"occurrence": IntegerAttr(occurrence, i64)},
            result_types=[f64],
        )
