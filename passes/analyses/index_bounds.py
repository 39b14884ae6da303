"""Analysis: between which bounds do the indices of a comprehension lie?

```mlir
%i = comprehension.range %zero to %last
%j, %a = comprehension.each %A : tensor<?xf64>
```

`%i` lies between `%zero` and `%last`, `%j` between 0 and the dimension of `%A`, less one.
`is_at_least(a, b)` says whether that, and the arithmetic in between, proves `a >= b`. Numbers
are taken to be far from the limits of 64 bits, as sizes are.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.passes.analyses.affine_values import same_value
from diablo.passes.analyses.dimensions import dimensions
from diablo.passes.analyses.linear_forms import LinearForm, linear_form

_STEPS = 16


def is_at_least(a: LinearForm, b: LinearForm) -> bool:
    """Whether the index `a` provably is never less than `b`."""
    least = _simplified(a - b)
    for _ in range(_STEPS):
        if least.number is not None:
            return least.number >= 0
        bounded = ((v, f, _bound(v, lower=f > 0)) for v, f in least.terms.items())
        found = next(((v, f, b) for v, f, b in bounded if b is not None), None)
        if found is None:
            return False
        value, factor, bound = found
        least = _simplified(least.without(value) + bound.times(factor))
    return False


def _simplified(form: LinearForm) -> LinearForm:
    """`form` with terms that hold the same number joined."""
    terms: dict[SSAValue, int] = {}
    for value, factor in form.terms.items():
        other = next((known for known in terms if same_value(known, value)), value)
        terms[other] = terms.get(other, 0) + factor
    return LinearForm({v: f for v, f in terms.items() if f}, form.constant)


def _bound(value: SSAValue, *, lower: bool) -> LinearForm | None:
    """The least, or greatest, number that an index variable can be."""
    if not isinstance(value, OpResult):
        return None
    match value.op:
        case comprehension.RangeOp() as range:
            step = 1 if range.step is None else range.step.value.data
            return linear_form(range.lower if lower == (step > 0) else range.upper)
        case comprehension.EachOp() as each:
            array = each.collection
            if not isinstance(array.type, TensorType) or value is each.elements[-1]:
                return None
            if lower:
                return LinearForm()
            extent = dimensions(array)[value.index]
            return None if extent is None else linear_form(extent) + LinearForm(constant=-1)
        case _:
            return None
