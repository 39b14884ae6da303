"""Let go of what Spark keeps, and of broadcasts, once nothing needs them any more.

Works at the spark level, behind `persist-reused`.

```mlir
%C = spark.persist %0                            %C = spark.persist %0
%s = spark.fold add %C …                         %s = spark.fold add %C …
%D = spark.persist (… of %C …)            =>     %D = spark.persist (… of %C …)
%t = spark.fold add %D …                         %t = spark.fold add %D …
…                                                spark.release %C
```

Spark computes late: an RDD is needed until the last job that computes something of it. So it stays
if what is made of it may be computed after the program, as a lazy result, or is handed on by a
loop. What another persistent RDD needs of it ends with the first job that reads that one, since all
of it is kept then; if it is lost it is made again, of what the lineage has. Only numbered rows
might get other numbers: they, and what they are made of, stay as long as what is made of them. So
do broadcasts, which nothing makes again: also what is kept may be lost, and is then computed with
them. At the end of a call all is let go, so what no job follows is left to that.

In a loop broadcasts are let go of as well, where they are read by the jobs of their iteration
alone. One that has made what the loop carries has to stay until the lineage of that is cut, and so
has what is kept for the iterations to come: there `Iterations` lets go.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import IsTerminator

from diablo.dialects import spark
from diablo.dialects.bags import BagType
from diablo.dialects.encodings import is_tiled
from diablo.dialects.locations import located


@dataclass(frozen=True)
class ReleaseKeptPass(ModulePass):
    """Let go of what Spark keeps once nothing needs it any more."""

    name = "release-kept"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Look at what the functions of the driver keep, and at what loops and arms broadcast."""
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or function.is_declaration:
                continue
            if function.sym_visibility is None or function.sym_visibility.data != "private":
                inner = {op.parent for op in function.walk() if isinstance(op, spark.BroadcastOp)}
                for block in function.body.blocks:
                    inner.discard(block)
                    _release_in(block)
                for block in inner:
                    if block is not None:
                        _release_in(block, is_inner=True)


def _release_in(block: Block, *, is_inner: bool = False) -> None:
    needs = _Needs(block)
    kinds = spark.BroadcastOp if is_inner else spark.PersistOp | spark.BroadcastOp
    for kept in [op for op in block.ops if isinstance(op, kinds)]:
        last = needs.last(kept.result, made_again=isinstance(kept, spark.PersistOp))
        if last >= len(needs.ops):
            continue
        if not is_inner and not any(map(_asks_spark, needs.ops[int(last) + 1 :])):
            continue
        release = located(spark.ReleaseOp(kept.result), kept)
        Rewriter.insert_op(release, InsertPoint.after(needs.ops[int(last)]))


class _Needs:
    """When what a block makes is needed last, by the places of its ops; never, if that is open."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.ops = list(block.ops)
        self._places = {op: place for place, op in enumerate(self.ops)}
        self._last: dict[tuple[SSAValue, bool], float] = {}
        self._first_job: dict[SSAValue, float] = {}
        self._numbered: dict[SSAValue, bool] = {}

    def last(self, value: SSAValue, *, made_again: bool) -> float:
        """Return the place of the last op that may need a value, infinite where that is open.

        What is `made_again` if that has to be is needed by what is kept only to make it once.
        """
        if (value, made_again) not in self._last:
            found = [self._last_of(op, made_again) for op in self._users(value)]
            self._last[value, made_again] = max(found, default=inf)
        return self._last[value, made_again]

    def _last_of(self, user: Operation, made_again: bool) -> float:
        if user.has_trait(IsTerminator):
            return inf
        place = self._places[user]
        is_kept = isinstance(user, spark.PersistOp)
        if made_again and is_kept and not self._is_numbered(user.input):
            return max(place, self.first_job(user.result))
        late = [result for result in user.results if _is_late(result) and result.first_use]
        return max([place, *[self.last(result, made_again=made_again) for result in late]])

    def _is_numbered(self, value: SSAValue) -> bool:
        """Return whether a value is made of rows that are numbered."""
        if value not in self._numbered:
            op = value.owner
            self._numbered[value] = isinstance(op, Operation) and (
                isinstance(op, spark.NumberOp) or any(map(self._is_numbered, op.operands))
            )
        return self._numbered[value]

    def first_job(self, value: SSAValue) -> float:
        """Return the place of the first op that surely computes a value, infinite if none does."""
        if value not in self._first_job:
            found = [self._first_of(op) for op in self._users(value)]
            self._first_job[value] = min(found, default=inf)
        return self._first_job[value]

    def _first_of(self, user: Operation) -> float:
        if user.regions or user.has_trait(IsTerminator) or not _asks_spark(user):
            return inf  # A loop, or an arm, may not run.
        if isinstance(user, spark.CropOp | spark.SliceOp):
            return inf  # What is cut away is not computed.
        late = [result for result in user.results if _is_late(result)]
        if late:
            return min(map(self.first_job, late))
        return self._places[user] if isinstance(user, _WHOLE) else inf

    def _users(self, value: SSAValue) -> list[Operation]:
        """Return the ops of the block that use a value, or hold ops that do."""
        found: list[Operation] = []
        for use in value.uses:
            op: Operation | None = use.operation
            while op is not None and op.parent is not self.block:
                op = op.parent_op()
            if op is not None and not isinstance(op, spark.ReleaseOp):
                found.append(op)
        return found


_WHOLE = (spark.CollectOp, spark.FoldOp, spark.CollectStripsOp, spark.CollectGroupsOp)
"""The ops that compute all of what they read."""


def _is_late(value: SSAValue) -> bool:
    """Return whether a value may be computed only when somebody reads it."""
    type = value.type
    return isinstance(type, spark.RDDType | BagType) or is_tiled(type)


def _asks_spark(op: Operation) -> bool:
    """Return whether an op is one on RDDs, or holds one."""
    return any(inner.name.startswith("spark.") for inner in op.walk())
