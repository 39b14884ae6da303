"""Warn where an array or map is given several values for one index, of which it keeps the last.

Works at the diablo and comprehension levels; changes nothing.

```mlir
comprehension.build (%n) : tensor<?xf64> {        // tensor(n)[ (i,a) | ((i,j),a) <- A ]
  %i, %j, %a = comprehension.each %A              // warning: the index does not depend on j, so
  comprehension.yield (%i) %a                     //          there may be several values for one
}
```

The index has to depend on what tells the elements of each generator apart: on every index of an
array or a range, on the key of a map or a group, and on some column of a list, whose rows are
taken to be different in it. A variable that a guard sets equal to something that the index
depends on counts as well. How the index is computed from the variables is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.passes import ModulePass

from diablo.diagnostics import Diagnostic, report
from diablo.dialects import comprehension
from diablo.dialects.bags import BagType
from diablo.dialects.locations import span_of
from diablo.passes.analyses.values.determined_values import (
    DeterminedValues,
    identity_columns,
    is_generator,
    segments_of,
)

_HINT = "combine them with a `group by` of the index, or keep one on purpose: group by …, max/x"


def _origins(values: Iterable[SSAValue], ops: Sequence[Operation]) -> set[SSAValue]:
    """The values of `ops` from which `values` are computed, these included."""
    inside = set(ops)
    found: set[SSAValue] = set()
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if value in found or not isinstance(value, OpResult) or value.op not in inside:
            continue
        found.add(value)
        if not is_generator(value.op):
            waiting += [operand for inner in value.op.walk() for operand in inner.operands]
    return found


def _missing(root: comprehension.BuildOp | comprehension.CollectOp) -> list[SSAValue]:
    """Variables that tell rows apart, and of which the key is independent."""
    block = root.body.block
    row = block.last_op
    assert isinstance(row, comprehension.YieldOp)
    ops = segments_of(block)[-1]
    known = DeterminedValues(ops, _origins(row.keys, ops))
    missing: list[SSAValue] = []
    for generator in ops:
        if not is_generator(generator):
            continue
        columns = identity_columns(generator)
        if columns is None:
            rows = list(generator.results)
            missing += [] if any(map(known.has, rows)) else rows[:1]
        else:
            missing += [column for column in columns if not known.has(column)]
    return missing


def _check(root: comprehension.BuildOp | comprehension.CollectOp) -> None:
    missing = _missing(root)
    if not missing:
        return
    names = dict.fromkeys(value.name_hint for value in missing if value.name_hint)
    what = "index" if isinstance(root, comprehension.BuildOp) else "key"
    on = f"does not depend on {', '.join(names)}" if names else "is not different in each row"
    message = f"the {what} {on}: of several values for one {what} the last one is kept"
    end = root.body.block.last_op
    report(Diagnostic("warning", message, span_of(end or root), _HINT))


def _has_keys(op: Operation) -> bool:
    """Return whether `op` makes something that has one value for each key."""
    if isinstance(op, comprehension.BuildOp):
        return True
    type = op.result.type if isinstance(op, comprehension.CollectOp) else None
    return isinstance(type, BagType) and type.is_map


@dataclass(frozen=True)
class CheckIndicesPass(ModulePass):
    """Warn where an index is likely to be given several values, of which one is kept."""

    name = "check-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Check every array and map that a comprehension makes."""
        for root in list(op.walk()):
            if isinstance(root, comprehension.BuildOp | comprehension.CollectOp) and _has_keys(
                root
            ):
                _check(root)
