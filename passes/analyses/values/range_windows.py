"""Analysis: which ranges make, but for what is cut off at their ends, equally many steps each time?

```mlir
%l = arith.maxsi %zero, %i_minus_one
%u = arith.minsi %last, %i_plus_one
%j = comprehension.range %l to %u
```

For each `%i` from outside this is a window of three steps from `%i - 1` on, of which those count
where `%j` and `%last - %j` are not negative.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import tensor
from xdsl.ir import SSAValue

from diablo.dialects import comprehension
from diablo.passes.analyses.values.inequalities import split
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form


@dataclass(frozen=True)
class RangeWindow:
    """The steps of a range, and the sums that are not negative where it runs."""

    first: LinearForm
    steps: LinearForm
    rest: Sequence[LinearForm]


def range_window(
    range: comprehension.RangeOp, varies: Callable[[SSAValue], bool]
) -> RangeWindow | None:
    """Return the fewest steps that are known to hold a range, if their number does not vary."""
    if range.step is not None:
        return None
    index = linear_form(range.index)
    lower = split(index - linear_form(range.lower), varies)
    upper = split(linear_form(range.upper) - index, varies)
    found: list[RangeWindow] = []
    for low in lower:
        for high in upper:
            steps = low + high + 1
            if not any(map(varies, steps.terms)):
                rest = [form for form in (*lower, *upper) if form is not low and form is not high]
                found.append(RangeWindow(index - low, steps, rest))
    return min(found, key=_width, default=None)


def _width(window: RangeWindow) -> tuple[int, int]:
    """Known numbers are less than others, and dimensions of arrays the most."""
    if window.steps.number is not None:
        return 0, window.steps.number
    is_whole = all(isinstance(value.owner, tensor.DimOp) for value in window.steps.terms)
    return 1 + is_whole, 0
