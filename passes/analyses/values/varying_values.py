"""Analysis: which values may be others in each iteration of a loop.

```mlir
scf.while (%k = %zero) {                     %k: what the loop gives, varies
  %a = arith.addi %k, %one                   %a: is computed of that, varies
  %b = arith.muli %n, %n                     %b: stands in the loop, and is the same each time
```
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from diablo.dialects.defining_blocks import is_made_inside
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.speculation import is_pure


def varies_in(value: SSAValue, loop: Operation, known: dict[SSAValue, bool] | None = None) -> bool:
    """Return whether a value may be another one in each iteration of `loop`.

    It is the same if it is made outside, or computed there of what is, without any effect. `known`
    keeps the values of which that has been found.
    """
    if not is_made_inside(value, loop):
        return False
    owner = value.owner
    if isinstance(owner, Block):
        return True
    known = {} if known is None else known
    if value not in known:
        known[value] = not is_pure(owner) or any(
            varies_in(used, loop, known) for used in used_values(owner)
        )
    return known[value]
