"""The `simt` dialect: what the threads of a GPU do together, where xDSL's `gpu` has no op for it.

A warp is 32 threads that run the same instructions, side by side. Each adds the value of another
one to its own, five times, and has the sum of all; here is the first time:

```mlir
%x = "test.op"() : () -> f64
%other = simt.shuffle_xor %x, 16 : f64
%both = arith.addf %x, %other : f64
```
"""

from __future__ import annotations

from xdsl.ir import Dialect

from diablo.dialects.simt.simt_host import LookOp, SortOp
from diablo.dialects.simt.simt_loops import (
    allow_fast_atomics,
    allows_fast_atomics,
    is_said_apart,
    said_folds,
    say_apart,
    say_folds,
)
from diablo.dialects.simt.simt_memory import (
    SHARED,
    AtomicOp,
    atomic_operation,
    can_be_atomic,
    is_shared,
)
from diablo.dialects.simt.simt_products import MOST_PLACES, SlicedProductOp
from diablo.dialects.simt.simt_shuffles import WARP_SIZE, ShuffleXorOp

__all__ = [
    "MOST_PLACES",
    "SHARED",
    "WARP_SIZE",
    "AtomicOp",
    "LookOp",
    "ShuffleXorOp",
    "Simt",
    "SlicedProductOp",
    "SortOp",
    "allow_fast_atomics",
    "allows_fast_atomics",
    "atomic_operation",
    "can_be_atomic",
    "is_said_apart",
    "is_shared",
    "said_folds",
    "say_apart",
    "say_folds",
]

Simt = Dialect("simt", [ShuffleXorOp, AtomicOp, LookOp, SortOp, SlicedProductOp], [])
"""The dialect, as xDSL registers it."""
