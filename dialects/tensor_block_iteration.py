"""The ops over an iteration space: `generate`, `map`, `contract`, `reduce`.

`diablo.dialects.tensor_block` exports them. Reads and writes no level; the syntax and the
checks that these ops share are here:

```mlir
%C = tensor_block.contract add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
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
from dataclasses import dataclass
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    AffineMapAttr,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    parse_keyword_attributes,
    parse_monoid,
    parse_optional_operands,
    print_optional_operands,
)
from diablo.dialects.encodings import ARRAY, array_type, as_array
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verification import listed


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


def verify_body(body: Region, arguments: Sequence[Attribute], results: Sequence[Attribute]) -> None:
    """Raise a `VerifyException` unless `body` maps values of `arguments` to `results`."""
    if body.block.arg_types != tuple(arguments):
        raise VerifyException(
            f"expected a body with arguments {listed(arguments)}, "
            f"got {listed(body.block.arg_types)}"
        )
    end = body.block.last_op
    if not isinstance(end, YieldOp):
        raise VerifyException("the body must end with 'tensor_block.yield'")
    if end.operand_types != tuple(results):
        raise VerifyException(
            f"the body must yield {listed(results)}, but it yields {listed(end.operand_types)}"
        )


@dataclass
class _Header:
    """What stands before the body, as parsed."""

    monoid: str | None
    extents: list[SSAValue]
    parallel: int
    offsets: list[SSAValue]
    inputs: list[SSAValue]
    maps: list[AffineMap]
    result_type: Attribute


class IterationOp(IRDLOperation):
    """What the ops over an iteration space share.

    The *iteration space* has one dimension per operand in `extents`: dimension d0 runs from
    0 to the first extent, exclusive, and so on. The first `parallel` dimensions are the
    result's, in order; the others are *reduced*. Input k is read at `maps[k]`, which picks
    iteration dimensions: `%A[d0, d2]` is read at the first and third index of the point. An
    input may be larger than the extents; the excess is not read. The body's arguments are
    the indices of the point, one per dimension, then one element per input; it yields the
    value of the point. `offsets`, if any, are added to the indices that the body sees (a
    tile's origin). A sparse input is read with its implicit value.
    """

    @property
    @abstractmethod
    def _header(self) -> _Header: ...

    @property
    @abstractmethod
    def _body(self) -> Region: ...

    @classmethod
    @abstractmethod
    def _from_header(cls, header: _Header, body: Region) -> Self: ...

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add parallel(…) reduced(…) offsets(…) ins(…) -> type {…}`."""
        monoid = parse_monoid(parser) if issubclass(cls, ReducingOp) else None
        extents: list[SSAValue] = []
        _parse_dimensions(parser, "parallel", extents)
        parallel = len(extents)
        if monoid is not None:
            _parse_dimensions(parser, "reduced", extents)
        offsets = parse_optional_operands(parser, "offsets", IndexType())
        inputs: list[tuple[SSAValue, AffineMap]] = []
        if parser.parse_optional_keyword("ins"):
            inputs = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: _parse_input(parser, len(extents))
            )
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        attributes = parse_keyword_attributes(parser)
        header = _Header(
            monoid,
            extents,
            parallel,
            offsets,
            [value for value, _ in inputs],
            [map for _, map in inputs],
            result_type,
        )
        op = cls._from_header(header, parser.parse_region())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add parallel(…) reduced(…) offsets(…) ins(…) -> type {…}`."""
        header = self._header
        if header.monoid is not None:
            printer.print_string(" ")
            printer.print_identifier_or_string_literal(header.monoid)
        _print_dimensions(printer, "parallel", header.extents[: header.parallel], 0)
        _print_dimensions(printer, "reduced", header.extents[header.parallel :], header.parallel)
        print_optional_operands(printer, "offsets", header.offsets)
        if header.inputs:
            printer.print_string(" ins")
            with printer.in_parens():
                printer.print_list(
                    zip(header.inputs, header.maps, strict=False),
                    lambda input: _print_input(printer, *input),
                )
        printer.print_string(" -> ")
        printer.print_attribute(header.result_type)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self._body)

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
        elements = self._verify_inputs(header)
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
        verify_body(self._body, [*[IndexType()] * rank, *elements], [result])
        if header.monoid is not None:
            verify_monoid(header.monoid, result)

    def _verify_inputs(self, header: _Header) -> list[Attribute]:
        """Check the maps; return the inputs' element types."""
        rank = len(header.extents)
        if len(header.maps) != len(header.inputs):
            raise VerifyException(
                f"expected one map for each of {len(header.inputs)} inputs, got {len(header.maps)}"
            )
        elements: list[Attribute] = []
        for number, (value, map) in enumerate(zip(header.inputs, header.maps, strict=True)):
            type = array_type(value)
            if map.num_dims != rank:
                raise VerifyException(
                    f"the map of input {number} has {map.num_dims} dimensions, "
                    f"but there are {rank} extents"
                )
            if not map.is_projected_permutation():
                raise VerifyException(
                    f"the map of input {number} must pick distinct iteration dimensions, got {map}"
                )
            if len(map.results) != type.get_num_dims():
                raise VerifyException(
                    f"the map of input {number} gives {len(map.results)} indices for {type}"
                )
            elements.append(type.get_element_type())
        return elements


def _parse_dimensions(parser: Parser, keyword: str, extents: list[SSAValue]) -> None:
    """Parse `keyword(d0 < %n, d1 < %m)`, if there, appending to `extents`."""

    def parse_dimension() -> None:
        parser.parse_keyword(f"d{len(extents)}")
        parser.parse_punctuation("<")
        extents.append(parser.parse_operand(IndexType()))

    if parser.parse_optional_keyword(keyword):
        parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_dimension)


def _print_dimensions(
    printer: Printer, keyword: str, extents: Sequence[SSAValue], first: int
) -> None:
    def print_dimension(dimension: tuple[int, SSAValue]) -> None:
        printer.print_string(f"d{dimension[0]} < ")
        printer.print_ssa_value(dimension[1])

    if extents:
        printer.print_string(f" {keyword}")
        with printer.in_parens():
            printer.print_list(enumerate(extents, first), print_dimension)


def parse_picked_dimensions(parser: Parser, rank: int) -> AffineMap:
    """Parse `[d2, d0]` as a map from an iteration space of `rank` dimensions."""

    def parse_dimension() -> AffineExpr:
        position = parser.pos
        name = parser.parse_identifier()
        if name not in names:
            parser.raise_error(f"expected one of the dimensions {', '.join(names)}", position)
        return AffineExpr.dimension(names.index(name))

    names = [f"d{number}" for number in range(rank)]
    results = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_dimension)
    return AffineMap(rank, 0, tuple(results))


def print_picked_dimensions(printer: Printer, map: AffineMap) -> None:
    """Print a map that picks dimensions: `[d2, d0]`."""
    with printer.in_square_brackets():
        printer.print_list(map.results, lambda result: printer.print_string(str(result)))


def _parse_input(parser: Parser, rank: int) -> tuple[SSAValue, AffineMap]:
    """Parse `%A[d0, d2] : tensor<?x?xf64>`."""
    value = parser.parse_unresolved_operand()
    map = parse_picked_dimensions(parser, rank)
    parser.parse_punctuation(":")
    return parser.resolve_operand(value, parser.parse_type()), map


def _print_input(printer: Printer, value: SSAValue, map: AffineMapAttr | AffineMap) -> None:
    printer.print_ssa_value(value)
    print_picked_dimensions(printer, map.data if isinstance(map, AffineMapAttr) else map)
    printer.print_string(" : ")
    printer.print_attribute(value.type)


@irdl_op_definition
class GenerateOp(IterationOp):
    """An array whose elements are computed from their indices.

    Every dimension is parallel; there are no inputs. See `map` for the terms.

    ```mlir
    %n = "test.op"() : () -> index
    %identity = tensor_block.generate parallel(d0 < %n, d1 < %n) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index):
      %one = arith.constant 1.0 : f64
      %zero = arith.constant 0.0 : f64
      %diagonal = arith.cmpi eq, %i, %j : index
      %v = arith.select %diagonal, %one, %zero : f64
      tensor_block.yield %v : f64
    }
    ```
    """

    name = "tensor_block.generate"
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    body = region_def("single_block")
    result = result_def(ARRAY)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        extents: Sequence[SSAValue],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(operands=[extents, offsets], regions=[body], result_types=[result_type])

    @property
    def _header(self) -> _Header:
        extents = list(self.extents)
        return _Header(None, extents, len(extents), list(self.offsets), [], [], self.result.type)

    @property
    def _body(self) -> Region:
        return self.body

    @classmethod
    def _from_header(cls, header: _Header, body: Region) -> Self:
        return cls(header.extents, body, header.result_type, header.offsets)


@irdl_op_definition
class MapOp(IterationOp):
    """Elementwise: each element of the result from elements of the inputs.

    The *iteration space* has the result's dimensions: `parallel(d0 < %n, d1 < %m)` says that
    d0 runs from 0 to `%n`, exclusive, and d1 to `%m`. An input is read at the dimensions
    that follow it, `%B[d1, d0]`: so inputs may be transposed, or broadcast by leaving a
    dimension out. An input may be larger than the extents; the excess is not read. The
    body's arguments are the indices of the point, then one element per input. A sparse input
    is read with its implicit value, zero. `offsets`, if any, are added to the indices that
    the body sees (the origin of the tile that is computed).

    ```mlir
    %n, %m, %x, %y = "test.op"() : () -> (index, index, index, index)
    %A, %v = "test.op"() : () -> (tensor<?x?xf64>, tensor<?xf64>)
    %B = tensor_block.map parallel(d0 < %n, d1 < %m) offsets(%x, %y)
        ins(%A[d1, d0] : tensor<?x?xf64>, %v[d0] : tensor<?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %a: f64, %b: f64):
      %c = arith.addf %a, %b : f64
      tensor_block.yield %c : f64
    }
    ```
    """

    name = "tensor_block.map"
    inputs = var_operand_def(ARRAY)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    result = result_def(ARRAY)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets],
            properties={"maps": ArrayAttr([AffineMapAttr(m) for m in maps])},
            regions=[body],
            result_types=[result_type],
        )

    @property
    def _header(self) -> _Header:
        extents = list(self.extents)
        maps = [map.data for map in self.maps]
        return _Header(
            None,
            extents,
            len(extents),
            list(self.offsets),
            list(self.inputs),
            maps,
            self.result.type,
        )

    @property
    def _body(self) -> Region:
        return self.body

    @classmethod
    def _from_header(cls, header: _Header, body: Region) -> Self:
        return cls(
            header.inputs, header.extents, header.maps, body, header.result_type, header.offsets
        )


class ReducingOp(IterationOp):
    """An iteration op whose trailing dimensions are folded with a monoid.

    With `parallel = 0` the result is a scalar.
    """

    monoid = prop_def(StringAttr)
    parallel = prop_def(IntegerAttr[I64])
    inputs = var_operand_def(ARRAY)
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    maps = prop_def(ArrayAttr[AffineMapAttr])
    body = region_def("single_block")
    result = result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        monoid: str,
        inputs: Sequence[SSAValue],
        extents: Sequence[SSAValue],
        parallel: int,
        maps: Sequence[AffineMap],
        body: Region,
        result_type: Attribute,
        offsets: Sequence[SSAValue] = (),
    ):
        super().__init__(
            operands=[inputs, extents, offsets],
            properties={
                "monoid": StringAttr(monoid),
                "parallel": IntegerAttr(parallel, i64),
                "maps": ArrayAttr([AffineMapAttr(m) for m in maps]),
            },
            regions=[body],
            result_types=[result_type],
        )

    @property
    def _header(self) -> _Header:
        return _Header(
            self.monoid.data,
            list(self.extents),
            self.parallel.value.data,
            list(self.offsets),
            list(self.inputs),
            [map.data for map in self.maps],
            self.result.type,
        )

    @property
    def _body(self) -> Region:
        return self.body

    @classmethod
    def _from_header(cls, header: _Header, body: Region) -> Self:
        assert header.monoid is not None
        return cls(
            header.monoid,
            header.inputs,
            header.extents,
            header.parallel,
            header.maps,
            body,
            header.result_type,
            header.offsets,
        )


@irdl_op_definition
class ContractOp(ReducingOp):
    """Two inputs joined on shared dimensions; every reduced dimension is read by both.

    The parallel dimensions are the result's; the values of the points that differ only in
    the *reduced* dimensions are combined with the monoid. See `map` for the other terms. It
    is a BLAS call (or a sparse product) when the monoid is `add` and the body multiplies its
    two elements. Without parallel dimensions the result is a scalar.

    ```mlir
    %n, %m, %l = "test.op"() : () -> (index, index, index)
    %A, %B = "test.op"() : () -> (tensor<?x?xf64>, tensor<?x?xf64>)
    %C = tensor_block.contract add parallel(d0 < %n, d1 < %m) reduced(d2 < %l)
        ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64):
      %v = arith.mulf %a, %b : f64
      tensor_block.yield %v : f64
    }
    ```
    """

    name = "tensor_block.contract"
    traits = traits_def(Pure())

    def _verify_inputs(self, header: _Header) -> list[Attribute]:
        elements = super()._verify_inputs(header)
        if len(elements) != 2:
            raise VerifyException(f"a contraction has two inputs, got {len(elements)}")
        for dimension in range(header.parallel, len(header.extents)):
            if any(dimension not in map.used_dims() for map in header.maps):
                raise VerifyException(
                    f"both inputs must be read at the reduced dimension d{dimension}"
                )
        return elements


@irdl_op_definition
class ReduceOp(ReducingOp):
    """The general reduction: any number of inputs, read at any of the dimensions.

    The parallel dimensions are the result's; the values of the points that differ only in
    the *reduced* dimensions are combined with the monoid. See `map` for the other terms.
    Without parallel dimensions the result is a scalar.

    ```mlir
    %n, %m = "test.op"() : () -> (index, index)
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %rows = tensor_block.reduce add parallel(d0 < %n) reduced(d1 < %m)
        ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>)
        -> tensor<?xf64, #tensor_block.tiles<dense = 1>> {
    ^bb0(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    %largest = tensor_block.reduce max reduced(d0 < %n, d1 < %m)
        ins(%A[d0, d1] : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>) -> f64 {
    ^bb0(%i: index, %j: index, %a: f64):
      tensor_block.yield %a : f64
    }
    ```
    """

    name = "tensor_block.reduce"
    traits = traits_def(Pure())
