"""The ops on values that are no numbers: strings, tuples, lists; reads that may miss; monoids.

`diablo.dialects.comprehension` exports them. They may stand anywhere, also outside of a
comprehension and in the bodies of `tensor_block` ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    SymbolNameConstraint,
    TupleType,
    i1,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Operation, Region, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import Text
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.encodings import as_array
from diablo.dialects.monoids import find_definition
from diablo.dialects.strings import STRING_FUNCTIONS, StringType
from diablo.dialects.verification import listed


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
    """A function of strings, by its name in `diablo.dialects.strings.STRING_FUNCTIONS`.

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


@irdl_op_definition
class PackOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """A tuple of values, to be one element of an array or one argument of a monoid.

    ```mlir
    %d, %k = "test.op"() : () -> (f64, i64)
    %t = comprehension.pack %d, %k : tuple<f64, i64>
    ```
    """

    name = "comprehension.pack"
    parts = var_operand_def()
    result = result_def(TupleType)
    traits = traits_def(Pure())

    def __init__(self, parts: Sequence[SSAValue]):
        super().__init__(operands=[parts], result_types=[tuple_type([part.type for part in parts])])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%d, %k : tuple<f64, i64>`."""
        position = parser.pos
        parts = parser.parse_comma_separated_list(
            parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, TupleType):
            parser.raise_error("expected the type of a tuple", position)
        op = cls(parser.resolve_operands(parts, list(type.types), position))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%d, %k : tuple<f64, i64>`."""
        printer.print_string(" ")
        printer.print_list(self.parts, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the tuple's type."""
        if tuple(self.result.type.types) != self.parts.types:
            raise VerifyException(f"the result must be a tuple of {listed(self.parts.types)}")

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A tuple packed from the parts of another one goes away."""
        from diablo.dialects.canonicalization.comprehension import PackUnpack

        return (PackUnpack(),)


@irdl_op_definition
class UnpackOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """The parts of a tuple.

    ```mlir
    %t = "test.op"() : () -> tuple<f64, i64>
    %d, %k = comprehension.unpack %t : tuple<f64, i64>
    ```
    """

    name = "comprehension.unpack"
    tuple = operand_def(TupleType)
    parts = var_result_def()
    traits = traits_def(Pure())

    def __init__(self, tuple: SSAValue):
        assert isinstance(tuple.type, TupleType)
        super().__init__(operands=[tuple], result_types=[list(tuple.type.types)])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%t : tuple<f64, i64>`."""
        tuple = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        type = parser.parse_type()
        if not isinstance(type, TupleType):
            parser.raise_error("expected the type of a tuple", position)
        op = cls(parser.resolve_operand(tuple, type))
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%t : tuple<f64, i64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.tuple)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.tuple.type)

    def verify_(self) -> None:
        """Check the parts."""
        type = self.tuple.type
        assert isinstance(type, TupleType)
        if self.parts.types != tuple(type.types):
            raise VerifyException(f"the results must be the parts of {type}")

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """What a tuple was packed from takes the place of its parts."""
        from diablo.dialects.canonicalization.comprehension import UnpackPack

        return (UnpackPack(),)


@irdl_op_definition
class ListOp(IRDLOperation):
    """The bag of the given rows, written one after the other.

    ```mlir
    %a, %b, %x, %y = "test.op"() : () -> (i64, i64, f64, f64)
    %rows = comprehension.list (%a, %x), (%b, %y) : !comprehension.bag<i64, f64>
    ```
    """

    name = "comprehension.list"
    parts = var_operand_def()
    result = result_def(BagType)
    traits = traits_def(Pure())

    def __init__(self, rows: Sequence[Sequence[SSAValue]], result_type: BagType):
        super().__init__(
            operands=[[part for row in rows for part in row]], result_types=[result_type]
        )

    @property
    def rows(self) -> list[tuple[SSAValue, ...]]:
        """The rows, one value for each column."""
        width = len(bag_columns(self.result))
        return [tuple(self.parts[i : i + width]) for i in range(0, len(self.parts), width)]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `(%a, %x), (%b, %y) : !comprehension.bag<i64, f64>`."""
        position = parser.pos

        def parse_optional_row() -> Sequence[UnresolvedOperand] | None:
            return parser.parse_optional_comma_separated_list(
                parser.Delimiter.PAREN, parser.parse_unresolved_operand
            )

        rows: list[Sequence[UnresolvedOperand]] = []
        row = parse_optional_row()
        while row is not None:
            rows.append(row)
            row = parse_optional_row() if parser.parse_optional_punctuation(",") else None
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        if not isinstance(type, BagType):
            parser.raise_error("expected the type of a bag", position)
        columns = list(type.columns)
        op = cls([parser.resolve_operands(row, columns, position) for row in rows], type)
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `(%a, %x), (%b, %y) : !comprehension.bag<i64, f64>`."""
        if self.parts:
            printer.print_string(" ")
        printer.print_list(self.rows, printer.print_operands)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        """Check the rows."""
        columns = bag_columns(self.result)
        if not columns:
            raise VerifyException("the rows of a list have at least one column")
        if self.result.type.is_map:
            raise VerifyException("a list is no map")
        if len(self.parts) % len(columns):
            raise VerifyException(
                f"{len(self.parts)} values do not fill rows of {len(columns)} columns"
            )
        for row in self.rows:
            if tuple(part.type for part in row) != columns:
                raise VerifyException(f"every row must be {listed(columns)}")


@irdl_op_definition
class ProbeOp(IRDLOperation):
    """The element of an array, or the values of a map, at a key; and whether it is there.

    A *probe* never fails: outside the array, or where the map has no such key, the values
    are the implicit ones and the last result is false. Inside a sparse array every index is
    there.

    ```mlir
    %A = "test.op"() : () -> tensor<?x?xf64>
    %M = "test.op"() : () -> !comprehension.bag<keys = 1, !comprehension.string, i64>
    %i, %k = "test.op"() : () -> (index, !comprehension.string)
    %a, %inside = comprehension.probe %A[%i, %i] : tensor<?x?xf64>
    %m, %found = comprehension.probe %M[%k]
        : !comprehension.bag<keys = 1, !comprehension.string, i64>
    ```
    """

    name = "comprehension.probe"
    collection = operand_def()
    keys = var_operand_def()
    values = var_result_def()
    found = result_def(i1)
    traits = traits_def(Pure())

    def __init__(self, collection: SSAValue, keys: Sequence[SSAValue]):
        super().__init__(
            operands=[collection, keys], result_types=[_probed(collection.type)[1], i1]
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%A[%i] : tensor<?xf64>`."""
        collection = parser.parse_unresolved_operand()
        position = parser.pos
        keys = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        type = parser.parse_type()
        try:
            types, _ = _probed(type)
        except VerifyException as error:
            parser.raise_error(str(error), position)
        if len(types) != len(keys):
            parser.raise_error(f"expected {len(types)} keys for {type}", position)
        op = cls(
            parser.resolve_operand(collection, type),
            parser.resolve_operands(keys, types, position),
        )
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `%A[%i] : tensor<?xf64>`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.collection)
        with printer.in_square_brackets():
            printer.print_list(self.keys, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.collection.type)

    def verify_(self) -> None:
        """Check the keys and the values."""
        keys, values = _probed(self.collection.type)
        if self.keys.types != tuple(keys):
            raise VerifyException(
                f"the keys of {self.collection.type} are {listed(keys)}, "
                f"got {listed(self.keys.types)}"
            )
        if self.values.types != tuple(values):
            raise VerifyException(f"the values must be {listed(values)}")


def _probed(collection: Attribute) -> tuple[list[Attribute], list[Attribute]]:
    """The types of the keys and of the values of an array or a map."""
    if isinstance(collection, BagType) and collection.is_map:
        keys = collection.keys.data
        return list(collection.columns)[:keys], list(collection.columns)[keys:]
    array = as_array(collection)
    if array is None:
        raise VerifyException(f"expected an array or a map to look into, got {collection}")
    return [IndexType()] * array.get_num_dims(), [array.get_element_type()]


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
class MonoidOp(IRDLOperation):
    """A commutative monoid that the program defines, for `reduce @name` and the like.

    The identity is a number, a string, or a list with one of these for each part of a tuple.

    The body joins two values; it may evaluate anything pure but reads nothing from outside.
    The compiler believes that it is associative and commutative with this identity.

    ```mlir
    comprehension.monoid @argmin : tuple<f64, i64> identity [0x7FF0000000000000 : f64, -1] {
    ^bb0(%x: tuple<f64, i64>, %y: tuple<f64, i64>):
      %dx, %kx = comprehension.unpack %x : tuple<f64, i64>
      %dy, %ky = comprehension.unpack %y : tuple<f64, i64>
      %less = arith.cmpf ole, %dx, %dy : f64
      %least = arith.select %less, %x, %y : tuple<f64, i64>
      comprehension.yield %least
    }
    ```
    """

    name = "comprehension.monoid"
    sym_name = prop_def(SymbolNameConstraint())
    element = prop_def()
    identity = prop_def()
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), SymbolOpInterface())
    YIELD: ClassVar[str] = "comprehension.yield"

    def __init__(self, name: str, element: Attribute, identity: Attribute, body: Region):
        super().__init__(
            properties={"sym_name": StringAttr(name), "element": element, "identity": identity},
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `@argmin : tuple<f64, i64> identity [0.0, 0] {…}`."""
        name = parser.parse_symbol_name()
        parser.parse_punctuation(":")
        element = parser.parse_type()
        parser.parse_keyword("identity")
        identity = parser.parse_attribute()
        attributes = parser.parse_optional_attr_dict_with_keyword()
        op = cls(name.data, element, identity, parser.parse_region())
        if attributes is not None:
            op.attributes |= attributes.data
        return op

    def print(self, printer: Printer) -> None:
        """Print `@argmin : tuple<f64, i64> identity [0.0, 0] {…}`."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" : ")
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


def is_constant_of(constant: Attribute, type: Attribute) -> bool:
    """Whether `constant` is a value of `type`."""
    match constant:
        case ArrayAttr():
            parts = tuple(constant)
            return (
                isinstance(type, TupleType)
                and len(parts) == len(type.types)
                and all(map(is_constant_of, parts, type.types))
            )
        case StringAttr():
            return isinstance(type, StringType)
        case FloatAttr():
            return constant.type == type
        case IntegerAttr():
            return constant.type == type
        case _:
            return False


def tuple_type(parts: Sequence[Attribute]) -> TupleType:
    """The type of a tuple with parts of these types."""
    return TupleType(ArrayAttr(cast("Sequence[TypeAttribute]", parts)))


def find_monoid(name: str, near: Operation) -> MonoidOp | None:
    """The op that defines the monoid `name` (`@argmin`) in the module around `near`."""
    definition = find_definition(name, near)
    return definition if isinstance(definition, MonoidOp) else None
