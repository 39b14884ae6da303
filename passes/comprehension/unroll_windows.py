"""Write sums over small windows out.

Works at the comprehension level.

```mlir
%i = comprehension.range %one to %last
%s = comprehension.aggregate add : f64 {
  %d = comprehension.range %minus_one to %one        %s = %c0 * U[i] + %c1 * (U[i-1] + U[i+1])
  // c[abs(d)] * U[i + d]                      ==>   // each element of %U a generator of the
  …                                                  // comprehension around it; %c0 and %c1 are
  comprehension.yield %product                       // the elements of %c
}
```

The result is a stencil with constant offsets, which is array algebra where the nested
comprehension is a join of rows; an update `R[i] += …` under loops over a window is such a sum
as well. Each range must shift an index of the rows, and be constant with few points. Elements
of local arrays at constant indices are read once, or are known. Points that have a factor in
common are summed first; sums may be reordered.

A point counts only where the tests of the window hold and the arrays have the elements that
are read (`(i+d+n) % n` always does). If that differs from row to row, the arrays are probed:

```mlir
%v, %there = comprehension.probe %U[%i_minus_one]
%t = arith.andi %there, %test : i1                  // 0 <= i - 1 < n, a test of the window
%term = arith.select %t, %v, %zero : f64
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, monoids
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import array_type, is_sparse
from diablo.dialects.locations import located, remark
from diablo.dialects.number_constants import constant_op
from diablo.dialects.tensor_block import is_tiled
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.sparsity.constant_windows import Window, read_window, shifts
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.comprehension_structure import Root, is_of_a_row, roots_in
from diablo.passes.analyses.values.constant_elements import attribute_of, element, folded
from diablo.passes.analyses.values.dimensions import dimensions, read_dimensions_around
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form
from diablo.passes.analyses.values.speculation import can_trap, is_pure
from diablo.passes.comprehension.nested_windows import nest_window

_INDEX = IndexType()


class _NoTerm(Refused):
    """A point of the window contributes nothing: the point is refused, the window goes on.

    This shows while operands are computed, however deep.
    """


class _Unrolling:
    """Writes one window out in front of `window.nested`, in the comprehension around it."""

    def __init__(self, window: Window, root: Root):
        self.window = window
        self.root = root
        self.emitted: list[Operation] = []
        self.known: dict[SSAValue, SSAValue] = {}
        self.elements: dict[tuple[SSAValue, tuple[int, ...]], SSAValue] = {}
        self.tests: list[SSAValue] = []
        """What decides whether a point counts in a row."""
        self.places = {op: k for k, op in enumerate(window.nested.body.block.ops)}
        """Where in the window its ops stand."""
        self.copied: dict[Operation, int] = {}
        """Where what an op is a copy of stands in the window."""
        self.of_indices: set[Operation] = set()
        """What computes at which index an array is read."""
        self.first_test = 0
        """Where the first of what decides in a row stands in the window."""
        self.constants: dict[Operation, SSAValue] = {}

    def add(self, op: Operation, name: SSAValue | None = None) -> SSAValue:
        """Insert an op in front of the window."""
        Rewriter.insert_op(located(op, self.window.nested), InsertPoint.before(self.window.nested))
        self.emitted.append(op)
        if name is not None and op.results:
            op.results[0].name_hint = name.name_hint
        return op.results[0] if op.results else self.window.nested.result

    def undo(self) -> None:
        """Take back what was inserted."""
        for op in reversed(self.emitted):
            Rewriter.erase_op(op)

    # ---- one point -----------------------------------------------------------------

    def enter(self, point: Sequence[int]) -> None:
        """Go on with one point. Raises `_NoTerm` if it does not count."""
        self.known, self.tests, self.first_test = {}, [], len(self.places)
        for range, index in zip(self.window.ranges, point, strict=True):
            self.known[range.index] = self.add(arith.ConstantOp(IntegerAttr(index, _INDEX)))
        for condition in self.window.tests:
            holds = constant_value(test := self.get(condition))
            if holds is None:
                guards = (self.places.get(use.operation) for use in condition.uses)
                self._decide(test, min(place for place in guards if place is not None))
            elif not holds:
                raise _NoTerm("a condition of the window does not hold there")
        for each in self.window.reads:
            self._read(each)

    def _decide(self, test: SSAValue, place: int) -> None:
        """Let a point count only where a test holds, which stands at a place of the window."""
        self.tests.append(test)
        self.first_test = min(self.first_test, place)

    def get(self, value: SSAValue) -> SSAValue:
        """Return what a value of the window is at this point."""
        owner = value.owner
        if value in self.known or not is_made_in(value, self.window.nested.body.block):
            return self.known.get(value, value)
        assert isinstance(owner, Operation)
        if isinstance(owner, comprehension.EachOp):
            self._read(owner)
            return self.known[value]
        if owner.parent is not self.window.nested.body.block:
            raise Refused("a value of the window is computed in a branch")
        operands = [self.get(operand) for operand in owner.operands]
        number = folded(owner, operands)
        attribute = None if number is None else attribute_of(number, value.type)
        if attribute is not None:
            self.known[value] = self.add(constant_op(attribute))
        else:
            inner = {v: self.get(v) for op in owner.walk() for v in op.operands if self._is_let(v)}
            self.add(copy := owner.clone(inner))
            self.copied[copy] = self.places[owner]
            for old, new in zip(owner.results, copy.results, strict=True):
                self.known[old] = new
                new.name_hint = old.name_hint
        return self.known[value]

    def _is_let(self, value: SSAValue) -> bool:
        owner = value.owner
        return isinstance(owner, Operation) and owner.parent is self.window.nested.body.block

    def _read(self, each: comprehension.EachOp) -> None:
        """Bind the element and the indices of a read."""
        if each.elements[-1] in self.known:
            return
        first = len(self.emitted)
        subscripts = [self.get(value) for value in self.window.reads[each]]
        self.of_indices.update(self.emitted[first:])
        array, forms = each.collection, [linear_form(value) for value in subscripts]
        sizes, covered = dimensions(array), True
        for form, size in zip(forms, sizes, strict=True):
            extent = None if size is None else linear_form(size)
            if form.number is not None and extent is not None and extent.number is not None:
                if not 0 <= form.number < extent.number:
                    raise _NoTerm("the array has no element there")
            elif extent is None or not _is_inside(form, extent):
                covered = False
        at = tuple(form.number for form in forms if form.number is not None)
        if not covered:
            value = self._probe(each, subscripts)
        elif len(at) == len(forms) and not is_tiled(array.type):
            value = self._constant_element(array, at)
        else:
            value = self._generator(each, subscripts)
        for index, subscript in zip(each.elements[:-1], subscripts, strict=True):
            self.known[index] = subscript
        self.known[each.elements[-1]] = value

    def _generator(self, each: comprehension.EachOp, subscripts: Sequence[SSAValue]) -> SSAValue:
        new = comprehension.EachOp(each.collection, full=each.full is not None)
        self.add(new)
        for old, index, value in zip(each.elements, new.elements, subscripts, strict=False):
            index.name_hint = old.name_hint
            test = self.add(arith.CmpiOp(index, value, "eq"))
            self.add(comprehension.GuardOp(test))
        new.elements[-1].name_hint = each.elements[-1].name_hint
        return new.elements[-1]

    def _probe(self, each: comprehension.EachOp, subscripts: Sequence[SSAValue]) -> SSAValue:
        """The element of an array that may have none, where the point does not count."""
        array = each.collection
        if is_sparse(array.type) or is_made_in(array, self.root.body.block):
            name = array.name_hint or "an array"
            raise Refused(f"it is not known that {name} has all elements that are read")
        probe = comprehension.ProbeOp(array, subscripts)
        self.add(probe)
        probe.values[0].name_hint = each.elements[-1].name_hint
        self._decide(probe.found, self.places[each])
        return probe.values[0]

    def _constant_element(self, array: SSAValue, at: tuple[int, ...]) -> SSAValue:
        """The element at a constant index: known, or read once in front of the comprehension."""
        found = self.elements.get((array, at))
        if found is None:
            known = element(array, at)
            found = known if isinstance(known, SSAValue) else self._outside(array, at, known)
            self.elements[array, at] = found
        return found

    def _outside(self, array: SSAValue, at: Sequence[int], known: bool | float | None) -> SSAValue:
        type = array_type(array).get_element_type()
        attribute = None if known is None else attribute_of(known, type)
        if attribute is not None:
            ops: list[Operation] = [constant_op(attribute)]
        else:
            ops = [arith.ConstantOp(IntegerAttr(index, _INDEX)) for index in at]
            ops.append(tensor.ExtractOp(array, [op.results[0] for op in ops], type))
        for op in ops:
            Rewriter.insert_op(located(op, self.window.nested), InsertPoint.before(self.root))
            self.emitted.append(op)
        return ops[-1].results[0]

    # ---- all points ----------------------------------------------------------------

    def run(self) -> SSAValue:
        """The value of the window. Raises `Refused` if it cannot be written out."""
        groups: dict[object, tuple[SSAValue | None, list[SSAValue]]] = {}
        for point in self.window.points():
            first = len(self.emitted)
            try:
                self.enter(point)
                factor, value = self._factored(self.window.value)
                if self.tests:
                    value = self._tested(value, self.emitted[first:])
            except _NoTerm:
                continue
            groups.setdefault(_key(factor), (factor, []))[1].append(value)
        if not groups:
            raise Refused("none of its points counts")
        monoid = self.window.nested.monoid.data
        sums: list[SSAValue] = []
        for factor, values in groups.values():
            total = self._combined(monoid, values)
            sums.append(total if factor is None else self._times(factor, total))
        return self._combined(monoid, sums)

    def _tested(self, value: SSAValue, computed: Sequence[Operation]) -> SSAValue:
        """The value where the point counts, else what adds nothing."""
        for op in filter(can_trap, computed):
            # An index that stands before all tests is computed for all points, and read at.
            place = self.copied.get(op, self.first_test)
            is_before = op in self.of_indices and place < self.first_test
            if not is_before:
                raise Refused("a value may fail where its point does not count")
        holds = self.tests[0]
        for test in self.tests[1:]:
            holds = self.add(arith.AndIOp(holds, test))
        nothing = self.add(
            constant_op(monoids.identity(self.window.nested.monoid.data, value.type))
        )
        return self.add(arith.SelectOp(holds, value, nothing))

    def _combined(self, monoid: str, values: Sequence[SSAValue]) -> SSAValue:
        total = values[0]
        for value in values[1:]:
            total = self.add(monoids.combine(monoid, total, value))
        return total

    def _times(self, factor: SSAValue, value: SSAValue) -> SSAValue:
        return self.add(monoids.combine("mul", factor, value))

    def _factored(self, value: SSAValue) -> tuple[SSAValue | None, SSAValue]:
        """A term of a sum as a factor that is the same for all rows, and the rest."""
        owner = value.owner
        is_sum = monoid_named(self.window.nested.monoid.data).is_sum
        # What does not count would be NaN times an infinite factor.
        if is_sum and not self.tests and isinstance(owner, arith.MulfOp):
            left, right = self.get(owner.lhs), self.get(owner.rhs)
            for factor, rest in ((left, right), (right, left)):
                if self._is_invariant(factor) and not self._is_invariant(rest):
                    return factor, rest
        return None, self.get(value)

    def _is_invariant(self, value: SSAValue) -> bool:
        return constant_value(value) is not None or not is_made_in(value, self.root.body.block)


def _key(factor: SSAValue | None) -> object:
    """Return what two equal factors have in common."""
    number = None if factor is None else constant_value(factor)
    return factor if number is None else number


def _is_inside(form: LinearForm, extent: LinearForm) -> bool:
    last = extent - 1
    return is_at_least(form, LinearForm()) and is_at_least(last, form)


def _unroll(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Write one window out; false if it stays."""
    window = read_window(nested)
    if window is None or not shifts(window, root.body.block):
        return False
    read_dimensions_around(root)
    unrolling = _Unrolling(window, root)
    try:
        value = unrolling.run()
    except Refused as why:
        unrolling.undo()
        remark(nested, f"this window is not written out: {why}")
        return False
    remark(nested, f"a window of {len(window.points())} points is written out")
    value.name_hint = value.name_hint or nested.result.name_hint
    nested.result.replace_all_uses_with(value)
    Rewriter.erase_op(nested)
    for op in reversed(unrolling.emitted):
        if is_pure(op) and all(result.first_use is None for result in op.results):
            Rewriter.erase_op(op)
    return True


def _unroll_update(root: comprehension.MergeOp) -> None:
    """Write the window of an update out."""
    copy = root.clone()
    Rewriter.insert_op(copy, InsertPoint.before(root))
    nested = nest_window(copy)
    if nested is not None and _unroll(nested, copy):
        root.result.replace_all_uses_with(copy.result)
        Rewriter.erase_op(root)
    else:
        Rewriter.erase_op(copy)


@dataclass(frozen=True)
class UnrollWindowsPass(ModulePass):
    """Write sums over small windows out."""

    name = "unroll-windows"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Unroll the windows that stand directly in the outermost comprehensions."""
        for root in roots_in(op):
            block = root.body.block if root.parent is not None else None
            if block is None or is_of_a_row(root.result):
                continue
            if any(isinstance(inner, comprehension.GroupByOp) for inner in block.ops):
                continue
            for nested in list(block.ops):
                if isinstance(nested, comprehension.AggregateOp):
                    _unroll(nested, root)
            if isinstance(root, comprehension.MergeOp):
                _unroll_update(root)
