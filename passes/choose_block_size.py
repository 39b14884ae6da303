"""Give arrays whose tiles never meet blocks of a size of their own.

Works at the spark level, behind all that moves operations there.

```mlir
%a = spark.parallelize %A                    %a = spark.parallelize %A {blocks = "A"}
%c = spark.map @kernel_0(%a) …        =>     %c = spark.map @kernel_0(%a) … {blocks = "A"}
%w = spark.parallelize %v                    %w = spark.parallelize %v {blocks = "v"}
```

Tiles of one size have equal indices in tiles of equal coordinates, so arrays whose tiles meet, or
are made of one another's, have one edge (`passes/analyses/plans/block_groups.py`). It is chosen as
the program runs, of their extents and of how many tasks run at a time, so that the one with most
elements is done soonest. A long vector asks for longer blocks than a matrix does: where the two
have nothing to do with each other, each gets its own. A caller may say which
(`block_size={"A": 500}`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from diablo.dialects.locations import remark
from diablo.passes.analyses.plans.block_groups import BLOCKS, array_names, block_groups


@dataclass(frozen=True)
class ChooseBlockSizePass(ModulePass):
    """Give arrays whose tiles never meet blocks of a size of their own."""

    name = "choose-block-size"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Name the sets of arrays that are cut alike, where there are several."""
        for function in op.ops:
            if isinstance(function, func.FuncOp) and not function.is_declaration:
                groups = block_groups(function)
                if len(groups) > 1:
                    _name_groups(groups)


def _name_groups(groups: Sequence[Sequence[Operation]]) -> None:
    taken: list[str] = []
    for number, group in enumerate(groups):
        names = list(dict.fromkeys(array_names(group)))
        name = next((n for n in names if n not in taken), f"{number}")
        taken.append(name)
        for op in group:
            op.attributes[BLOCKS] = StringAttr(name)
        arrays = ", ".join(names) or "these arrays"
        remark(
            group[0], f"{arrays}: one block size, apart from that of other arrays: none meets them"
        )
