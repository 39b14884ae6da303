"""What the ops over an iteration space share: their syntax and their checks.

`tensor_block_arrays` has the ops. All of them are written like this one:

```mlir
%C = tensor_block.reduce add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
    ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
  %v = arith.mulf %a, %b : f64
  tensor_block.yield %v : f64
}
```
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Self

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    region_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    parse_keyword_attributes,
    parse_monoid,
    parse_optional_operands,
    print_monoid,
    print_optional_operands,
)
from diablo.dialects.encodings import as_array
from diablo.dialects.iteration_spaces import (
    parse_dimensions,
    parse_reads,
    print_dimensions,
    print_reads,
    verify_reads,
)
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verifier_checks import verify_body


@irdl_op_definition
class YieldOp(IRDLOperation):
    """Ends the body of a `tensor_block` op with the values that it computes.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %positive = tensor_block.filter %rows : !comprehension.bag<i64, f64> {
    ^bb0(%k: i64, %v: f64):
      %zero = arith.constant 0.0 : f64
      %keep = arith.cmpf ogt, %v, %zero : f64
      tensor_block.yield %keep : i1
    }
    ```
    """

    name = "tensor_block.yield"
    values = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "($values^ `:` type($values))? attr-dict"

    def __init__(self, *values: SSAValue):
        super().__init__(operands=[values])


@dataclass
class IterationHeader:
    """What stands before the body, as parsed."""

    monoid: str | None
    extents: list[SSAValue]
    parallel: int
    offsets: list[SSAValue]
    inputs: list[SSAValue]
    indexing_maps: list[AffineMap]
    result_type: Attribute
    symbols: list[SSAValue] = field(default_factory=list[SSAValue])
    into: list[SSAValue] = field(default_factory=list[SSAValue])


class IterationOp(IRDLOperation):
    """What the ops over an iteration space share.

    The *iteration space* has one dimension per operand in `extents`: dimension d0 runs from
    0 to the first extent, exclusive, and so on. The first `parallel` dimensions are the
    result's, in order; the others are *reduced*. Input k is read at `indexing_maps[k]`:
    `%A[d0, d2]` is read at the first and third index of the point, `%A[d0 - 1, d2 + s0]` a row
    above and `symbols[0]` columns further. An input that is read at dimensions alone is at least
    as large as their extents; the excess is not read. What any other input is read at outside
    itself is the implicit value, zero: the *padding* of an array. `%A[(d0 - 1) mod s0]`
    is read at a remainder, never negative: it wraps around, in an array at least as large as `s0`.
    The body's arguments are the indices of the point, one per dimension, then one element per
    input; it yields the value of the point. `offsets`, if any, are added to the indices that the
    body sees (a tile's origin). A sparse input is read with its implicit value.

    `parallel(…) reduced(…)` is what linalg calls `iterator_types`, which follow from it: since the
    result's dimensions come first, their number says it all, and each has its extent beside it,
    which linalg reads off its operands. A map may read nothing, and inputs may be larger.
    """

    FOLDS: ClassVar[bool] = False
    """Whether there is a monoid, and dimensions may be reduced."""

    body = region_def("single_block")
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    @abstractmethod
    def _header(self) -> IterationHeader: ...

    @property
    def iterator_types(self) -> tuple[str, ...]:
        """What each dimension is, as `linalg.generic` says it: "parallel" or "reduction"."""
        header = self._header
        reduced = len(header.extents) - header.parallel
        return ("parallel",) * header.parallel + ("reduction",) * reduced

    @classmethod
    @abstractmethod
    def _from_header(cls, header: IterationHeader, body: Region) -> Self: ...

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add parallel(…) reduced(…) offsets(…) ins(…) -> type {…}`."""
        monoid = parse_monoid(parser) if cls.FOLDS else None
        extents: list[SSAValue] = []
        if parser.parse_optional_keyword("parallel"):
            extents = parse_dimensions(parser)
        parallel = len(extents)
        if monoid is not None and parser.parse_optional_keyword("reduced"):
            extents += parse_dimensions(parser, parallel)
        offsets = parse_optional_operands(parser, "offsets", IndexType())
        symbols = parse_optional_operands(parser, "symbols", IndexType())
        into = parse_optional_operands(parser, "into", IndexType())
        inputs, maps = parse_reads(parser, len(extents), len(symbols))
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        attributes = parse_keyword_attributes(parser)
        header = IterationHeader(
            monoid,
            extents,
            parallel,
            offsets,
            inputs,
            maps,
            result_type,
            symbols,
            into,
        )
        op = cls._from_header(header, parser.parse_region())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add parallel(…) reduced(…) offsets(…) ins(…) -> type {…}`."""
        header = self._header
        if header.monoid is not None:
            printer.print_string(" ")
            print_monoid(printer, header.monoid)
        for keyword, first, last in (
            ("parallel", 0, header.parallel),
            ("reduced", header.parallel, len(header.extents)),
        ):
            if first < last:
                printer.print_string(f" {keyword}")
                print_dimensions(printer, header.extents[first:last], first)
        print_optional_operands(printer, "offsets", header.offsets)
        print_optional_operands(printer, "symbols", header.symbols)
        print_optional_operands(printer, "into", header.into)
        print_reads(printer, header.inputs, header.indexing_maps)
        printer.print_string(" -> ")
        printer.print_attribute(header.result_type)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check extents, maps, the body and the result."""
        header = self._header
        rank = len(header.extents)
        if not 0 <= header.parallel <= rank:
            raise VerifyException(
                f"{header.parallel} dimensions are parallel, but there are {rank} extents"
            )
        if len(header.offsets) not in (0, rank):
            raise VerifyException(
                f"expected no offsets or one for each of {rank} extents, got {len(header.offsets)}"
            )
        symbols = len(header.symbols)
        elements = verify_reads(header.inputs, header.indexing_maps, rank, symbols)
        self._verify_result(header, [*[IndexType()] * rank, *elements])

    def _verify_result(self, header: IterationHeader, arguments: Sequence[Attribute]) -> None:
        """Check the result, and that the body computes its elements from `arguments`."""
        result = header.result_type
        if (array := as_array(result)) is not None:
            if array.get_num_dims() != header.parallel:
                raise VerifyException(
                    f"the result {array} must have one dimension for each of "
                    f"{header.parallel} parallel dimensions"
                )
            result = array.get_element_type()
        elif header.parallel != 0:
            raise VerifyException(
                f"the result of {header.parallel} parallel dimensions must be a tensor, "
                f"got {result}"
            )
        verify_body(self.body, arguments, [result], YieldOp)
        if header.monoid is not None:
            verify_monoid(header.monoid, result, self)
