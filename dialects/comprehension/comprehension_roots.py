"""The roots: the ops that hold a comprehension, and say what becomes of its rows.

`diablo.dialects.comprehension` exports them; it says how they work together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import IndexType, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VerificationContext,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    Monoid,
    parse_keyword_attributes,
    parse_optional_monoid,
    print_monoid,
)
from diablo.dialects.bags import BagType
from diablo.dialects.comprehension.comprehension_qualifiers import YieldOp
from diablo.dialects.encodings import ARRAY, as_array
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import listed


def _head(root: Operation) -> YieldOp:
    """The last op of a root's body, after checking that it is a head."""
    body = root.regions[0].block
    if body.args:
        raise VerifyException("the body of a comprehension has no arguments")
    if not isinstance(body.last_op, YieldOp):
        raise VerifyException("the body of a comprehension must end with 'comprehension.yield'")
    return body.last_op


def _verify_array_rows(row: YieldOp, type: TensorType[Attribute]) -> None:
    rank = type.get_num_dims()
    if len(row.keys) != rank:
        raise VerifyException(
            f"expected one key for each of {rank} dimensions, got {len(row.keys)}"
        )
    if any(not isinstance(key.type, IndexType) for key in row.keys):
        raise VerifyException(f"the keys of an array must be indices, got {listed(row.keys.types)}")
    if len(row.values) != 1:
        raise VerifyException(f"an array has one value per row, got {len(row.values)}")
    if row.values[0].type != type.get_element_type():
        raise VerifyException(
            f"the yielded value is {row.values[0].type}, but the element type is "
            f"{type.get_element_type()}"
        )


@irdl_op_definition
class BuildOp(IRDLOperation):
    """Root: an array of the given dimensions from the rows (index…, element) of its body.

    Rows outside the dimensions are dropped; of several rows with one index the last one is kept
    (`keep-last` sees to that); an index without a row has the implicit value, zero.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
    %double = comprehension.build (%n, %m) : tensor<?x?xf64, #tensor_block.tiles<dense = 2>> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 2>>
      %b = arith.addf %a, %a : f64
      comprehension.yield (%i, %j) %b
    }
    ```
    """

    name = "comprehension.build"
    dims = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(ARRAY)
    traits = traits_def(Pure())
    assembly_format = "` ` `(` $dims `)` `:` type($result) attr-dict-with-keyword $body"

    def __init__(self, dims: Sequence[SSAValue], body: Region, result_type: Attribute):
        super().__init__(operands=[dims], regions=[body], result_types=[result_type])

    def verify_(self) -> None:
        """Check the dimensions and the head."""
        type = self.result.type
        if len(self.dims) != type.get_num_dims():
            raise VerifyException(
                f"expected one dimension for each of the {type.get_num_dims()} of {type}, "
                f"got {len(self.dims)}"
            )
        _verify_array_rows(_head(self), type)


@irdl_op_definition
class MergeOp(IRDLOperation):
    """Root: the array or map `dest` with the rows (key…, value…) of the body written into it.

    Without a monoid a row replaces the element, the last one of several with one key; with one,
    all rows of a key and the old element are combined. Rows outside the dimensions of an array
    are dropped, a map grows.
    The body may read `dest`: it sees the old elements.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<index, f64>
    %R = "test.op"() : () -> tensor<?xf64>
    %set = comprehension.merge %R : tensor<?xf64> {
      %i, %v = comprehension.each %rows : !comprehension.bag<index, f64>
      comprehension.yield (%i) %v
    }
    %added = comprehension.merge add %R : tensor<?xf64> {
      %i, %v = comprehension.each %rows : !comprehension.bag<index, f64>
      comprehension.yield (%i) %v
    }
    ```
    """

    name = "comprehension.merge"
    monoid = opt_prop_def(StringAttr)
    dest = operand_def()
    body = region_def("single_block")
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, dest: SSAValue, body: Region, monoid: str | None = None):
        super().__init__(
            operands=[dest],
            properties={"monoid": StringAttr(monoid) if monoid else None},
            regions=[body],
            result_types=[dest.type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %R : tensor<?xf64> { … }`."""
        monoid = parse_optional_monoid(parser)
        dest = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        value = parser.resolve_operand(dest, parser.parse_type())
        attributes = parse_keyword_attributes(parser)
        op = cls(value, parser.parse_region(), monoid)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %R : tensor<?xf64> { … }`."""
        if self.monoid is not None:
            printer.print_string(" ")
            print_monoid(printer, self.monoid.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.dest)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the result, the head and the monoid."""
        type = self.result.type
        if self.dest.type != type:
            raise VerifyException(f"the result must have the type of dest, {self.dest.type}")
        if isinstance(type, BagType) and type.is_map:
            value = self._verify_map_rows(type)
        else:
            ARRAY.verify(type, VerificationContext())
            array = as_array(type)
            assert array is not None
            _verify_array_rows(_head(self), array)
            value = array.get_element_type()
        if self.monoid is not None:
            verify_monoid(self.monoid.data, value, self)

    def _verify_map_rows(self, type: BagType) -> Attribute:
        """Check the rows written into a map; return the type of its one value."""
        row, columns = _head(self), tuple(type.columns)
        keys = type.keys.data
        if (row.keys.types, row.values.types) != (columns[:keys], columns[keys:]):
            raise VerifyException(
                f"a row of {type} has the keys {listed(columns[:keys])} and the values "
                f"{listed(columns[keys:])}"
            )
        if self.monoid is not None and len(columns) != keys + 1:
            raise VerifyException("with a monoid, the map has one value per key")
        return columns[-1]


@irdl_op_definition
class CollectOp(IRDLOperation):
    """Root: the bag of the rows of its body (keys, then values, as columns).

    If the result is a map, the last one of several rows with one key is kept.

    ```mlir
    %A = "test.op"() : () -> tensor<?xf64>
    %rows = comprehension.collect : !comprehension.bag<index, f64> {
      %i, %a = comprehension.each %A : tensor<?xf64>
      comprehension.yield (%i) %a
    }
    ```
    """

    name = "comprehension.collect"
    body = region_def("single_block")
    result = result_def(BagType)
    traits = traits_def(Pure())
    assembly_format = "`:` type($result) attr-dict-with-keyword $body"

    def __init__(self, body: Region, result_type: BagType):
        super().__init__(regions=[body], result_types=[result_type])

    def verify_(self) -> None:
        """Check the head."""
        columns = _head(self).operand_types
        if tuple(self.result.type.columns) != tuple(columns):
            raise VerifyException(
                f"the yielded row {listed(columns)} does not match the columns of "
                f"{self.result.type}"
            )


@irdl_op_definition
class AggregateOp(IRDLOperation):
    """Root: the fold of its body's one value with a built-in monoid.

    Without any row it is the monoid's identity.

    ```mlir
    %A = "test.op"() : () -> tensor<?xf64>
    %largest = comprehension.aggregate max : f64 {
      %i, %a = comprehension.each %A : tensor<?xf64>
      comprehension.yield %a
    }
    ```
    """

    name = "comprehension.aggregate"
    monoid = prop_def(StringAttr)
    body = region_def("single_block")
    result = result_def()
    traits = traits_def(Pure())
    custom_directives = (Monoid,)
    assembly_format = "custom<Monoid>($monoid) `:` type($result) attr-dict-with-keyword $body"

    def __init__(self, monoid: str, body: Region, result_type: Attribute):
        super().__init__(
            properties={"monoid": StringAttr(monoid)}, regions=[body], result_types=[result_type]
        )

    def verify_(self) -> None:
        """Check the head and the monoid."""
        row = _head(self)
        if row.keys or len(row.values) != 1:
            raise VerifyException(
                f"an aggregate must yield one value and no key, got {len(row.values)} values "
                f"and {len(row.keys)} keys"
            )
        if row.values[0].type != self.result.type:
            raise VerifyException(
                f"the yielded value is {row.values[0].type}, but the result {self.result.type}"
            )
        verify_monoid(self.monoid.data, self.result.type, self)
