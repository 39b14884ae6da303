"""Anchors of a pass pipeline: the ops that passes run on, each by itself.

    builtin.module(canonicalize,func.func(cse))

runs `cse` on one function after the other, as MLIR does: on each `func.func` that stands directly
in the module. `any(…)` stands for every op that is isolated from above, whatever its name.

A pass of xDSL takes a module. On another op it gets a module that holds just that op, so only a
pass that looks at nothing outside of its op may run there; which do is said in the tables here
and in `diablo.universe`, and the others run on `builtin.module` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsolatedFromAbove

MODULE = "builtin.module"
ANY = "any"

_NESTED_XDSL_PASSES = frozenset(
    [
        "approximate-math-with-bitcast",
        "arith-add-fastmath",
        "control-flow-hoist",
        "convert-arith-to-varith",
        "convert-linalg-to-loops",
        "convert-scf-to-cf",
        "convert-scf-to-openmp",
        "convert-varith-to-arith",
        "dce",
        "expand-math-to-polynomials",
        "licm",
        "loop-hoist-memref",
        "lower-affine",
        "reconcile-unrealized-casts",
        "scf-for-loop-flatten",
        "scf-for-loop-range-folding",
        "scf-for-loop-unroll",
        "scf-parallel-loop-tiling",
        "shape-inference",
        "test-constant-folding",
        "varith-fuse-repeated-operands",
    ]
)
"""Passes of xDSL that look at nothing outside of the op they are given."""


class AnchorError(Exception):
    """An anchor, or a pass inside one, that cannot be run."""


@dataclass(frozen=True)
class AnchoredPass:
    """Run a pass on each op that the anchors lead to, from the outermost inwards."""

    anchors: tuple[str, ...]
    inner: ModulePass

    @property
    def name(self) -> str:
        """The pass's own."""
        return self.inner.name

    def apply(self, ctx: Context, module: ModuleOp) -> None:
        """Run the pass on each op, one after the other."""
        for op in list(_anchored(module, self.anchors)):
            if isinstance(op, ModuleOp):
                self.inner.apply(ctx, op)
            else:
                _apply_alone(self.inner, ctx, op)


Step = ModulePass | AnchoredPass
"""One step of a pipeline: it has a name, and is applied to the whole module."""


def check_anchor(name: str, ctx: Context) -> None:
    """Raise an `AnchorError` unless passes can run on ops of this name.

    The context is one without unregistered ops, which would know every name.
    """
    if name == ANY:
        return
    known = ctx.get_optional_op(name)
    if known is None:
        names = [op.name for dialect in ctx.loaded_dialects for op in dialect.operations]
        close = get_close_matches(name, [*names, "func.func", ANY], 1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise AnchorError(f"there is no operation '{name}' to run passes on{hint}")
    if not known.has_trait(IsolatedFromAbove):
        raise AnchorError(
            f"passes cannot run on '{name}', which is not isolated from above: what is inside may "
            "use values from outside"
        )


def check_nesting(name: str, anchor: str) -> None:
    """Raise an `AnchorError` if the pass of this name cannot run on ops of the anchor."""
    from diablo.universe import PASSES

    if anchor == MODULE or name in _NESTED_XDSL_PASSES:
        return
    if name not in PASSES or not PASSES[name].nested:
        raise AnchorError(f"pass '{name}' runs on {MODULE}, not {anchor}")


def _anchored(op: Operation, anchors: Sequence[str]) -> Iterator[Operation]:
    """The ops that the anchors lead to, each anchor one level further in."""
    if not anchors:
        yield op
        return
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if inner.name == anchors[0] or (
                    anchors[0] == ANY and inner.has_trait(IsolatedFromAbove)
                ):
                    yield from _anchored(inner, anchors[1:])


def _apply_alone(inner: ModulePass, ctx: Context, op: Operation) -> None:
    """Run a pass on a module that holds the op alone, and put what it leaves where the op was."""
    block = op.parent
    assert block is not None
    after = op.next_op
    op.detach()
    alone = ModuleOp([op])
    alone.location = op.location
    try:
        inner.apply(ctx, alone)
    finally:
        for left in list(alone.body.block.ops):
            left.detach()
            if after is None:
                block.add_op(left)
            else:
                block.insert_op_before(left, after)
