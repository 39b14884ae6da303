"""The loop over a source, and what emits values to its generators.

`diablo.dialects.multiloop` exports the ops.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, Self

from xdsl.dialects.builtin import (
    AffineMapAttr,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    StringAttr,
    UnitAttr,
    i1,
    i64,
)
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineMap
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import (
    EffectInstance,
    IsTerminator,
    MemoryEffect,
    MemoryEffectKind,
    NoTerminator,
    RecursiveMemoryEffect,
    get_effects,
)
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.assembly import (
    inferred_operand,
    parse_keyword_attributes,
    parse_optional_operands,
    print_optional_operands,
)
from diablo.dialects.bags import BagType
from diablo.dialects.effects import has_no_effect
from diablo.dialects.iteration_spaces import (
    parse_dimensions,
    parse_reads,
    print_dimensions,
    print_reads,
    verify_reads,
)
from diablo.dialects.monoids import verify_monoid
from diablo.dialects.multiloop.multiloop_generators import (
    GeneratorType,
    PlaceType,
    TableType,
    folds_of,
    given_back,
)
from diablo.dialects.verifier_checks import listed, verify_positions

Source = Literal["rows", "range", "matches", "points", "stored", "union", "intersect"]
_OF_REGIONS = ("stored", "union", "intersect")
_SOURCES = ("rows", "range", "matches", "points", "stored", "union", "intersect")
STRATEGIES = ("merge", "gallop", "lookup")
"""How the indices that several regions have are found, if it is said."""


class _EffectsOfBody(RecursiveMemoryEffect):
    """A loop has the effects of its body, but for what this hands to the loop's own generators."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        """The effects of a loop; `None` if they are not known."""
        assert isinstance(op, LoopOp)
        effects = _effects_within(op)
        if effects is None:
            return None
        own = set[object](op.generators)
        return {effect for effect in effects if effect.value not in own}


def _effects_within(op: Operation) -> set[EffectInstance] | None:
    """The effects of the ops in the regions of `op`; `None` if those of one are not known."""
    effects = set[EffectInstance]()
    for inner in (op for region in op.regions for block in region.blocks for op in block.ops):
        if not isinstance(inner, LoopOp) and inner.get_traits_of_type(RecursiveMemoryEffect):
            found = _effects_within(inner)
        else:
            found = get_effects(inner)
            if found is None and has_no_effect(inner):
                continue
        if found is None:
            return None
        effects |= found
    return effects


class _ChangesGenerator(MemoryEffect):
    """An emit changes its generator, so that none is dropped and no two are taken for one."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance]:
        """The effect of an emit."""
        assert isinstance(op, EmitOp)
        return {EffectInstance(MemoryEffectKind.WRITE, op.generator)}


@irdl_op_definition
class LoopOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """Runs its body for each element of a source; what the body emits goes to generators.

    The source is the rows of a bag, which may be one that a row of a loop around has itself, the
    integers of a range without its end, with `reverse` from the greatest on, those rows of a bag
    that match a key: whose columns with the given numbers have its values (NaN matches nothing), or
    the points of an iteration space, in row-major order, with the elements that arrays have at
    linear places, as in `tensor_block.map`: what lies outside of an array is zero. The body has
    their values as arguments, and after these the generators. It emits to them where it likes, also
    in branches and in loops within it, so that an iteration emits no value, one, or many. Each
    generator makes one result. Only emits use a generator.

    A source may also be the indices that a region of sparse arrays has (`sparse_storage`): those
    `stored` in one come with their position, in the order of the layout (row-major if it has none)
    or in the given `order` of the dimensions, of which `[1, 0]` is by columns, with `reverse` from
    the last one on. Those of the `union` of several regions come in row-major order, with a
    position in each and whether it is there, and so do those of their intersection (`intersect`).
    A strategy says how that is found: by a `merge` of all regions, by `gallop`ing through the
    others for each index of the first, by `lookup` of each index of the first in the others;
    without one by galloping in rows of which one region has many more indices than another, and
    merging in the rest.

    The indices of points begin at `offsets`, if there are any (a tile's origin): an array is read
    as if they began at 0, and so is the array of a `place` made. `into` has the extents of the
    arrays that tables make, one table after the other.

    Iterations are independent of one another but for what scans give them, and a loop may run in
    pieces side by side: what is collected is in the order of the source, and what is reduced or
    scanned is combined in that order, piece by piece.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %zero = arith.constant 0.0 : f64
    %sum, %groups = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>)
        -> f64, !comprehension.bag<i64, f64> {
    ^bb0(%k: i64, %x: f64, %total: !multiloop.reduce<add : f64>,
         %greatest: !multiloop.bucket_reduce<[i64], max : f64>):
      %positive = arith.cmpf ogt, %x, %zero : f64
      scf.if %positive {
        multiloop.emit %total(%x : f64)
        multiloop.emit %greatest[%k : i64](%x : f64)
      }
    }
    %n, %m = "test.op"() : () -> (index, index)
    %pairs = multiloop.loop range(%n, %m : index, index) -> !comprehension.bag<index, index> {
    ^bb0(%i: index, %all: !multiloop.collect<index, index>):
      multiloop.loop range(%n, %i : index, index) {
      ^bb1(%j: index):
        multiloop.emit %all(%i, %j : index, index)
      }
    }
    %prices = "test.op"() : () -> !comprehension.bag<f64, i64>
    %cost = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> f64 {
    ^bb0(%k: i64, %x: f64, %total: !multiloop.reduce<add : f64>):
      multiloop.loop matches[1](%prices, %k : !comprehension.bag<f64, i64>, i64) {
      ^bb1(%price: f64, %same: i64):
        %product = arith.mulf %x, %price : f64
        multiloop.emit %total(%product : f64)
      }
    }
    %grouped = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>)
        -> !comprehension.bag<i64, !comprehension.bag<f64>> {
    ^bb0(%k: i64, %x: f64, %lists: !multiloop.bucket_collect<[i64], f64>):
      multiloop.emit %lists[%k : i64](%x : f64)
    }
    %maxima = multiloop.loop rows(%grouped : !comprehension.bag<i64, !comprehension.bag<f64>>)
        -> !comprehension.bag<i64, f64> {
    ^bb0(%k: i64, %xs: !comprehension.bag<f64>, %all: !multiloop.collect<i64, f64>):
      %most = multiloop.loop rows(%xs : !comprehension.bag<f64>) -> f64 {
      ^bb1(%x: f64, %greatest: !multiloop.reduce<max : f64>):
        multiloop.emit %greatest(%x : f64)
      }
      multiloop.emit %all(%k, %most : i64, f64)
    }
    %x = "test.op"() : () -> tensor<?xf64>
    %all, %sums = multiloop.loop range(%n, %m : index, index) -> f64, tensor<?xf64> {
    ^bb0(%i: index, %running: !multiloop.scan<add : f64>, %vector: !multiloop.place<f64>):
      %element = tensor.extract %x[%i] : tensor<?xf64>
      %so_far = multiloop.emit %running(%element : f64)
      multiloop.emit %vector[%i : index](%so_far : f64)
    }
    %left = multiloop.loop range(%n, %m : index, index) reverse -> f64 {
    ^bb0(%i: index, %running: !multiloop.scan<add : f64>):
      %element = tensor.extract %x[%i] : tensor<?xf64>
      %so_far = multiloop.emit %running(%element : f64)
    }
    %A, %B = "test.op"() : () -> (tensor<?x?xf64>, tensor<?x?xf64>)
    %C = multiloop.loop points(d0 < %n, d1 < %m, d2 < %n) into(%n, %m)
        ins(%A[d0, d2] : tensor<?x?xf64>, %B[d2, d1] : tensor<?x?xf64>) -> tensor<?x?xf64> {
    ^bb0(%i: index, %j: index, %k: index, %a: f64, %b: f64, %c: !multiloop.table<add : f64, 2>):
      %product = arith.mulf %a, %b : f64
      multiloop.emit %c[%i, %j : index, index](%product : f64)
    }
    %R, %S, %values = "test.op"()
        : () -> (!sparse_storage.region<2>, !sparse_storage.region<2>, memref<?xf64>)
    %last = multiloop.loop stored(%R : !sparse_storage.region<2>) order [1, 0] reverse -> f64 {
    ^bb0(%i: index, %j: index, %p: index, %acc: !multiloop.reduce<add : f64>):
      %value = sparse_storage.value %values[%p] : memref<?xf64>
      multiloop.emit %acc(%value : f64)
    }
    %both = multiloop.loop intersect gallop(
        %R, %S : !sparse_storage.region<2>, !sparse_storage.region<2>) -> index {
    ^bb0(%i: index, %j: index, %p: index, %q: index, %in_r: i1, %in_s: i1,
         %count: !multiloop.reduce<add : index>):
      %one = arith.constant 1 : index
      multiloop.emit %count(%one : index)
    }
    ```
    """

    name = "multiloop.loop"
    source = prop_def(StringAttr)
    columns = opt_prop_def(DenseArrayBase.constr(i64))
    reverse = opt_prop_def(UnitAttr)
    order = opt_prop_def(DenseArrayBase.constr(i64))
    strategy = opt_prop_def(StringAttr)
    indexing_maps = opt_prop_def(ArrayAttr[AffineMapAttr])
    inputs = var_operand_def()
    extents = var_operand_def(IndexType)
    offsets = var_operand_def(IndexType)
    symbols = var_operand_def(IndexType)
    into = var_operand_def(IndexType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    body = region_def("single_block")
    made = var_result_def()
    traits = traits_def(NoTerminator(), _EffectsOfBody())

    def __init__(
        self,
        source: Source,
        inputs: Sequence[SSAValue],
        body: Region,
        columns: Sequence[int] | None = None,
        *,
        reverse: bool = False,
        order: Sequence[int] | None = None,
        strategy: str | None = None,
    ):
        super().__init__(
            operands=[inputs, [], [], [], []],
            properties={
                "source": StringAttr(source),
                "columns": None if columns is None else DenseArrayBase.from_list(i64, columns),
                "reverse": UnitAttr() if reverse else None,
                "order": None if order is None else DenseArrayBase.from_list(i64, order),
                "strategy": None if strategy is None else StringAttr(strategy),
            },
            regions=[body],
            result_types=[_made_by(body)],
        )

    @classmethod
    def over_points(
        cls,
        extents: Sequence[SSAValue],
        inputs: Sequence[SSAValue],
        indexing_maps: Sequence[AffineMap],
        body: Region,
        *,
        offsets: Sequence[SSAValue] = (),
        symbols: Sequence[SSAValue] = (),
        into: Sequence[SSAValue] = (),
    ) -> Self:
        """A loop over the points of an iteration space, with what arrays have there."""
        maps = ArrayAttr([AffineMapAttr(map) for map in indexing_maps])
        return cls.build(
            operands=[inputs, extents, offsets, symbols, into],
            properties={"source": StringAttr("points"), "indexing_maps": maps},
            regions=[body],
            result_types=[_made_by(body)],
        )

    @property
    def is_over_regions(self) -> bool:
        """Whether the source is what regions of sparse arrays have."""
        return self.source.data in _OF_REGIONS

    @property
    def is_over_points(self) -> bool:
        """Whether the source is an iteration space."""
        return self.source.data == "points"

    @property
    def table_extents(self) -> list[Sequence[SSAValue]]:
        """The extents of the array that each generator makes, if that is a table, of `into`."""
        left = list(self.into)
        found: list[Sequence[SSAValue]] = []
        for generator in self.generators:
            rank = generator.type.rank.data if isinstance(generator.type, TableType) else 0
            found.append(left[:rank])
            del left[:rank]
        return found

    @property
    def elements(self) -> Sequence[BlockArgument]:
        """The arguments of the body for what the source has."""
        return self.body.block.args[: len(self.body.block.args) - len(self.made)]

    @property
    def generators(self) -> Sequence[BlockArgument]:
        """The arguments of the body that are generators, one for each result."""
        return self.body.block.args[len(self.body.block.args) - len(self.made) :]

    @property
    def matched(self) -> tuple[int, ...]:
        """The columns that have the values of a key, of a loop over what matches it."""
        return () if self.columns is None else tuple(map(int, self.columns.get_values()))

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `rows(%rows : !comprehension.bag<f64>) -> f64 {…}`."""
        properties: dict[str, Attribute] = {}
        source = parser.parse_keyword_in(_SOURCES)
        properties["source"] = StringAttr(source)
        if source == "matches":
            columns = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_integer
            )
            properties["columns"] = DenseArrayBase.from_list(i64, columns)
        inputs: list[SSAValue] = []
        extents, offsets, symbols, into = (list[SSAValue]() for _ in range(4))
        if source == "points":
            extents = parse_dimensions(parser)
            offsets = parse_optional_operands(parser, "offsets", IndexType())
            symbols = parse_optional_operands(parser, "symbols", IndexType())
            into = parse_optional_operands(parser, "into", IndexType())
            inputs, maps = parse_reads(parser, len(extents), len(symbols))
            properties["indexing_maps"] = ArrayAttr([AffineMapAttr(map) for map in maps])
        else:
            if source == "intersect" and (name := parser.parse_optional_keyword_in(STRATEGIES)):
                properties["strategy"] = StringAttr(name)
            with parser.in_parens():
                inputs = _parse_operands(parser)
        if parser.parse_optional_keyword("order"):
            order = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            properties["order"] = DenseArrayBase.from_list(i64, order)
        if parser.parse_optional_keyword("reverse"):
            properties["reverse"] = UnitAttr()
        results: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            results = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        attributes = parse_keyword_attributes(parser)
        body = parser.parse_region()
        if not body.blocks:
            body.add_block(Block())
        return cls.build(
            operands=[inputs, extents, offsets, symbols, into],
            result_types=[results],
            properties=properties,
            attributes=attributes,
            regions=[body],
        )

    def print(self, printer: Printer) -> None:
        """Print `rows(%rows : !comprehension.bag<f64>) -> f64 {…}`."""
        printer.print_string(f" {self.source.data}")
        if self.columns is not None:
            with printer.in_square_brackets():
                printer.print_list(self.matched, lambda column: printer.print_string(str(column)))
        if self.is_over_points:
            print_dimensions(printer, self.extents)
            print_optional_operands(printer, "offsets", self.offsets)
            print_optional_operands(printer, "symbols", self.symbols)
            print_optional_operands(printer, "into", self.into)
            print_reads(printer, self.inputs, self.indexing_maps or ())
        else:
            if self.strategy is not None:
                printer.print_string(f" {self.strategy.data}")
            with printer.in_parens():
                _print_operands(printer, self.inputs)
        if self.order is not None:
            printer.print_string(f" order {list(self.order.get_values())}")
        if self.reverse is not None:
            printer.print_string(" reverse")
        if self.made:
            printer.print_string(" -> ")
            printer.print_list(self.made.types, printer.print_attribute)
        printer.print_op_attributes(self.attributes, print_keyword=True)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the source, the arguments of the body, and the results."""
        if self.source.data not in _SOURCES:
            raise VerifyException(f"a loop is over {' or '.join(_SOURCES)}, not {self.source.data}")
        if (self.columns is None) == (self.source.data == "matches"):
            raise VerifyException("a loop over what matches a key has columns, and no other has")
        if self.reverse is not None and self.source.data not in ("range", "stored"):
            raise VerifyException(
                f"a range and a region alone are gone through in reverse, not {self.source.data}"
            )
        elements = self._verify_source()
        arguments = self.body.block.arg_types
        generators = arguments[len(elements) :]
        if any(isinstance(element, GeneratorType) for element in elements):
            raise VerifyException(f"a row has no generators, got {listed(elements)}")
        if arguments[: len(elements)] != elements:
            raise VerifyException(
                f"the body must begin with the arguments {listed(elements)}, got "
                f"{listed(arguments)}"
            )
        for generator in generators:
            if not isinstance(generator, GeneratorType):
                raise VerifyException(f"the body's last arguments are generators, not {generator}")
            for monoid, element in folds_of(generator):
                verify_monoid(monoid, element, self)
        self._verify_arrays([g for g in generators if isinstance(g, GeneratorType)])
        made = _made_by(self.body)
        if list(self.made.types) != made:
            raise VerifyException(
                f"the generators make {listed(made)}, but the results are {listed(self.made.types)}"
            )
        for use in (use for generator in self.generators for use in generator.uses):
            if not isinstance(use.operation, EmitOp) or use.index != 0:
                raise VerifyException(
                    f"a generator is what emits hand values to, not an operand of "
                    f"'{use.operation.name}'"
                )
        last = self.body.block.last_op
        if last is not None and last.has_trait(IsTerminator, value_if_unregistered=False):
            raise VerifyException(f"the body has no terminator, but ends with '{last.name}'")

    def _verify_source(self) -> tuple[Attribute, ...]:
        """Check the source; return the types of what it has for an iteration."""
        others = (self.extents, self.offsets, self.symbols, self.into)
        if self.is_over_points:
            rank = len(self.extents)
            if len(self.offsets) not in (0, rank):
                raise VerifyException(
                    f"expected no offsets or one for each of {rank} extents, "
                    f"got {len(self.offsets)}"
                )
            maps = [map.data for map in self.indexing_maps or ()]
            elements = verify_reads(self.inputs, maps, rank, len(self.symbols))
            return (*[IndexType()] * rank, *elements)
        if any(others) or self.indexing_maps is not None:
            raise VerifyException(f"points alone have extents, not {self.source.data}")
        if self.strategy is not None and self.source.data != "intersect":
            raise VerifyException(f"an intersection alone has a strategy, not {self.source.data}")
        if self.order is not None and self.source.data != "stored":
            raise VerifyException(f"a region alone has an order, not {self.source.data}")
        if self.source.data in _OF_REGIONS:
            return self._verify_regions()
        return _elements_of(self.source.data, self.inputs.types, self.matched)

    def _verify_regions(self) -> tuple[Attribute, ...]:
        """Check the regions; return the types of what they have for an iteration."""
        # Programs without sparse arrays do without that dialect.
        from diablo.dialects.sparse_storage import RegionType
        from diablo.dialects.sparse_storage.sparse_storage_layout import verify_order

        ranks: list[int] = []
        for type in self.inputs.types:
            if not isinstance(type, RegionType):
                raise VerifyException(f"what is stored is in a region, not in {type}")
            ranks.append(type.rank.data)
        if not ranks:
            raise VerifyException("there is no region to iterate over")
        rank, count = ranks[0], len(ranks)
        if any(other != rank for other in ranks):
            raise VerifyException(
                f"the regions have different ranks, {min(ranks)} and {max(ranks)}"
            )
        if self.strategy is not None and self.strategy.data not in STRATEGIES:
            raise VerifyException(
                f"the strategy is one of {', '.join(STRATEGIES)}, got '{self.strategy.data}'"
            )
        if self.source.data != "stored":
            return (*[IndexType()] * (rank + count), *[i1] * count)
        if count > 1:
            raise VerifyException(f"what is stored is in one region, not in {count}")
        if self.order is not None:
            order = list(self.order.get_values())
            verify_order(order)
            if len(order) != rank:
                raise VerifyException(f"{order} is no order of a region of rank {rank}")
        return (*[IndexType()] * rank, IndexType())

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A loop over a part is one over the whole with a test; a usual order need not be said."""
        from diablo.dialects.multiloop.multiloop_canonicalization import (
            DropUsualOrder,
            LoopOverOne,
            LoopWherePredicate,
        )

        return (DropUsualOrder(), LoopWherePredicate(), LoopOverOne())

    def _verify_arrays(self, generators: Sequence[GeneratorType]) -> None:
        """Check that there are as many dimensions and extents as the arrays have that are made."""
        rank = len(self.extents) if self.is_over_points else 1
        for generator in generators:
            if isinstance(generator, PlaceType) and generator.rank.data != rank:
                raise VerifyException(
                    f"{generator} has a place for each of the source's {rank} dimensions"
                )
        wanted = sum(g.rank.data for g in generators if isinstance(g, TableType))
        if len(self.into) != wanted:
            raise VerifyException(
                f"the tables have {wanted} dimensions, but 'into' has {len(self.into)} extents"
            )


def _made_by(body: Region) -> list[Attribute]:
    """The types of what the generators of a body make."""
    return [type.result for type in body.block.arg_types if isinstance(type, GeneratorType)]


def _elements_of(
    source: str, inputs: Sequence[Attribute], matched: Sequence[int]
) -> tuple[Attribute, ...]:
    """The types of what a source has for an iteration."""
    match source, inputs:
        case "matches", [BagType() as bag, *keys]:
            columns = tuple(bag.columns)
            verify_positions(matched, len(columns), "column")
            wanted = [columns[number] for number in matched]
            if not keys or wanted != keys:
                raise VerifyException(f"the key has {listed(wanted)}, got {listed(keys)}")
            return columns
        case "matches", _:
            raise VerifyException(f"what matches are rows of a bag, not of {listed(inputs)}")
        case "rows", [BagType() as bag]:
            return tuple(bag.columns)
        case "range", [IndexType(), IndexType()]:
            return (IndexType(),)
        case "rows", _:
            raise VerifyException(f"rows are those of one bag, not of {listed(inputs)}")
        case _:
            raise VerifyException(f"a range is between two indices, not {listed(inputs)}")


@irdl_op_definition
class EmitOp(IRDLOperation):
    """Hands a row to a generator of a loop around it, with its key if that has buckets or places.

    A scan gives back what the values up to this one are combined to.

    ```mlir
    %rows = "test.op"() : () -> !comprehension.bag<i64, f64>
    %sums = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>)
        -> !comprehension.bag<i64, f64> {
    ^bb0(%k: i64, %x: f64, %sum: !multiloop.bucket_reduce<[i64], add : f64>):
      multiloop.emit %sum[%k : i64](%x : f64)
    }
    %greatest = multiloop.loop rows(%rows : !comprehension.bag<i64, f64>) -> f64 {
    ^bb0(%k: i64, %x: f64, %maxima: !multiloop.scan<max : f64>):
      %so_far = multiloop.emit %maxima(%x : f64)
    }
    ```
    """

    name = "multiloop.emit"
    generator = operand_def()
    keys = var_operand_def()
    values = var_operand_def()
    given = var_result_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(_ChangesGenerator())

    def __init__(
        self, generator: SSAValue, values: Sequence[SSAValue], keys: Sequence[SSAValue] = ()
    ):
        type = generator.type
        given = given_back(type) if isinstance(type, GeneratorType) else ()
        super().__init__(operands=[generator, keys, values], result_types=[given])

    @property
    def so_far(self) -> SSAValue:
        """What the values up to this one are combined to, of an emit to a scan."""
        (value,) = self.given
        return value

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `%sum[%k : i64](%x : f64)`."""
        generator = inferred_operand(parser, parser.parse_unresolved_operand())
        keys: list[SSAValue] = []
        if parser.parse_optional_punctuation("["):
            keys = _parse_operands(parser)
            parser.parse_punctuation("]")
        with parser.in_parens():
            values = _parse_operands(parser)
        op = cls(generator, values, keys)
        op.attributes |= parser.parse_optional_attr_dict()
        return op

    def print(self, printer: Printer) -> None:
        """Print `%sum[%k : i64](%x : f64)`."""
        printer.print_string(" ")
        printer.print_ssa_value(self.generator)
        if self.keys:
            with printer.in_square_brackets():
                _print_operands(printer, self.keys)
        with printer.in_parens():
            _print_operands(printer, self.values)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        """Check that the generator is one of a loop around this, and what it is handed."""
        generator = self.generator
        loop = generator.owner.parent_op() if isinstance(generator.owner, Block) else None
        if not isinstance(loop, LoopOp) or not isinstance(generator.type, GeneratorType):
            raise VerifyException("values are emitted to a generator of a loop")
        for what, given, wanted in (
            ("keys", self.keys.types, generator.type.keys),
            ("values", self.values.types, generator.type.values),
        ):
            if tuple(given) != wanted:
                raise VerifyException(
                    f"{generator.type} takes the {what} {listed(wanted)}, got {listed(given)}"
                )
        gives, made = given_back(generator.type), tuple(self.given.types)
        if made != gives:
            raise VerifyException(
                f"an emit to {generator.type} gives {listed(gives)}, not {listed(made)}"
            )
        self._verify_place(loop)

    def _verify_place(self, loop: LoopOp) -> None:
        """Check that what is between this and the loop of the generator has its effects."""
        around = self.parent_op()
        while around is not None and around is not loop:
            effects = around.get_traits_of_type(MemoryEffect)
            if effects and not any(isinstance(e, RecursiveMemoryEffect) for e in effects):
                raise VerifyException(f"values are not emitted in the body of '{around.name}'")
            around = around.parent_op()


def _parse_operands(parser: Parser) -> list[SSAValue]:
    """Parse `%a, %b : i64, f64`, or nothing."""
    operands = parser.parse_optional_undelimited_comma_separated_list(
        parser.parse_optional_unresolved_operand, parser.parse_unresolved_operand
    )
    if not operands:
        return []
    parser.parse_punctuation(":")
    position = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return list(parser.resolve_operands(operands, types, position))


def _print_operands(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Print `%a, %b : i64, f64`, or nothing."""
    if values:
        printer.print_list(values, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([value.type for value in values], printer.print_attribute)
