"""The ops on strings: constants, and calls of the functions of strings.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Text
from diablo.dialects.string_functions import STRING_FUNCTIONS, StringType
from diablo.dialects.verifier_checks import listed


@irdl_op_definition
class StringOp(IRDLOperation):
    """A string constant.

    ```mlir
    %name = comprehension.string "alice"
    ```
    """

    name = "comprehension.string"
    value = prop_def(StringAttr)
    result = result_def(StringType)
    traits = traits_def(Pure())
    custom_directives = (Text,)
    assembly_format = "custom<Text>($value) attr-dict"

    def __init__(self, value: str):
        super().__init__(properties={"value": StringAttr(value)}, result_types=[StringType()])


@irdl_op_definition
class StringCallOp(IRDLOperation):
    """A function of strings, by its name in `diablo.dialects.string_functions.STRING_FUNCTIONS`.

    ```mlir
    %line = "test.op"() : () -> !comprehension.string
    %space = comprehension.string " "
    %words = comprehension.string_call "split" (%line, %space)
        : (!comprehension.string, !comprehension.string)
        -> !comprehension.bag<!comprehension.string>
    ```
    """

    name = "comprehension.string_call"
    function = prop_def(StringAttr)
    arguments = var_operand_def()
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = (
        "$function `(` $arguments `)` attr-dict `:` functional-type($arguments, $result)"
    )

    def __init__(self, function: str, arguments: Sequence[SSAValue]):
        super().__init__(
            operands=[arguments],
            properties={"function": StringAttr(function)},
            result_types=[STRING_FUNCTIONS[function].result],
        )

    def verify_(self) -> None:
        """Check the function's name, its arguments and its result."""
        function = STRING_FUNCTIONS.get(self.function.data)
        if function is None:
            raise VerifyException(f"there is no function of strings '{self.function.data}'")
        if self.arguments.types != function.arguments:
            raise VerifyException(
                f"'{self.function.data}' takes {listed(function.arguments)}, "
                f"got {listed(self.arguments.types)}"
            )
        if self.result.type != function.result:
            raise VerifyException(
                f"'{self.function.data}' gives {function.result}, not {self.result.type}"
            )
