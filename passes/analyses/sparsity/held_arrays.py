"""Analysis: at the stored elements of which arrays does another one store elements as well?

```mlir
%U = comprehension.build (%n, %n) : !region {
  %i, %j, %a = comprehension.each %A full : !region
  %k, %l, %b = comprehension.each %B full : !region
  comprehension.guard %same_row     // %k == %i
  comprehension.guard %same_column  // %l == %j
  %or = arith.ori %a, %b : i1
  comprehension.yield (%i, %j) %or
}
```

`held_arrays(%U)` are `%U`, `%A` and `%B`. The region of the places where an array is not zero holds
the array, and an array to which elements were only added holds what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.encodings import as_array, is_sparse
from diablo.dialects.predicates import predicate_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.dimensions import same_shape
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.index_equalities import IndexEqualities, equated_integers
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form
from diablo.passes.analyses.values.monoid_identities import implicit_constant


def held_arrays(region: SSAValue) -> set[SSAValue]:
    """The arrays, `region` among them, which store elements only where `region` does."""
    found: set[SSAValue] = set()
    left = [region]
    while left:
        array = left.pop()
        if array not in found:
            found.add(array)
            match array.owner:
                case comprehension.BuildOp() as build:
                    left += _held_by(build)
                case comprehension.MergeOp() as merge if _only_adds(merge):
                    left.append(merge.dest)
                case _:
                    pass
    return found


def elements_at_keys(body: Block) -> dict[SSAValue, comprehension.EachOp]:
    """The elements of arrays that a body without groups reads at its keys, and what binds them."""
    ops = list(body.ops)
    head = ops[-1]
    assert isinstance(head, comprehension.YieldOp)
    if any(isinstance(op, comprehension.GroupByOp) for op in ops):
        return {}
    equalities = IndexEqualities([op for op in ops if isinstance(op, comprehension.GuardOp)])
    return {
        each.elements[-1]: each
        for each in ops
        if isinstance(each, comprehension.EachOp)
        and as_array(each.collection.type) is not None
        and len(each.elements) == len(head.keys) + 1
        and all(map(equalities.equal, each.elements, head.keys))
    }


def _only_adds(merge: comprehension.MergeOp) -> bool:
    """Return whether a merge leaves every stored element one that is stored."""
    if merge.dest.type != merge.result.type:
        return False
    if merge.monoid is not None:
        return monoid_named(merge.monoid.data).annihilator is True
    head = merge.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    return head.values[0].type == i1 and constant_value(head.values[0]) == 1


def _held_by(build: comprehension.BuildOp) -> Iterator[SSAValue]:
    """The arrays whose stored elements each make `build` store one."""
    body = build.body.block
    *ops, head = body.ops
    assert isinstance(head, comprehension.YieldOp)
    elements, axes = elements_at_keys(body), [{key} for key in head.keys]
    tests: list[SSAValue] = [head.values[0]]
    for op in ops:
        match op:
            case comprehension.EachOp() if op.elements[-1] in elements:
                for axis, index in zip(axes, op.elements[:-1], strict=True):
                    axis.add(index)
            case comprehension.RangeOp() if _covers_axis(op, head.keys, build.dims):
                pass
            case comprehension.GuardOp():
                tests.append(op.condition)
            case _ if op.dialect_name() == "arith":
                pass
            case _:
                return
    if not all(same_shape(each.collection, build.result) for each in elements.values()):
        return
    tests = [test for test in tests if not _ties_one(test, axes)]
    for element, each in elements.items():
        others = (other for other in elements.values() if other is not each)
        if (
            is_sparse(each.collection.type)
            and all(o.full is not None or not is_sparse(o.collection.type) for o in others)
            and all(_follows(test, element) for test in tests)
        ):
            yield each.collection


def _covers_axis(
    range: comprehension.RangeOp, keys: Sequence[SSAValue], dims: Sequence[SSAValue]
) -> bool:
    """Return whether a range is a key, and is all of its dimension."""
    first, last = linear_form(range.lower), linear_form(range.upper)
    return range.step is None and any(
        key is range.index
        and is_at_least(LinearForm(), first)
        and is_at_least(last, linear_form(dim) - 1)
        for key, dim in zip(keys, dims, strict=True)
    )


def _ties_one(condition: SSAValue, axes: Sequence[set[SSAValue]]) -> bool:
    """Return whether a test only brings indices of one axis together."""
    sides = equated_integers(condition)
    return sides is not None and any(axis.issuperset(sides) for axis in axes)


def _follows(value: SSAValue, element: SSAValue) -> bool:
    """Return whether a value is not zero where `element` is not."""
    if value is element:
        return True
    constant, zero = constant_value(value), implicit_constant(value.type)
    if constant is not None and zero is not None:
        return constant != zero
    match value.owner:
        case arith.OrIOp(lhs=lhs, rhs=rhs):
            return _follows(lhs, element) or _follows(rhs, element)
        case arith.CmpiOp() | arith.CmpfOp() as test if predicate_of(test) in ("ne", "une"):
            sides = [test.lhs, test.rhs]
            zero = implicit_constant(element.type)
            return element in sides and any(constant_value(side) == zero for side in sides)
        case _:
            return False
