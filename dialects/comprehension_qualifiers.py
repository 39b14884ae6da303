"""The ops inside a comprehension: generators, guards, `group_by`, folds of bags, the head.

`diablo.dialects.comprehension` exports them; it says how they work together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    I64,
    IndexType,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, OpTrait, Pure
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import inferred_operand, parse_inferred_operands
from diablo.dialects.bags import (
    BagType,
    bag_columns,
    element_types,
    parse_collection,
    parse_fold,
    print_fold,
    verify_collection,
    verify_fold,
)
from diablo.dialects.comprehension_scope import verify_scope
from diablo.dialects.verification import listed, verify_step


def _in_a_comprehension() -> tuple[OpTrait, ...]:
    """The trait of ops that stand directly in the block of a root."""
    from diablo.dialects.comprehension import AggregateOp, BuildOp, CollectOp, MergeOp

    return (HasParent(BuildOp, MergeOp, CollectOp, AggregateOp),)


def _ends_a_comprehension() -> tuple[OpTrait, ...]:
    """The traits of the op that ends the body of a root, or of a monoid."""
    from diablo.dialects.comprehension import AggregateOp, BuildOp, CollectOp, MergeOp
    from diablo.dialects.comprehension_values import MonoidOp

    return (IsTerminator(), HasParent(BuildOp, MergeOp, CollectOp, AggregateOp, MonoidOp))


@irdl_op_definition
class EachOp(IRDLOperation):
    """Generator: once per row of a bag, or once per entry of an array.

    Over a bag it binds the columns of the row; over an array it binds the index in each
    dimension and the element. Of a sparse array only the stored entries count; with `full`
    every index counts, with the implicit value (zero) where nothing is stored.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
    %sum = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
      comprehension.yield %a
    }
    %least = comprehension.aggregate min : f64 {
      %i, %j, %a = comprehension.each %A full : tensor<?x?xf64, #tensor_block.tiles<dense = 1>>
      comprehension.yield %a
    }
    ```
    """

    name = "comprehension.each"
    collection = operand_def()
    full = opt_prop_def(UnitAttr)
    elements = var_result_def()
    traits = lazy_traits_def(_in_a_comprehension)

    def __init__(self, collection: SSAValue, *, full: bool = False):
        super().__init__(
            operands=[collection],
            properties={"full": UnitAttr() if full else None},
            result_types=[element_types(collection.type)],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A full : type`."""
        collection = parser.parse_unresolved_operand()
        full = parser.parse_optional_keyword("full") is not None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        op = cls(parser.resolve_operand(collection, parse_collection(parser)), full=full)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A full : type`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.collection)
        if self.full is not None:
            printer.print_string(" full")
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.collection.type)

    def verify_(self) -> None:
        """Check the collection and what is bound."""
        verify_collection(self.collection.type)
        if self.elements.types != element_types(self.collection.type):
            raise VerifyException(
                "the results must be the columns of the bag, or the indices and the element of "
                f"the array: {listed(element_types(self.collection.type))}"
            )


@irdl_op_definition
class RangeOp(IRDLOperation):
    """Generator over the integers `lower`, `lower + step`, … up to and including `upper`.

    The step is 1 unless it is given; it may be negative, and then the integers go down.

    ```mlir
    %lo, %hi = "test.op"() : () -> (index, index)
    %last = comprehension.aggregate max : index {
      %i = comprehension.range %lo to %hi
      %j = comprehension.range %i to %hi step 2
      comprehension.yield %j
    }
    ```
    """

    name = "comprehension.range"
    lower = operand_def(IndexType)
    upper = operand_def(IndexType)
    step = opt_prop_def(IntegerAttr[I64])
    index = result_def(IndexType)
    traits = lazy_traits_def(_in_a_comprehension)
    assembly_format = "$lower `to` $upper (`step` $step^)? attr-dict"

    def __init__(self, lower: SSAValue, upper: SSAValue, step: int = 1):
        super().__init__(
            operands=[lower, upper],
            properties={"step": IntegerAttr(step, i64) if step != 1 else None},
            result_types=[IndexType()],
        )

    def verify_(self) -> None:
        """Check that the range ends."""
        verify_step(self.step)


@irdl_op_definition
class GuardOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """What follows runs only where the condition holds.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64>
    %trace = comprehension.aggregate add : f64 {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      %diagonal = arith.cmpi eq, %i, %j : index
      comprehension.guard %diagonal
      comprehension.yield %a
    }
    ```
    """

    name = "comprehension.guard"
    condition = operand_def(i1)
    traits = lazy_traits_def(_in_a_comprehension)
    assembly_format = "$condition attr-dict"

    def __init__(self, condition: SSAValue):
        super().__init__(operands=[condition])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A guard that always holds goes away."""
        from diablo.dialects.canonicalization.comprehension import DropTrueGuard

        return (DropTrueGuard(),)


@irdl_op_definition
class GroupByOp(IRDLOperation):
    """Groups what came before by `keys`; what follows runs once per distinct key.

    The values become bags: the columns of the first bag are the first of `values`, and so on,
    so that values which belong together (the parts of a tuple) stay rows of one bag. Only
    the results of this op, and values that do not depend on the generators above it, may be
    used below.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> tensor<?x?xf64>
    %sums = comprehension.build (%n) : tensor<?xf64> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      %gj, %as = comprehension.group_by keys(%j) values(%a) : index, !comprehension.bag<f64>
      %s = comprehension.reduce add %as : !comprehension.bag<f64>
      comprehension.yield (%gj) %s
    }
    ```
    """

    name = "comprehension.group_by"
    keys = var_operand_def()
    values = var_operand_def()
    group_keys = var_result_def()
    bags = var_result_def()
    traits = lazy_traits_def(_in_a_comprehension)
    irdl_options = (
        AttrSizedOperandSegments(as_property=True),
        AttrSizedResultSegments(as_property=True),
    )

    def __init__(
        self,
        keys: Sequence[SSAValue],
        values: Sequence[SSAValue],
        widths: Sequence[int] | None = None,
    ):
        """`widths` says how many of `values` each bag takes; without it every bag takes one."""
        types = [value.type for value in values]
        bags: list[BagType] = []
        for width in widths if widths is not None else [1] * len(types):
            bags.append(BagType(types[:width]))
            types = types[width:]
        super().__init__(operands=[keys, values], result_types=[[k.type for k in keys], bags])

    @property
    def bag_values(self) -> list[tuple[SSAValue, ...]]:
        """The values that each bag holds, in the order of the bags."""
        values = iter(self.values)
        return [tuple(next(values) for _ in bag_columns(bag)) for bag in self.bags]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `keys(%i) values(%v) : index, !comprehension.bag<f64>`."""
        parser.parse_keyword("keys")
        keys = parser.parse_op_args_list()
        values = parser.parse_op_args_list() if parser.parse_optional_keyword("values") else []
        attributes = parser.parse_optional_attr_dict()
        types: list[Attribute] = []
        position = parser.pos
        if keys or values:
            parser.parse_punctuation(":")
            position = parser.pos
            types = [*parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)]
        columns: list[Attribute] = []
        widths: list[int] = []
        for type in types[len(keys) :]:
            if not isinstance(type, BagType):
                parser.raise_error("expected a bag for the values", position)
            columns += type.columns
            widths.append(len(type.columns))
        op = cls(
            parser.resolve_operands(keys, types[: len(keys)], position),
            parser.resolve_operands(values, columns, position),
            widths,
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `keys(%i) values(%v) : index, !comprehension.bag<f64>`."""
        printer.print_string(" keys")
        printer.print_operands(self.keys)
        if self.values:
            printer.print_string(" values")
            printer.print_operands(self.values)
        printer.print_op_attributes(self.attributes)
        if self.results:
            printer.print_string(" : ")
            printer.print_list(self.result_types, printer.print_attribute)

    def verify_(self) -> None:
        """Check the results, and that nothing below uses a row's values."""
        if self.group_keys.types != self.keys.types:
            raise VerifyException(
                f"the group keys must have the keys' types: {listed(self.keys.types)}"
            )
        columns: list[Attribute] = []
        for bag in self.bags.types:
            if not isinstance(bag, BagType) or bag.is_map:
                raise VerifyException(f"values become bags, not {bag}")
            columns += bag.columns
        if tuple(columns) != self.values.types:
            raise VerifyException(
                f"the columns of the bags must be the values, {listed(self.values.types)}, "
                f"got {listed(columns)}"
            )
        verify_scope(self)


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """Folds a one-column bag with a monoid; an empty bag gives its identity.

    ```mlir
    %v = "test.op"() : () -> !comprehension.bag<f64>
    %s = comprehension.reduce add %v : !comprehension.bag<f64>
    ```
    """

    name = "comprehension.reduce"
    monoid = prop_def(StringAttr)
    bag = operand_def(BagType)
    result = result_def()
    traits = traits_def(Pure())

    def __init__(self, monoid: str, bag: SSAValue):
        assert isinstance(bag.type, BagType)
        super().__init__(
            operands=[bag],
            properties={"monoid": StringAttr(monoid)},
            result_types=[bag.type.columns.data[0]],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `add %v : !comprehension.bag<f64>`."""
        monoid, bag, attributes = parse_fold(parser)
        op = cls(monoid, bag)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `add %v : !comprehension.bag<f64>`."""
        print_fold(printer, self.monoid, self.bag, self.attributes)

    def verify_(self) -> None:
        """Check the bag, the monoid and the result."""
        verify_fold(self.monoid, self.bag, self.result)


@irdl_op_definition
class LengthOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The number of rows of a bag.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %n = comprehension.length %rows : !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.length"
    bag = operand_def(BagType)
    result = result_def(i64)
    traits = traits_def(Pure())
    assembly_format = "$bag attr-dict `:` type($bag)"

    def __init__(self, bag: SSAValue):
        super().__init__(operands=[bag], result_types=[i64])

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """The length of a list that is written out is a constant."""
        from diablo.dialects.canonicalization.comprehension import CountList

        return (CountList(),)


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


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The head of a comprehension: the row of `keys` and `values` that it contributes.

    For an array the keys are the index and there is one value, the element; for a scalar
    there is one value and no key; for a bag keys and values together are the columns.

    ```mlir
    %n = "test.op"() : () -> index
    %A = "test.op"() : () -> tensor<?x?xf64>
    %transposed = comprehension.build (%n, %n) : tensor<?x?xf64> {
      %i, %j, %a = comprehension.each %A : tensor<?x?xf64>
      comprehension.yield (%j, %i) %a
    }
    ```
    """

    name = "comprehension.yield"
    keys = var_operand_def()
    values = var_operand_def()
    traits = lazy_traits_def(_ends_a_comprehension)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, keys: Sequence[SSAValue], values: Sequence[SSAValue]):
        super().__init__(operands=[keys, values])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `(%i, %j) %v`; the types are those of the values, which stand above."""
        keys = parser.parse_optional_comma_separated_list(
            parser.Delimiter.PAREN,
            lambda: inferred_operand(parser, parser.parse_unresolved_operand()),
        )
        op = cls(keys or (), parse_inferred_operands(parser))
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%i, %j) %v`."""
        if self.keys:
            printer.print_string(" ")
            printer.print_operands(self.keys)
        if self.values:
            printer.print_string(" ")
            printer.print_list(self.values, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
