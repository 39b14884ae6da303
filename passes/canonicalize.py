"""`canonicalize`: fold ops, apply the rules that their classes name, and drop what is dead.

    %c = arith.constant 2 : i64
    %s = arith.addi %c, %c : i64     =>    %s = arith.constant 4 : i64

It does what xDSL's pass of this name does, and asks each class of ops once for its folder and
rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.folder import Folder
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.traits import ConstantLike, HasCanonicalizationPatternsTrait, HasFolder

from diablo.passes.dead_ops import erase_dead
from diablo.passes.pattern_set import Attempt, PatternSet, rewrite


class CanonicalizationPatterns(PatternSet):
    """The folder and the canonicalization patterns of each class of ops."""

    def __init__(self, ctx: Context):
        super().__init__([])
        self._folder = Folder(ctx)

    def _attempts_on(self, kind: type[Operation]) -> Sequence[Attempt]:
        patterns = [
            pattern.match_and_rewrite
            for trait in kind.get_traits_of_type(HasCanonicalizationPatternsTrait)
            for pattern in trait.get_patterns(kind)
        ]
        # A constant folds to itself.
        folds = kind.has_trait(HasFolder, value_if_unregistered=False) and not kind.has_trait(
            ConstantLike, value_if_unregistered=True
        )
        return [self._fold, *patterns] if folds else patterns

    def _fold(self, op: Operation, rewriter: PatternRewriter) -> None:
        folded = self._folder.try_fold(op)
        if folded is not None:
            values, constants = folded
            rewriter.replace(op, new_ops=constants, new_results=values)


@dataclass(frozen=True)
class CanonicalizePass(ModulePass):
    """Fold ops, apply their canonicalization patterns, and drop dead ones."""

    name = "canonicalize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite until nothing changes."""
        rewrite(op, CanonicalizationPatterns(ctx), erase_dead)
