"""The monoids that a program defines, and the constants that are their identities.

`diablo.dialects.comprehension` exports the op. It stands at the top of a module.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.monoids import find_definition, is_constant_of


@irdl_op_definition
class MonoidOp(IRDLOperation):
    """A commutative monoid that the program defines, for `reduce @name` and the like.

    The identity is a number, a string, or a list with one of these for each part of a tuple.

    The body joins two values; it may evaluate anything pure but reads nothing from outside.
    The compiler believes that it is associative and commutative with this identity. With
    `any_order` it knows: whatever the values are, they give the same in any order. Without, machine
    code joins those of an array in the order of their indices, as the body may keep the first of
    equal ones.

    ```mlir
    comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
    ^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
      %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
      %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
      %less = arith.cmpf ole, %dx, %dy : f64
      %least = arith.select %less, %x, %y : tuple<f64, i64>
      comprehension.yield %least
    }
    comprehension.monoid @odd any_order : i1 identity false {
    ^bb0(%p: i1, %q: i1):
      %either = arith.xori %p, %q : i1
      comprehension.yield %either
    }
    ```
    """

    name = "comprehension.monoid"
    sym_name = prop_def(SymbolNameConstraint())
    element = prop_def()
    identity = prop_def()
    any_order = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())
    YIELD: ClassVar[str] = "comprehension.yield"

    def __init__(
        self,
        name: str,
        element: Attribute,
        identity: Attribute,
        body: Region,
        *,
        any_order: bool = False,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "element": element,
                "identity": identity,
                "any_order": UnitAttr() if any_order else None,
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `@argmin : tuple<f64, i64> identity [0.0, 0] {…}`."""
        name = parser.parse_symbol_name()
        any_order = parser.parse_optional_keyword("any_order") is not None
        parser.parse_punctuation(":")
        element = parser.parse_type()
        parser.parse_keyword("identity")
        identity = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(name.data, element, identity, parser.parse_region(), any_order=any_order)
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print `@argmin : tuple<f64, i64> identity [0.0, 0] {…}`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : " if self.any_order is None else " any_order : ")
        printer.print_attribute(self.element)
        printer.print_string(" identity ")
        printer.print_attribute(self.identity)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the identity and the body."""
        if not is_constant_of(self.identity, self.element):
            raise VerifyException(f"{self.identity} is no value of {self.element}")
        block = self.body.block
        if block.arg_types != (self.element, self.element):
            raise VerifyException(f"the body of a monoid takes two values of {self.element}")
        end = block.last_op
        if end is None or end.name != self.YIELD or end.operand_types != (self.element,):
            raise VerifyException(f"the body of a monoid must yield one {self.element}")


def monoids_used(op: Operation) -> list[MonoidOp]:
    """The monoids that the module defines and that `op`, or an op in it, combines values with.

    Ops name them in their properties, and generators of loops in their types.
    """
    module = op
    while (parent := module.parent_op()) is not None:
        module = parent
    blocks = (block for region in module.regions for block in region.blocks)
    defined = {
        f"@{inner.sym_name.data}": inner
        for block in blocks
        for inner in block.ops
        if isinstance(inner, MonoidOp)
    }
    if not defined:
        return []
    names: dict[str, None] = {}
    for inner in op.walk():
        types = (arg.type for region in inner.regions for b in region.blocks for arg in b.args)
        for attribute in (*inner.properties.values(), *types):
            names |= dict.fromkeys(_texts(attribute))
    return [defined[name] for name in names if name in defined]


def _texts(attribute: Attribute) -> Iterator[str]:
    """The strings that an attribute holds."""
    match attribute:
        case StringAttr(data=text):
            yield text
        case ArrayAttr():
            for part in attribute:
                yield from _texts(part)
        case ParametrizedAttribute():
            for part in attribute.parameters:
                yield from _texts(part)
        case _:
            pass


def find_monoid(name: str, near: Operation) -> MonoidOp | None:
    """The op that defines the monoid `name` (`@argmin`) in the module around `near`."""
    definition = find_definition(name, near)
    return definition if isinstance(definition, MonoidOp) else None
