"""Leave arrays with the driver that workers need the whole of, or that are made of its own.

Works at the tensor_block level.

```mlir
%P = tensor_block.reduce … ins(%E[d0, d2] : tensor<?x?xf64, #tiles>,       // 1000 x 1000
                               %Q[d1, d2] : tensor<?x?xf64, #tiles>)       // 20 x 1000
  -> tensor<?x?xf64, #tiles>                                               // 1000 x 20
```

becomes

```mlir
%P = tensor_block.reduce … ins(%E[d0, d2] : tensor<?x?xf64, #tiles>,
                               %Q[d1, d2] : tensor<?x?xf64>) -> tensor<?x?xf64>
```

Arrays are the driver's that are small beside the largest one (`small_arrays.py`), and those that
only stand between its own ones (`driver_arrays.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from diablo.passes.driver_arrays import keep_with_driver
from diablo.passes.small_arrays import keep_small


@dataclass(frozen=True)
class PlaceArraysPass(ModulePass):
    """Leave arrays with the driver that are small beside others, or made of its own for it."""

    name = "place-arrays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Place the arrays of every public function."""
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or function.is_declaration:
                continue
            visibility = function.sym_visibility
            if visibility is None or visibility.data != "private":
                keep_small(function)
                keep_with_driver(function)
