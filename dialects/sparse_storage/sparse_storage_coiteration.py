"""The loop over several regions at once.

`diablo.dialects.sparse_storage` exports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self, TypeGuard

from xdsl.dialects.builtin import IndexType, StringAttr, i1
from xdsl.interfaces import HasCanonicalizationPatternsInterface
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.pattern_rewriter import RewritePattern
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.sparse_storage.sparse_storage_iteration import (
    YieldOp,
    parse_inits,
    print_inits,
    verify_carried,
)
from diablo.dialects.sparse_storage.sparse_storage_layout import RegionType
from diablo.dialects.verifier_checks import verify_body

KINDS = ("union", "intersect")
STRATEGIES = ("auto", "merge", "gallop", "lookup")


@irdl_op_definition
class CoiterateOp(IRDLOperation, HasCanonicalizationPatternsInterface):
    """A loop over the indices that some region has (`union`), or that all have (`intersect`).

    They come in row-major order. The body's arguments are the indices, a position in each
    region, a Boolean for each that says whether it has the index, and the values that the loop
    carries. The position in a region that does not have the index means nothing. The strategy
    says how an intersection is found: by a `merge` of all regions, by `gallop`ing through the
    others for each index of the first, by `lookup` of each index of the first in the others, or
    (`auto`) by galloping in rows of which one region has many more indices than another, and
    merging in the rest. A union is always merged.

    ```mlir
    %R, %S, %zero = "test.op"()
        : () -> (!sparse_storage.region<1>, !sparse_storage.region<1>, index)
    %both = sparse_storage.coiterate intersect gallop (%R, %S) init(%zero : index)
        : !sparse_storage.region<1>, !sparse_storage.region<1> {
    ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %n: index):
      %one = arith.constant 1 : index
      %next = arith.addi %n, %one : index
      sparse_storage.yield %next : index
    }
    ```
    """

    name = "sparse_storage.coiterate"
    regions_ = var_operand_def(RegionType)
    inits = var_operand_def()
    kind = prop_def(StringAttr)
    strategy = prop_def(StringAttr)
    results_ = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        kind: str,
        strategy: str,
        regions: Sequence[SSAValue],
        inits: Sequence[SSAValue],
        body: Region | Block,
    ):
        super().__init__(
            operands=[regions, inits],
            properties={"kind": StringAttr(kind), "strategy": StringAttr(strategy)},
            regions=[body if isinstance(body, Region) else Region(body)],
            result_types=[[value.type for value in inits]],
        )

    @property
    def rank(self) -> int:
        """The number of indices."""
        type = self.regions_[0].type
        assert isinstance(type, RegionType)
        return type.rank.data

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse `intersect merge (%R, %S) init(%a : f64) : type, type {…}`."""
        kind = parser.parse_identifier()
        strategy = parser.parse_optional_identifier() or "auto"
        regions = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        inits = parse_inits(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands = parser.resolve_operands(regions, types, position)
        op = cls(kind, strategy, operands, inits, parser.parse_region())
        op.attributes |= attributes
        return op

    def print(self, printer: Printer) -> None:
        """Print `intersect merge (%R, %S) init(%a : f64) : type, type {…}`."""
        printer.print_string(f" {self.kind.data}")
        if self.strategy.data != "auto":
            printer.print_string(f" {self.strategy.data}")
        printer.print_string(" ")
        with printer.in_parens():
            printer.print_list(self.regions_, printer.print_ssa_value)
        print_inits(printer, self.inits)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_list(self.regions_.types, printer.print_attribute)
        printer.print_string(" ")
        printer.print_region(self.body)

    def verify_(self) -> None:
        """Check the words, the ranks, the body and what is carried."""
        if self.kind.data not in KINDS:
            raise VerifyException(
                f"regions are iterated together by {' or '.join(KINDS)}, got '{self.kind.data}'"
            )
        if self.strategy.data not in STRATEGIES:
            raise VerifyException(
                f"the strategy is one of {', '.join(STRATEGIES)}, got '{self.strategy.data}'"
            )
        if self.kind.data == "union" and self.strategy.data not in ("auto", "merge"):
            raise VerifyException(f"a union is merged, not found by '{self.strategy.data}'")
        if not self.regions_:
            raise VerifyException("there is no region to iterate over")
        ranks = sorted({type.rank.data for type in self.regions_.types if _is_region(type)})
        if len(ranks) > 1:
            raise VerifyException(f"the regions have different ranks, {ranks[0]} and {ranks[1]}")
        count = len(self.regions_)
        carried = verify_carried(self.inits, self.results_)
        indices: list[Attribute] = [IndexType()] * (self.rank + count)
        verify_body(self.body, [*indices, *[i1] * count, *carried], carried, YieldOp)

    @classmethod
    def get_canonicalization_patterns(cls) -> tuple[RewritePattern, ...]:
        """A loop over one region is no joint one."""
        from diablo.dialects.sparse_storage.sparse_storage_canonicalization import IterateAlone

        return (IterateAlone(),)


def _is_region(type: Attribute) -> TypeGuard[RegionType]:
    return isinstance(type, RegionType)
