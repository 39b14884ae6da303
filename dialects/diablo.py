"""The `diablo` dialect: the source level, with mutable variables and bulk loops.

Control flow other than `for` is upstream's: `scf.if`, and `scf.while` without loop-carried
values (variables are mutable references here). Row sums, `for i, j, a in A: R[i] += a`:

```mlir
%R = diablo.var "R" = %zeros : tensor<?xf64>
diablo.foreach %i, %j, %a in %A : tensor<?x?xf64> {
  diablo.accumulate add %a, %R[%i] : !diablo.ref<tensor<?xf64>>
}
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, i64
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    ParametrizedAttribute,
    Region,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    parse_keyword_attributes,
    parse_monoid,
    parse_optional_step,
    print_monoid,
    print_optional_step,
)
from diablo.dialects.bags import BagType, element_types, parse_collection, verify_collection
from diablo.dialects.encodings import as_array
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.verification import listed, verify_step


@irdl_attr_definition
class RefType(ParametrizedAttribute, TypeAttribute):
    """A mutable variable that holds a value of the given type.

    ```mlir
    %x = "test.op"() : () -> !diablo.ref<f64>
    ```
    """

    name = "diablo.ref"
    value: Attribute = param_def()


def _accessed_types(ref: Attribute, indices: int) -> tuple[list[Attribute], Attribute]:
    """The types of `indices` indices into a variable, and of what they reach there.

    Raises a `VerifyException` if there is nothing to be reached in that way.
    """
    assert isinstance(ref, RefType)
    if indices == 0:
        return [], ref.value
    if isinstance(ref.value, BagType) and ref.value.is_map:
        columns, keys = list(ref.value.columns), ref.value.keys.data
        if indices != keys or len(columns) != keys + 1:
            raise VerifyException(
                f"expected no indices or {keys} for the key of a map with one value, got {indices}"
            )
        return columns[:keys], columns[keys]
    array = as_array(ref.value)
    if array is None:
        raise VerifyException(f"only an array or a map can be indexed, and the variable is {ref}")
    if array.get_num_dims() != indices:
        raise VerifyException(
            f"expected no indices or one for each of {array.get_num_dims()} dimensions, "
            f"got {indices}"
        )
    return [IndexType()] * indices, array.get_element_type()


def _verify_indices(ref: SSAValue, indices: Sequence[SSAValue]) -> Attribute:
    """The type of what the indices reach, after checking theirs."""
    types, accessed = _accessed_types(ref.type, len(indices))
    given = [index.type for index in indices]
    if given != types:
        raise VerifyException(f"the indices of {ref.type} are {listed(types)}, got {listed(given)}")
    return accessed


def _verify_value(value: Attribute, accessed: Attribute) -> None:
    if value != accessed:
        raise VerifyException(f"the value is {value}, but the destination holds {accessed}")


@irdl_op_definition
class VarOp(IRDLOperation):
    """Declares a variable, by the name it has in the source, with its first value.

    ```mlir
    %zero = arith.constant 0.0 : f64
    %sum = diablo.var "sum" = %zero : f64
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "diablo.var"
    init = operand_def(T)
    sym_name = prop_def(StringAttr)
    ref = result_def(ParamAttrConstraint(RefType, (T,)))
    assembly_format = "$sym_name `=` $init attr-dict `:` type($init)"

    def __init__(self, name: str, init: SSAValue):
        super().__init__(
            operands=[init],
            properties={"sym_name": StringAttr(name)},
            result_types=[RefType(init.type)],
        )


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Reads a variable (no indices) or one element of the array or map it holds.

    The indices of an array count from 0; those of a map are the parts of a key. To read
    outside of an array, or what a map has no value for, drops the iteration of the loops
    around; outside of loops it is an error.

    ```mlir
    %i, %k = "test.op"() : () -> (index, i64)
    %A = "test.op"() : () -> !diablo.ref<tensor<?xf64>>
    %M = "test.op"() : () -> !diablo.ref<!comprehension.bag<keys = 1, i64, f64>>
    %array = diablo.load %A : !diablo.ref<tensor<?xf64>>
    %element = diablo.load %A[%i] : !diablo.ref<tensor<?xf64>>
    %value = diablo.load %M[%k] : !diablo.ref<!comprehension.bag<keys = 1, i64, f64>>
    ```
    """

    name = "diablo.load"
    ref = operand_def(RefType)
    indices = var_operand_def()
    result = result_def()

    def __init__(self, ref: SSAValue, indices: Sequence[SSAValue] = ()):
        super().__init__(
            operands=[ref, indices], result_types=[_accessed_types(ref.type, len(indices))[1]]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%i] : !diablo.ref<tensor<?xf64>>`."""
        destination = _parse_destination(parser)
        op = cls(*_resolve_destination(parser, *destination)[:2])
        op.attributes |= destination[2]
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%i] : !diablo.ref<tensor<?xf64>>`."""
        _print_destination(printer, self.ref, self.indices, self.attributes)

    def verify_(self) -> None:
        """Check the indices and the result."""
        accessed = _verify_indices(self.ref, self.indices)
        if self.result.type != accessed:
            raise VerifyException(f"the result must be what is read, {accessed}")


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a variable (no indices) or one element of the array or map it holds.

    ```mlir
    %i, %v = "test.op"() : () -> (index, f64)
    %x, %A = "test.op"() : () -> (!diablo.ref<f64>, !diablo.ref<tensor<?xf64>>)
    diablo.store %v, %x : !diablo.ref<f64>
    diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    ```
    """

    name = "diablo.store"
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def()

    def __init__(self, value: SSAValue, ref: SSAValue, indices: Sequence[SSAValue] = ()):
        super().__init__(operands=[value, ref, indices])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        destination = _parse_destination(parser)
        ref, indices, accessed = _resolve_destination(parser, *destination)
        op = cls(parser.resolve_operand(value, accessed), ref, indices)
        op.attributes |= destination[2]
        return op

    def print(self, printer: Printer) -> None:
        """Print `%v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        _print_destination(printer, self.ref, self.indices, self.attributes)

    def verify_(self) -> None:
        """Check the indices and the value."""
        _verify_value(self.value.type, _verify_indices(self.ref, self.indices))


@irdl_op_definition
class AccumulateOp(IRDLOperation):
    """Combines a value into a variable or an element with a monoid: `d += e`.

    Where a map has no value yet, the monoid's identity stands for it.

    ```mlir
    %i, %v = "test.op"() : () -> (index, f64)
    %x, %A = "test.op"() : () -> (!diablo.ref<f64>, !diablo.ref<tensor<?xf64>>)
    diablo.accumulate max %v, %x : !diablo.ref<f64>
    diablo.accumulate add %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    ```
    """

    name = "diablo.accumulate"
    monoid = prop_def(StringAttr)
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def()

    def __init__(
        self, monoid: str, value: SSAValue, ref: SSAValue, indices: Sequence[SSAValue] = ()
    ):
        super().__init__(operands=[value, ref, indices], properties={"monoid": StringAttr(monoid)})

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        monoid = parse_monoid(parser)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        destination = _parse_destination(parser)
        ref, indices, accessed = _resolve_destination(parser, *destination)
        op = cls(monoid, parser.resolve_operand(value, accessed), ref, indices)
        op.attributes |= destination[2]
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        printer.print_string(" ")
        print_monoid(printer, self.monoid.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        _print_destination(printer, self.ref, self.indices, self.attributes)

    def verify_(self) -> None:
        """Check the indices, the value and the monoid."""
        accessed = _verify_indices(self.ref, self.indices)
        _verify_value(self.value.type, accessed)
        verify_monoid(self.monoid.data, accessed, self)


def _parse_destination(
    parser: Parser,
) -> tuple[UnresolvedOperand, Sequence[UnresolvedOperand], dict[str, Attribute]]:
    """Parse `%A[%i] {…}`; `_resolve_destination` goes on from there."""
    ref = parser.parse_unresolved_operand()
    indices = parser.parse_optional_comma_separated_list(
        parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    )
    return ref, indices or (), parser.parse_optional_attr_dict()


def _resolve_destination(
    parser: Parser,
    ref: UnresolvedOperand,
    indices: Sequence[UnresolvedOperand],
    _attributes: dict[str, Attribute],
) -> tuple[SSAValue, Sequence[SSAValue], Attribute]:
    """Parse `: !diablo.ref<tensor<?xf64>>`; return the destination and the type it holds."""
    parser.parse_punctuation(":")
    position = parser.pos
    type = parser.parse_type()
    if not isinstance(type, RefType):
        parser.raise_error("expected the type of a variable, !diablo.ref<…>", position)
    try:
        types, accessed = _accessed_types(type, len(indices))
    except VerifyException as error:
        parser.raise_error(str(error), position)
    return (
        parser.resolve_operand(ref, type),
        parser.resolve_operands(indices, types, position),
        accessed,
    )


def _print_destination(
    printer: Printer,
    ref: SSAValue,
    indices: Sequence[SSAValue],
    attributes: Mapping[str, Attribute],
) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(ref)
    if indices:
        with printer.in_square_brackets():
            printer.print_list(indices, printer.print_ssa_value)
    printer.print_op_attributes(attributes)
    printer.print_string(" : ")
    printer.print_attribute(ref.type)


@irdl_op_definition
class ForOp(IRDLOperation):
    """A bulk loop over `lower`, `lower + step`, … up to and including `upper`.

    A *bulk* loop's statements run one after the other, each for all iterations at once: no
    iteration sees what another one writes, apart from what is accumulated. The step is 1
    unless it is given; it may be negative, and then the index goes down.

    ```mlir
    %lo, %hi, %v = "test.op"() : () -> (index, index, f64)
    %A = "test.op"() : () -> !diablo.ref<tensor<?xf64>>
    diablo.for %i = %lo to %hi step 2 {
      diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    }
    ```
    """

    name = "diablo.for"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, lower: SSAValue, upper: SSAValue, body: Region | Block, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%i = %lo to %hi step 2 { … }`."""
        index = parser.parse_argument(expect_type=False).resolve(IndexType())
        parser.parse_punctuation("=")
        lower = parser.parse_operand(IndexType())
        parser.parse_keyword("to")
        upper = parser.parse_operand(IndexType())
        step = parse_optional_step(parser)
        attributes = parse_keyword_attributes(parser)
        op = cls(lower, upper, parser.parse_region([index]))
        if step is not None:
            op.step = step
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%i = %lo to %hi step 2 { … }`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.body.block.args[0])
        printer.print_string(" = ")
        printer.print_ssa_value(self.lower)
        printer.print_string(" to ")
        printer.print_ssa_value(self.upper)
        print_optional_step(printer, self.step)
        _print_body(printer, self.body, self.attributes)

    def verify_(self) -> None:
        """Check that the loop ends, and its index."""
        verify_step(self.step)
        _verify_arguments(self.body, [IndexType()])


@irdl_op_definition
class ForeachOp(IRDLOperation):
    """A bulk loop over the rows of a bag or the stored entries of an array.

    The block's arguments are what `comprehension.each` would bind: the columns of the row,
    or the index in each dimension and the element. `diablo.for` says what *bulk* means.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %R = "test.op"() : () -> !diablo.ref<tensor<?xf64>>
    diablo.foreach %i, %j, %a in %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>> {
      diablo.accumulate add %a, %R[%i] : !diablo.ref<tensor<?xf64>>
    }
    ```
    """

    name = "diablo.foreach"
    collection = operand_def()
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, collection: SSAValue, body: Region | Block):
        super().__init__(
            operands=[collection],
            regions=[body if isinstance(body, Region) else Region(body)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%i, %a in %A : tensor<?xf64> { … }`."""
        position = parser.pos
        names = parser.parse_optional_undelimited_comma_separated_list(
            lambda: parser.parse_optional_argument(expect_type=False),
            lambda: parser.parse_argument(expect_type=False),
        )
        parser.parse_keyword("in")
        collection = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        type = parse_collection(parser)
        types = element_types(type)
        if len(names or ()) != len(types):
            parser.raise_error(f"expected {len(types)} variables: {listed(types)}", position)
        attributes = parse_keyword_attributes(parser)
        arguments = [name.resolve(t) for name, t in zip(names or (), types, strict=True)]
        op = cls(parser.resolve_operand(collection, type), parser.parse_region(arguments))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%i, %a in %A : tensor<?xf64> { … }`."""
        if self.body.block.args:
            printer.print_string(" ")
            printer.print_list(self.body.block.args, printer.print_ssa_value)
        printer.print_string(" in ")
        printer.print_ssa_value(self.collection)
        printer.print_string(" : ")
        printer.print_attribute(self.collection.type)
        _print_body(printer, self.body, self.attributes)

    def verify_(self) -> None:
        """Check the collection and the variables."""
        verify_collection(self.collection.type)
        _verify_arguments(self.body, element_types(self.collection.type))


def _print_body(printer: Printer, body: Region, attributes: Mapping[str, Attribute]) -> None:
    printer.print_op_attributes(attributes, print_keyword=True)
    printer.print_string(" ")
    printer.print_region(body, print_entry_block_args=False, print_empty_block=False)


def _verify_arguments(body: Region, types: Sequence[Attribute]) -> None:
    if body.block.arg_types != tuple(types):
        raise VerifyException(
            f"expected a body with arguments {listed(types)}, got {listed(body.block.arg_types)}"
        )


Diablo = Dialect("diablo", [VarOp, LoadOp, StoreOp, AccumulateOp, ForOp, ForeachOp], [RefType])
