"""Variables of the `diablo` dialect, and what reads and writes them.

`diablo.dialects.diablo` exports them; it says how they and the loops work together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self

from xdsl.dialects.builtin import (
    I64,
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
    TupleType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParamAttrConstraint,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import parse_monoid, print_monoid
from diablo.dialects.bags import BagType
from diablo.dialects.diablo.diablo_destinations import (
    RefType,
    accessed_types,
    leaves_of,
    parse_destination,
    part_attribute,
    part_of,
    print_destination,
    resolve_destination,
    verify_indices,
)
from diablo.dialects.monoids import is_constant_of, verify_monoid
from diablo.dialects.tuple_types import tuple_type


def _verify_value(value: Attribute, accessed: Attribute) -> None:
    if value != accessed:
        raise VerifyException(f"the value is {value}, but the destination holds {accessed}")


def _leaf_of(type: Attribute, leaf: int | None) -> Attribute:
    return part_of(type, None if leaf is None else part_attribute((leaf, 1)))


@irdl_op_definition
class VarOp(IRDLOperation):
    """Declares a variable, by the name it has in the source, with its first value.

    Of a map whose values are tuples, `absent` has what each leaf of a value starts at that a
    write of other leaves makes, `unit` where that is the implicit value.

    ```mlir
    %zero = arith.constant 0.0 : f64
    %sum = diablo.var "sum" = %zero : f64
    %m = "test.op"() : () -> !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
    %M = diablo.var "M" = %m absent [unit, 0x7FF0000000000000 : f64]
        : !comprehension.bag<keys = 1, i64, tuple<i64, f64>>
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "diablo.var"
    init = operand_def(T)
    sym_name = prop_def(StringAttr)
    absent = opt_prop_def(ArrayAttr)
    ref = result_def(ParamAttrConstraint(RefType, (T,)))
    assembly_format = "$sym_name `=` $init (`absent` $absent^)? attr-dict `:` type($init)"

    def __init__(self, name: str, init: SSAValue):
        super().__init__(
            operands=[init],
            properties={"sym_name": StringAttr(name)},
            result_types=[RefType(init.type)],
        )

    def verify_(self) -> None:
        """Check what the parts of absent values start at."""
        if self.absent is None:
            return
        held = self.init.type
        value = held.columns.data[-1] if isinstance(held, BagType) and held.is_map else None
        if not isinstance(value, TupleType):
            raise VerifyException(f"only values of maps that are tuples have parts, not {held}")
        starts = list(self.absent)
        if len(starts) != len(value.types):
            raise VerifyException(f"{value} has {len(value.types)} parts, absent {len(starts)}")
        for start, type in zip(starts, value.types, strict=True):
            if start != UnitAttr() and not is_constant_of(start, type):
                raise VerifyException(f"absent parts are constants of {value}, not {start}")


def absent_leaves(ref: SSAValue) -> Sequence[Attribute]:
    """Return what the leaves of an absent value of a map start at, a unit for the implicit one."""
    variable = ref.owner
    absent = variable.absent if isinstance(variable, VarOp) else None
    return () if absent is None else tuple(absent)


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
            operands=[ref, indices], result_types=[accessed_types(ref.type, len(indices))[1]]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%i] : !diablo.ref<tensor<?xf64>>`."""
        destination = parse_destination(parser)
        op = cls(*resolve_destination(parser, *destination)[:2])
        op.attributes |= destination.attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%i] : !diablo.ref<tensor<?xf64>>`."""
        print_destination(printer, self.ref, self.indices, self.attributes)

    def verify_(self) -> None:
        """Check the indices and the result."""
        accessed = verify_indices(self.ref, self.indices)
        if self.result.type != accessed:
            raise VerifyException(f"the result must be what is read, {accessed}")


@irdl_op_definition
class RequireOp(IRDLOperation):
    """Gives the value of a read on where a condition says that it is there.

    Elsewhere it drops the iteration of the loops around, as a `diablo.load` outside of an array
    does, and is an error outside of loops. So is read what no variable holds, or what is read
    only in one branch of a choice.

    ```mlir
    %k, %m = "test.op"() : () -> (i64, !comprehension.bag<keys = 1, i64, f64>)
    %v, %found = comprehension.probe %m[%k] : !comprehension.bag<keys = 1, i64, f64>
    %value = diablo.require %v if %found : f64
    ```
    """

    T: ClassVar = VarConstraint("T", AnyAttr())

    name = "diablo.require"
    value = operand_def(T)
    condition = operand_def(i1)
    result = result_def(T)
    assembly_format = "$value `if` $condition attr-dict `:` type($value)"

    def __init__(self, value: SSAValue, condition: SSAValue):
        super().__init__(operands=[value, condition], result_types=[value.type])


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes a variable (no indices) or one element of the array or map it holds.

    With a `part` the element is a tuple, of which only the leaf with that number is written,
    or as many as `size` says. Where a map has no value yet, the other leaves are
    implicit, or what the variable's `absent` says.

    ```mlir
    %i, %v = "test.op"() : () -> (index, f64)
    %x, %A = "test.op"() : () -> (!diablo.ref<f64>, !diablo.ref<tensor<?xf64>>)
    diablo.store %v, %x : !diablo.ref<f64>
    diablo.store %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    %T = "test.op"() : () -> !diablo.ref<tensor<?xtuple<i64, f64>>>
    diablo.store %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
    ```
    """

    name = "diablo.store"
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def()
    part = opt_prop_def(DenseArrayBase[I64])

    def __init__(
        self,
        value: SSAValue,
        ref: SSAValue,
        indices: Sequence[SSAValue] = (),
        part: tuple[int, int] | None = None,
    ):
        super().__init__(operands=[value, ref, indices], properties={"part": part_attribute(part)})

    @property
    def leaves(self) -> tuple[int, int] | None:
        """The first leaf that is written and the number of leaves, if not all are."""
        return None if self.part is None else leaves_of(self.part)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        destination = parse_destination(parser)
        ref, indices, accessed = resolve_destination(parser, *destination)
        op = cls(parser.resolve_operand(value, accessed), ref, indices, destination.part)
        op.attributes |= destination.attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        print_destination(printer, self.ref, self.indices, self.attributes, self.part)

    def verify_(self) -> None:
        """Check the indices, the part and the value."""
        accessed = part_of(verify_indices(self.ref, self.indices), self.part)
        _verify_value(self.value.type, accessed)


@irdl_op_definition
class AccumulateOp(IRDLOperation):
    """Combines a value into a variable or an element with a monoid: `d += e`.

    Where a map has no value yet, the monoid's identity stands for it. `diablo.store` says what
    a `part` is.

    ```mlir
    %i, %v = "test.op"() : () -> (index, f64)
    %x, %A = "test.op"() : () -> (!diablo.ref<f64>, !diablo.ref<tensor<?xf64>>)
    diablo.accumulate max %v, %x : !diablo.ref<f64>
    diablo.accumulate add %v, %A[%i] : !diablo.ref<tensor<?xf64>>
    %T = "test.op"() : () -> !diablo.ref<tensor<?xtuple<i64, f64>>>
    diablo.accumulate add %v, %T[%i] part 1 : !diablo.ref<tensor<?xtuple<i64, f64>>>
    ```
    """

    name = "diablo.accumulate"
    monoid = prop_def(StringAttr)
    value = operand_def()
    ref = operand_def(RefType)
    indices = var_operand_def()
    part = opt_prop_def(DenseArrayBase[I64])

    def __init__(
        self,
        monoid: str,
        value: SSAValue,
        ref: SSAValue,
        indices: Sequence[SSAValue] = (),
        part: tuple[int, int] | None = None,
    ):
        super().__init__(
            operands=[value, ref, indices],
            properties={"monoid": StringAttr(monoid), "part": part_attribute(part)},
        )

    @property
    def leaves(self) -> tuple[int, int] | None:
        """The first leaf that is written and the number of leaves, if not all are."""
        return None if self.part is None else leaves_of(self.part)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        monoid = parse_monoid(parser)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        destination = parse_destination(parser)
        ref, indices, accessed = resolve_destination(parser, *destination)
        value = parser.resolve_operand(value, accessed)
        op = cls(monoid, value, ref, indices, destination.part)
        op.attributes |= destination.attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %v, %A[%i] : !diablo.ref<tensor<?xf64>>`."""
        printer.print_string(" ")
        print_monoid(printer, self.monoid.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(",")
        print_destination(printer, self.ref, self.indices, self.attributes, self.part)

    def verify_(self) -> None:
        """Check the indices, the part, the value and the monoid."""
        accessed = part_of(verify_indices(self.ref, self.indices), self.part)
        _verify_value(self.value.type, accessed)
        verify_monoid(self.monoid.data, accessed, self)


@irdl_op_definition
class AccumulatePartsOp(IRDLOperation):
    """Combines a tuple into the variables that hold its parts, with a monoid on tuples.

    With indices it is combined into the elements there of several arrays or maps, or into single
    leaves of tuples there. Where the map of the first part has no value yet, the monoid's identity
    stands for the whole tuple. `from` are numbers for further parts of the tuple: what these are
    before the op, which nothing holds afterwards.

    ```mlir
    comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
    ^bb0(%a: tuple<f64, i64>, %b: tuple<f64, i64>):
      %dx, %kx = comprehension.unpack %a : tuple<f64, i64>
      %dy, %ky = comprehension.unpack %b : tuple<f64, i64>
      %less = arith.cmpf ole, %dx, %dy : f64
      %least = arith.select %less, %a, %b : tuple<f64, i64>
      comprehension.yield %least
    }
    %t = "test.op"() : () -> tuple<f64, i64>
    %x, %k = "test.op"() : () -> (!diablo.ref<f64>, !diablo.ref<i64>)
    diablo.accumulate_parts @argmin %t, %x, %k : !diablo.ref<f64>, !diablo.ref<i64>
    %i, %A = "test.op"() : () -> (index, !diablo.ref<tensor<?xf64>>)
    diablo.accumulate_parts @argmin %t, %A [%i] from [7] : !diablo.ref<tensor<?xf64>>
    %T = "test.op"() : () -> !diablo.ref<tensor<?xtuple<i64, f64>>>
    diablo.accumulate_parts @argmin %t, %T part 1, %T part 0 [%i]
        : !diablo.ref<tensor<?xtuple<i64, f64>>>, !diablo.ref<tensor<?xtuple<i64, f64>>>
    ```
    """

    name = "diablo.accumulate_parts"
    monoid = prop_def(StringAttr)
    value = operand_def(TupleType)
    refs = var_operand_def(RefType)
    indices = var_operand_def()
    parts = opt_prop_def(DenseArrayBase[I64])
    further = opt_prop_def(DenseArrayBase[I64])
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        monoid: str,
        value: SSAValue,
        refs: Sequence[SSAValue],
        indices: Sequence[SSAValue] = (),
        further: Sequence[int] = (),
        leaves: Sequence[int | None] = (),
    ):
        """`leaves` are those that are written of each element, `None` for all of it."""
        numbers = DenseArrayBase.from_list(i64, further) if further else None
        parts = None
        if any(leaf is not None for leaf in leaves):
            parts = DenseArrayBase.from_list(i64, [-1 if leaf is None else leaf for leaf in leaves])
        super().__init__(
            operands=[value, refs, indices],
            properties={"monoid": StringAttr(monoid), "parts": parts, "further": numbers},
        )

    @property
    def leaves(self) -> tuple[int | None, ...]:
        """The leaf of each element that is written; `None` if all of it is."""
        if self.parts is None:
            return (None,) * len(self.refs)
        return tuple(int(n) if n >= 0 else None for n in self.parts.get_values())

    @property
    def variables(self) -> list[SSAValue]:
        """The variables that are written, each once."""
        return list(dict.fromkeys(self.refs))

    @property
    def starts(self) -> tuple[int, ...]:
        """The numbers that further parts of the tuple start at."""
        return () if self.further is None else tuple(map(int, self.further.get_values()))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `@argmin %t, %x, %k [%i] from [0] : !diablo.ref<…>, !diablo.ref<…>`."""
        monoid = parse_monoid(parser)
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        leaves: list[int | None] = []

        def parse_ref() -> UnresolvedOperand:
            ref = parser.parse_unresolved_operand()
            named = parser.parse_optional_keyword("part")
            leaves.append(parser.parse_integer(allow_negative=False) if named else None)
            return ref

        refs = parser.parse_comma_separated_list(parser.Delimiter.NONE, parse_ref)
        square = parser.Delimiter.SQUARE
        indices = parser.parse_optional_comma_separated_list(
            square, parser.parse_unresolved_operand
        )
        further: list[int] = []
        if parser.parse_optional_keyword("from"):
            further = parser.parse_comma_separated_list(square, parser.parse_integer)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        try:
            accessed = [
                accessed_types(t, len(indices or ())) for t in types if isinstance(t, RefType)
            ]
        except VerifyException as error:
            parser.raise_error(str(error), position)
        if len(accessed) != len(types):
            parser.raise_error("expected the types of variables, !diablo.ref<…>", position)
        if len(types) != len(refs):
            parser.raise_error(f"expected the types of {len(refs)} variables", position)
        parts = zip(accessed, leaves, strict=True)
        try:
            held = [_leaf_of(reached, leaf) for (_, reached), leaf in parts]
        except VerifyException as error:
            parser.raise_error(str(error), position)
        held += [i64] * len(further)
        op = cls(
            monoid,
            parser.resolve_operand(value, tuple_type(held)),
            parser.resolve_operands(refs, types, position),
            parser.resolve_operands(indices or (), accessed[0][0], position),
            further,
            leaves,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `@argmin %t, %x, %k [%i] from [0] : !diablo.ref<…>, !diablo.ref<…>`."""
        printer.print_string(" ")
        print_monoid(printer, self.monoid.data)
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        for ref, leaf in zip(self.refs, self.leaves, strict=True):
            printer.print_string(", ")
            printer.print_ssa_value(ref)
            printer.print_string("" if leaf is None else f" part {leaf}")
        if self.indices:
            printer.print_string(" ")
            with printer.in_square_brackets():
                printer.print_list(self.indices, printer.print_ssa_value)
        if self.starts:
            printer.print_string(f" from [{', '.join(map(str, self.starts))}]")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.refs.types, printer.print_attribute)

    def verify_(self) -> None:
        """Check the variables, the indices and the monoid."""
        if len(self.leaves) != len(self.refs):
            raise VerifyException(
                f"expected a part for each of {len(self.refs)} variables, got {len(self.leaves)}"
            )
        written = list(zip(self.refs, self.leaves, strict=True))
        if len(set(written)) != len(written):
            raise VerifyException("each part is written once")
        held = [_leaf_of(verify_indices(ref, self.indices), leaf) for ref, leaf in written]
        whole = tuple_type([*held, *[i64] * len(self.starts)])
        _verify_value(self.value.type, whole)
        verify_monoid(self.monoid.data, whole, self)
