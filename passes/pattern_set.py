"""Rewrite patterns that are tried on those ops alone whose class they name.

    rewrite(module, PatternSet([FoldCast(), FoldSum()]))

xDSL's driver asks each pattern of each op whether it is one for it, and each op whether it is
dead. Most ops are of a class that no pattern names, and have uses: these are passed over here.
What patterns do, and in which order, is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import getclosurevars, isfunction
from types import UnionType
from typing import Any, Union, get_args, get_origin

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
)
from xdsl.rewriter import InsertPoint

from diablo.passes.dead_ops import is_dead

Attempt = Callable[[Operation, PatternRewriter], object]
"""What may rewrite an op; the rewriter knows then that it has done something."""
AfterWalk = Callable[[Region, PatternRewriterListener], bool]
"""What may change a region once no pattern applies, and returns whether it has."""


class PatternSet:
    """The attempts to rewrite an op of each class, in order; with `dce`, dead ops are erased."""

    def __init__(self, patterns: Sequence[RewritePattern], *, dce: bool = True):
        self._patterns = [(_roots(pattern), pattern.match_and_rewrite) for pattern in patterns]
        self._attempts: dict[type[Operation], Sequence[Attempt]] = {}
        self.dce = dce

    def attempts(self, kind: type[Operation]) -> Sequence[Attempt]:
        """Return what to try on an op of a class."""
        found = self._attempts.get(kind)
        if found is None:
            found = self._attempts[kind] = tuple(self._attempts_on(kind))
        return found

    def _attempts_on(self, kind: type[Operation]) -> Sequence[Attempt]:
        return [attempt for roots, attempt in self._patterns if issubclass(kind, roots)]


def _roots(pattern: RewritePattern) -> tuple[type[Operation], ...]:
    """The classes of ops that a pattern is for, as `op_type_rewrite_pattern` has read them."""
    method: Any = type(pattern).match_and_rewrite
    kind = getclosurevars(method).nonlocals.get("expected_type") if isfunction(method) else None
    kinds: tuple[Any, ...] = get_args(kind) if _is_union(kind) else (kind,)
    return kinds if all(isinstance(kind, type) for kind in kinds) else (Operation,)


def _is_union(kind: object) -> bool:
    return get_origin(kind) in (Union, UnionType)


def rewrite(module: ModuleOp, patterns: PatternSet, after: AfterWalk | None = None) -> bool:
    """Rewrite the ops of a module until no pattern applies; return whether any did."""
    return _Walker(patterns, after).rewrite_module(module)


class _NoPattern(RewritePattern):
    """What xDSL's walker asks for, and this one does not use."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        """Do nothing."""


class _Walker(PatternRewriteWalker):
    """xDSL's walker, which keeps a list of ops to look at, on the ops that have a pattern."""

    def __init__(self, patterns: PatternSet, after: AfterWalk | None):
        super().__init__(_NoPattern())
        self._patterns = patterns
        self._after = after

    def rewrite_region(self, region: Region) -> bool:
        """Rewrite until nothing changes; return whether anything did."""
        listener = self._get_rewriter_listener()
        changed = False
        while True:
            again = self._rewrite_once(region, listener)
            if self._after is not None:
                again |= self._after(region, listener)
            if not again:
                return changed
            changed = True

    def _rewrite_once(self, region: Region, listener: PatternRewriterListener) -> bool:
        patterns, worklist = self._patterns, self._worklist
        for op in region.walk(reverse=True, region_first=True):  # It is a stack.
            if patterns.attempts(type(op)) or (patterns.dce and is_dead(op)):
                worklist.push(op)
        rewriter: PatternRewriter | None = None
        changed = False
        while worklist:
            op = worklist.pop()
            attempts = patterns.attempts(type(op))
            dead = patterns.dce and is_dead(op)
            if not attempts and not dead:
                continue
            if rewriter is None:
                rewriter = PatternRewriter(op)
                rewriter.extend_from_listener(listener)
            rewriter.has_done_action = False
            rewriter.current_operation = op
            rewriter.insertion_point = InsertPoint.before(op)
            rewriter.name_hint = None
            if dead:
                rewriter.erase(op)
            else:
                _try(attempts, op, rewriter)
            changed |= rewriter.has_done_action
        return changed


def _try(attempts: Sequence[Attempt], op: Operation, rewriter: PatternRewriter) -> None:
    """Make attempts until one has rewritten the op."""
    try:
        for attempt in attempts:
            attempt(op, rewriter)
            if rewriter.has_done_action:
                return
    except Exception as error:
        op.emit_error(f"Error while applying pattern: {error}", underlying_error=error)
