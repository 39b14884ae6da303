"""Compute what is folded up to each index, or from it on, by one scan.

Works at the comprehension level; the scans are ops of the `tensor_block` level.

```mlir
%R = comprehension.build (%n) {            %T = comprehension.build (%n) {
  %i = comprehension.range %zero to %m       %j, %x = comprehension.each %X full
  %s = comprehension.aggregate add {         comprehension.yield (%j) %x }
    %j = comprehension.range %zero to %i   %S = tensor_block.scan add %T along 0
    %x = %X[%j]                     ==>    %R = comprehension.build (%n) {
    comprehension.yield %x }                 %i = comprehension.range %zero to %m
  comprehension.yield (%i) %s }              %s = %S[%i]
                                             comprehension.yield (%i) %s }
```

To fold each beginning anew takes the square of the time. An aggregate is such a fold if one of its
indices goes up to a sum of indices of the rows around it, or begins there, and nothing else in it
depends on these: of `+/[ A[i,j]*x[j] | j <- 0..i ]` all terms differ. Other indices of the rows are
further dimensions of the scan, as r is in `+/[ A[r,j] | j <- 0..i ]`. What is folded is computed
once for every index that a row may reach; where nothing has been folded yet, as by `j <- 0..i-1`
where i is 0, the value is the identity.

A factor of all terms is taken out of a sum of integers first (`distributed_factors.py`), as x[i] is
of `+/[ x[i]*x[j] | j <- 0..i ]`; floats would be rounded otherwise.

The update of an element in a loop, `P[i] += x[j]` for all j up to i, is such an aggregate as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    TensorType,
    TupleType,
)
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.defining_blocks import is_made_in
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import domain_of
from diablo.monoid_table import monoid_named
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.comprehension_structure import (
    Generator,
    Root,
    is_of_a_row,
    roots_in,
)
from diablo.passes.analyses.values.dimensions import dimensions, read_dimensions_around
from diablo.passes.analyses.values.free_values import used_values
from diablo.passes.analyses.values.index_bounds import is_at_least
from diablo.passes.analyses.values.index_equalities import equated_integers
from diablo.passes.analyses.values.inequalities import inequalities
from diablo.passes.analyses.values.linear_forms import LinearForm, linear_form, write_linear_form
from diablo.passes.analyses.values.monoid_identities import identity_ops
from diablo.passes.analyses.values.speculation import can_trap, is_pure
from diablo.passes.comprehension.distributed_factors import take_out_factors
from diablo.passes.comprehension.eliminate_ranges import eliminate_ranges
from diablo.passes.comprehension.nested_windows import nest_update

_INDEX = IndexType()
_MOST_MORE = 4
"""How many terms more than needed are computed, so that the array has a size that is known."""


@dataclass(frozen=True)
class _Span:
    """Between which sums an index lies, both included."""

    low: LinearForm
    high: LinearForm


def _span_of(index: SSAValue) -> _Span | None:
    """The bounds of what a generator binds, if it is an index that takes all values between."""
    match index.owner:
        case comprehension.RangeOp(step=None) as range:
            return _Span(linear_form(range.lower), linear_form(range.upper))
        case comprehension.EachOp() as each:
            if as_array(each.collection.type) is None or index is each.elements[-1]:
                return None
            axis = next(k for k, element in enumerate(each.elements) if element is index)
            extent = dimensions(each.collection)[axis]
            return None if extent is None else _Span(LinearForm(), linear_form(extent) - 1)
        case _:
            return None


@dataclass
class _Fold:
    """An aggregate over an index up to `bound`, or from it on."""

    nested: comprehension.AggregateOp
    index: SSAValue
    span: _Span
    """Where the index lies for some row; one of the two ends varies."""
    bound: LinearForm
    is_prefix: bool
    test: comprehension.GuardOp | None
    """The guard that says so; otherwise the range of the index does."""

    @property
    def is_of_range(self) -> bool:
        """Whether the index is that of a range."""
        return isinstance(self.index.owner, comprehension.RangeOp)


class _Rows:
    """The rows around an aggregate, of which the outermost comprehension is `root`."""

    def __init__(self, root: Root):
        self.root = root
        self.block = root.body.block

    def varies(self, value: SSAValue) -> bool:
        """Return whether `value` is one of the rows."""
        return is_made_in(value, self.block)

    def varying(self, form: LinearForm) -> list[SSAValue]:
        """The values of the rows that a sum has."""
        return [value for value in form.terms if self.varies(value)]

    def limit(self, form: LinearForm, *, greatest: bool) -> LinearForm:
        """The greatest or least value of a sum of indices over all rows.

        Raises
        ------
        Refused
            If that is not known in front of them.
        """
        ends: dict[SSAValue, LinearForm] = {}
        for value in self.varying(form):
            span = self.span(value)
            ends[value] = span.high if greatest == (form.factor(value) > 0) else span.low
        return form.replaced(ends)

    def span(self, index: SSAValue) -> _Span:
        """Return between which sums an index of the rows lies, which do not vary.

        Raises
        ------
        Refused
            If it is no index, or not known.
        """
        owner = index.owner
        span = _span_of(index) if isinstance(owner, Operation) else None
        if span is None or not isinstance(owner, Operation) or owner.parent is not self.block:
            raise Refused("what it depends on is no index of its rows")
        if isinstance(owner, comprehension.EachOp) and _is_sparse_generator(owner):
            raise Refused("its rows are those of a sparse array")
        if self.varying(span.low) or self.varying(span.high):
            raise Refused("its rows go through ranges that differ from one another")
        return span


def _is_sparse_generator(each: comprehension.EachOp) -> bool:
    return each.full is None and tensor_block.is_sparse(each.collection.type)


def _depends_on(value: SSAValue, index: SSAValue) -> bool:
    """Return whether `value` is computed from what the generator of `index` binds."""
    owner, generator = value.owner, index.owner
    if owner is generator:
        return True
    if not isinstance(owner, Operation) or owner.parent is not generator.parent:
        return False
    return any(_depends_on(used, index) for used in used_values(owner))


# ---- what is such a fold ------------------------------------------------------------------


def _find(nested: comprehension.AggregateOp, rows: _Rows) -> _Fold | None:
    """The index of an aggregate that goes up to an index of the rows, or begins there."""
    found: list[_Fold] = []
    for op in nested.body.block.ops:
        indices = list(op.results) if isinstance(op, Generator) else []
        for index in indices:
            span = _span_of(index)
            if span is not None:
                found += _folds_over(nested, rows, index, span)
    return found[0] if len(found) == 1 else None


def _folds_over(
    nested: comprehension.AggregateOp, rows: _Rows, index: SSAValue, span: _Span
) -> list[_Fold]:
    """The ways in which an index of an aggregate depends on the rows around it."""
    found: list[_Fold] = []

    def varies(form: LinearForm) -> bool:
        return any(
            rows.varies(value) and not is_made_in(value, nested.body.block) for value in form.terms
        )

    def is_known(form: LinearForm) -> bool:
        return not any(is_made_in(value, nested.body.block) for value in form.terms)

    ends: list[tuple[LinearForm, bool, comprehension.GuardOp | None]]
    ends = [(span.high, True, None), (span.low, False, None)]
    for guard in nested.body.block.ops:
        if not isinstance(guard, comprehension.GuardOp):
            continue
        forms = inequalities(guard.condition)
        if len(forms) == 1 and abs(forms[0].factor(index)) == 1:
            factor, rest = forms[0].factor(index), forms[0].without(index)
            ends.append((rest, True, guard) if factor < 0 else (-rest, False, guard))
    for bound, is_prefix, test in ends:
        if is_known(bound) and varies(bound):
            found.append(_Fold(nested, index, span, bound, is_prefix, test))
    return found


def _needed(fold: _Fold) -> list[Operation]:
    """The ops of the aggregate without the test of the bound, and what only that uses."""
    block = fold.nested.body.block
    unused: set[Operation] = set() if fold.test is None else {fold.test}
    if fold.is_of_range:
        assert isinstance(fold.index.owner, Operation)
        unused.add(fold.index.owner)
    for op in reversed(list(block.ops)):
        users = {use.operation for result in op.results for use in result.uses}
        if op.results and is_pure(op) and users and users <= unused:
            unused.add(op)
    return [op for op in block.ops if op not in unused]


# ---- the scan ------------------------------------------------------------------------------


@dataclass
class _Dimension:
    """A dimension of the scan: its index in the rows or in the aggregate, and the first one."""

    index: SSAValue
    first: LinearForm
    extent: LinearForm
    ends_early: bool = False
    """Whether rows may fold up to an index that has no terms any more, on the side of the bound."""


@dataclass
class _Scanning:
    """Takes one fold out of the rows."""

    fold: _Fold
    rows: _Rows
    needed: list[Operation]
    around: list[Operation] = field(default_factory=list[Operation])
    """What the rows compute, that the aggregate uses."""

    def run(self) -> None:
        """Scan in front of the rows, and read the scan in the place of the aggregate.

        Raises
        ------
        Refused
            If that cannot be; nothing has been changed then.
        """
        fold, rows = self.fold, self.rows
        self._check_type()
        others = self._other_indices()
        own = self._own_dimension()
        spans = [(index, rows.span(index)) for index in others]
        before = [_Dimension(index, s.low, s.high - s.low + 1) for index, s in spans]
        if any(map(can_trap, self.needed)):
            self._check_all_are_reached(before)
        chosen = self._in_order(before, own)
        remark(fold.nested, self._remark())
        whole, own = own, self._within_terms(own)
        chosen = [own if dimension is whole else dimension for dimension in chosen]
        array = self._array(chosen)
        scan = located(
            tensor_block.ScanOp(
                fold.nested.monoid.data, array, chosen.index(own), reverse=not fold.is_prefix
            ),
            fold.nested,
        )
        self._before(scan)
        places = {d.index: linear_form(d.index) - d.first for d in before}
        places[own.index] = fold.bound - own.first
        self._read(scan.result, chosen, [places[d.index] for d in chosen])
        eliminate_ranges(rows.block, silent=True)

    def _remark(self) -> str:
        to = "up to an index" if self.fold.is_prefix else "from an index on"
        return f"what is folded {to} is one scan, which each row reads"

    # ---- may it be ----

    def _check_type(self) -> None:
        type = self.fold.nested.result.type
        parts = list(type.types) if isinstance(type, TupleType) else [type]
        if any(domain_of(part) is None for part in parts):
            raise Refused("what is folded are no numbers")
        if any(isinstance(op, comprehension.GroupByOp) for op in self.needed):
            raise Refused("its rows are grouped")

    def _other_indices(self) -> list[SSAValue]:
        """The indices of the rows that the terms depend on; what is computed of them is noted."""
        fold, rows = self.fold, self.rows
        bounds = set(rows.varying(fold.bound))
        found: list[SSAValue] = []
        seen = set[SSAValue]()

        def visit(value: SSAValue) -> None:
            if value in seen or not rows.varies(value) or fold.nested.is_ancestor(value.owner):
                return
            seen.add(value)
            owner = value.owner
            if value in bounds:
                raise Refused("its terms depend on the index that they are folded up to")
            if isinstance(owner, Generator):
                rows.span(value)
                found.append(value)
                return
            if not isinstance(owner, Operation) or not is_pure(owner) or can_trap(owner):
                raise Refused("its terms depend on what its rows compute")
            if isinstance(owner, Root) or owner.parent is not rows.block:
                raise Refused("its terms depend on what its rows compute")
            for used in used_values(owner):
                visit(used)
            self.around.append(owner)

        for op in self.needed:
            for value in used_values(op):
                visit(value)
        for value in bounds:
            rows.span(value)
        if found:
            self._check_rows_are_all()
        return found

    def _check_rows_are_all(self) -> None:
        """Raise `Refused` if there may be rows for few of the other indices."""
        rows = self.rows
        for op in rows.block.ops:
            if not isinstance(op, comprehension.GuardOp):
                continue
            # An array is read at an index; where one is given, there is a row for it alone.
            sides = equated_integers(op.condition)
            if sides is None or not all(rows.varying(linear_form(side)) for side in sides):
                raise Refused("a condition leaves fewer rows than the scan would have lines")

    def _own_dimension(self) -> _Dimension:
        """The dimension that is scanned: all that a row may fold."""
        fold, rows = self.fold, self.rows
        if fold.is_prefix:
            first = fold.span.low
            last = rows.limit(fold.bound, greatest=True)
        else:
            first = rows.limit(fold.bound, greatest=False)
            last = fold.span.high
        for end in (first, last, *self._limits_of_range()):
            if any(rows.varies(value) for value in end.terms):
                raise Refused("where it begins or ends differs from row to row")
        if any(map(can_trap, self.needed)):
            return _Dimension(fold.index, first, last - first + 1)
        # A few terms more than rows fold, behind what these fold, if that makes it a known size.
        if not fold.is_prefix and first.number is not None and 0 < first.number <= _MOST_MORE:
            first = LinearForm()
        extent = last - first + 1
        for size in self._known_sizes() if fold.is_prefix else ():
            more = (linear_form(size) - extent).number
            if more is not None and 0 < more <= _MOST_MORE:
                extent += more
                break
        return _Dimension(fold.index, first, extent)

    def _within_terms(self, own: _Dimension) -> _Dimension:
        """The dimension that is scanned without indices that have no terms, however far it goes."""
        last = own.first + own.extent - 1
        prefix = self.fold.is_prefix
        limits = self._limits_of_range()
        # Where no array has elements the terms are identities: none of those is left out for
        # an array that is no larger than what there is anyway.
        if not any(is_at_least(linear_form(size), own.extent) for size in self._known_sizes()):
            limits += self._limits_of_arrays()
        for limit in limits:
            if is_at_least(limit, last) if prefix else is_at_least(own.first, limit):
                continue
            end = write_linear_form(last if prefix else own.first, self._before)
            other = write_linear_form(limit, self._before)
            kind = arith.MinSIOp if prefix else arith.MaxSIOp
            nearer = linear_form(self._before(kind(end, other)))
            if prefix:
                last = nearer
            else:
                own = _Dimension(own.index, nearer, own.extent, ends_early=True)
            own = _Dimension(own.index, own.first, last - own.first + 1, ends_early=True)
        return own

    def _limits_of_range(self) -> list[LinearForm]:
        """The end of the range on the side of the bound, if that is another.

        The scan has no range of its own: it would go on behind the end.
        """
        return self._end_of_span() if self.fold.is_of_range else []

    def _end_of_span(self) -> list[LinearForm]:
        """The end of what the index takes, on the side of the bound, if a test is the bound."""
        fold = self.fold
        if fold.test is None:
            return []
        return [fold.span.high if fold.is_prefix else fold.span.low]

    def _limits_of_arrays(self) -> list[LinearForm]:
        """Indices behind which an array that is read has no elements, on the side of the bound."""
        fold = self.fold
        found = [] if fold.is_of_range else self._end_of_span()
        for index, (other, _) in self.ties().items():
            each = index.owner
            assert isinstance(each, comprehension.EachOp)
            shift = linear_form(other) - linear_form(fold.index)
            if shift.number is None:
                continue
            axis = next(k for k, element in enumerate(each.elements) if element is index)
            extent = dimensions(each.collection)[axis]
            if not fold.is_prefix:
                found.append(LinearForm() - shift)
            elif extent is not None:
                found.append(linear_form(extent) - 1 - shift)
        return [form for form in found if not any(map(self.rows.varies, form.terms))]

    def _known_sizes(self) -> list[SSAValue]:
        """The sizes of the result and of what the aggregate reads, as far as they are known."""
        arrays: list[SSAValue] = (
            [self.rows.root.result] if as_array(self.rows.root.result.type) is not None else []
        )
        for op in self.needed:
            if isinstance(op, comprehension.EachOp) and as_array(op.collection.type) is not None:
                arrays.append(op.collection)
        sizes = [size for array in arrays for size in dimensions(array) if size is not None]
        return [size for size in sizes if not self.rows.varies(size)]

    def _check_all_are_reached(self, others: Sequence[_Dimension]) -> None:
        """Raise `Refused` if a term is computed that no row folds, as that may fail."""
        for op in self.rows.block.ops:
            if op is self.fold.nested:
                break
            if isinstance(op, comprehension.GuardOp | comprehension.EachOp):
                raise Refused("a term may fail that no row folds")
        generators = [op for op in self.rows.block.ops if isinstance(op, Generator)]
        alone = len(self.rows.varying(self.fold.bound)) == 1
        if others or not alone or len(generators) > 1 or self.fold.test is not None:
            raise Refused("a term may fail that no row folds")
        if self.fold.nested.parent is not self.rows.block:
            raise Refused("a term may fail that no row folds")

    # ---- what is scanned ----

    def _in_order(self, others: list[_Dimension], own: _Dimension) -> list[_Dimension]:
        """The dimensions as an array that is read has them, or that which is scanned last."""
        ties = self.ties()
        for op in self.needed:
            if not isinstance(op, comprehension.EachOp):
                continue
            named = [ties[i][0] if i in ties else i for i in op.elements[:-1]]
            wanted = [*others, own]
            if all(d.index in named for d in wanted):
                return sorted(wanted, key=lambda d: named.index(d.index))
        return [*others, own]

    def ties(self) -> dict[SSAValue, tuple[SSAValue, comprehension.GuardOp]]:
        """Return what each index of an array in the aggregate equals, and the test that says so."""
        found: dict[SSAValue, tuple[SSAValue, comprehension.GuardOp]] = {}
        for op in self.needed:
            if not isinstance(op, comprehension.GuardOp):
                continue
            sides = equated_integers(op.condition)
            for one, other in (sides, sides[::-1]) if sides is not None else ():
                if self._is_read_at(one) and one not in found and not _depends_on(other, one):
                    found[one] = other, op
                    break
        return found

    def _is_read_at(self, index: SSAValue) -> bool:
        """Return whether `index` is one of an array that the aggregate reads."""
        each = index.owner
        return (
            index is not self.fold.index
            and isinstance(each, comprehension.EachOp)
            and each.parent is self.fold.nested.body.block
            and as_array(each.collection.type) is not None
            and index is not each.elements[-1]
        )

    def _array(self, dims: Sequence[_Dimension]) -> SSAValue:
        """The array of the terms, in front of the rows."""
        nested = self.fold.nested
        extents = [self._extent(d.extent) for d in dims]
        types = [
            v.type for op in (self.rows.root, *self.needed) for v in (*op.operands, *op.results)
        ]
        arrays = [array for type in types if (array := as_array(type)) is not None]
        tiled = any(map(tensor_block.is_tiled, arrays))
        encoding = tensor_block.TilesAttr(len(dims)) if tiled else NoneAttr()
        type = TensorType(nested.result.type, [DYNAMIC_INDEX] * len(dims), encoding)
        body = _Terms(self, dims, extents).block()
        eliminate_ranges(body, silent=True)
        build = located(comprehension.BuildOp(extents, Region(body), type), nested)
        return self._before(build)

    def _extent(self, form: LinearForm) -> SSAValue:
        """The extent of a dimension in front of the rows: none if its range is empty."""
        for size in self._known_sizes():
            if linear_form(size) == form:
                return size
        size = write_linear_form(form, self._before)
        if is_at_least(form, LinearForm()):
            return size
        zero = self._before(arith.ConstantOp(IntegerAttr(0, _INDEX)))
        return self._before(arith.MaxSIOp(size, zero))

    def _before(self, op: Operation) -> SSAValue:
        """Insert `op` in front of the rows."""
        Rewriter.insert_op(located(op, self.fold.nested), InsertPoint.before(self.rows.root))
        return op.results[0]

    def _here(self, op: Operation) -> SSAValue:
        """Insert `op` in front of the aggregate."""
        Rewriter.insert_op(located(op, self.fold.nested), InsertPoint.before(self.fold.nested))
        return op.results[0]

    # ---- where it is read ----

    def _read(
        self, scan: SSAValue, dims: Sequence[_Dimension], places: Sequence[LinearForm]
    ) -> None:
        """Replace the aggregate by the element of the scan, or by the identity."""
        nested = self.fold.nested
        inside = all(
            is_at_least(place, LinearForm()) and is_at_least(d.extent - 1, place)
            for d, place in zip(dims, places, strict=True)
        )
        indices = [
            self._nearest(d, write_linear_form(place, self._here))
            for d, place in zip(dims, places, strict=True)
        ]
        if inside and nested.parent is self.rows.block:
            each = comprehension.EachOp(scan)
            self._here(each)
            for own, index in zip(each.elements[:-1], indices, strict=True):
                test = self._here(arith.CmpiOp(own, index, "eq"))
                guard = located(comprehension.GuardOp(test), nested)
                Rewriter.insert_op(guard, InsertPoint.before(nested))
            value = each.elements[-1]
        else:
            probe = comprehension.ProbeOp(scan, indices)
            self._here(probe)
            neutral = [
                self._here(op)
                for op in identity_ops(nested.monoid.data, nested.result.type, nested)
            ]
            value = self._here(arith.SelectOp(probe.found, probe.values[0], neutral[-1]))
        value.name_hint = nested.result.name_hint
        nested.result.replace_all_uses_with(value)
        Rewriter.erase_op(nested)

    def _nearest(self, dimension: _Dimension, place: SSAValue) -> SSAValue:
        """The place up to which the terms are those up to `place`."""
        if not dimension.ends_early:
            return place
        if not self.fold.is_prefix:
            zero = self._here(arith.ConstantOp(IntegerAttr(0, _INDEX)))
            return self._here(arith.MaxSIOp(place, zero))
        last = write_linear_form(dimension.extent - 1, self._here)
        return self._here(arith.MinSIOp(place, last))


class _Terms:
    """Writes the comprehension of the array of all terms."""

    def __init__(
        self, scanning: _Scanning, dims: Sequence[_Dimension], extents: Sequence[SSAValue]
    ):
        self.scanning = scanning
        self.nested = scanning.fold.nested
        self.own = scanning.fold.index
        self.dims = dims
        self.extents = extents
        self.ties = scanning.ties()
        self.body = Block()
        self.copies: dict[SSAValue, SSAValue] = {}
        self.place: SSAValue | None = None
        """What an index of an array that is scanned equals."""

    def _add(self, op: Operation, block: Block | None = None) -> SSAValue:
        """Append `op`; return what it computes."""
        (self.body if block is None else block).add_op(located(op, self.nested))
        return op.results[0] if op.results else self.nested.result

    def block(self) -> Block:
        """The body: a row for each index, with its term or the fold of its terms."""
        keys = [self._key(d, extent) for d, extent in zip(self.dims, self.extents, strict=True)]
        for op in self.scanning.around:
            self.body.add_op(op.clone(self.copies))
        *ops, head = self.scanning.needed
        assert isinstance(head, comprehension.YieldOp)
        term = head.values[0]
        if not self._has_one_row_each(ops):
            value = self._folded(ops, term)
        elif monoid_named(self.nested.monoid.data).neutral_zero:
            self._copy(ops, self.body)
            value = self.copies.get(term, term)
        elif self._can_be_probed(ops):
            value = self._probed(ops, term)
        else:
            value = self._folded(ops, term)
        self.body.add_op(located(comprehension.YieldOp(keys, [value]), head))
        return self.body

    def _key(self, dimension: _Dimension, extent: SSAValue) -> SSAValue:
        """Append the generator of a dimension; return its index."""
        zero = self._add(arith.ConstantOp(IntegerAttr(0, _INDEX)))
        one = self._add(arith.ConstantOp(IntegerAttr(1, _INDEX)))
        last = self._add(arith.SubiOp(extent, one))
        key = self._add(comprehension.RangeOp(zero, last))
        key.name_hint = dimension.index.name_hint
        value = write_linear_form(linear_form(key) + dimension.first, self._add)
        if dimension.index is self.own and not self.scanning.fold.is_of_range:
            self.place = value
        else:
            self.copies[dimension.index] = value
        return key

    # ---- the ways to have a term of each index ----

    def _has_one_row_each(self, ops: Sequence[Operation]) -> bool:
        """Return whether an index has one term at most."""
        for op in ops:
            match op:
                case comprehension.RangeOp():
                    return False
                case comprehension.EachOp():
                    if as_array(op.collection.type) is None:
                        return False
                    if any(i is not self.own and i not in self.ties for i in op.elements[:-1]):
                        return False
                case _:
                    pass
        return True

    def _copy(self, ops: Sequence[Operation], block: Block) -> None:
        """Append the generators, the tests and what is computed."""
        for op in ops:
            block.add_op(op.clone(self.copies))
            if op is self.own.owner and self.place is not None:
                test = self._add(arith.CmpiOp(self.copies[self.own], self.place, "eq"), block)
                self._add(comprehension.GuardOp(test), block)

    def _folded(self, ops: Sequence[Operation], term: SSAValue) -> SSAValue:
        """The fold of the terms of an index."""
        inner = Block()
        self._copy(ops, inner)
        value = self.copies.get(term, term)
        inner.add_op(located(comprehension.YieldOp([], [value]), self.nested))
        monoid, type = self.nested.monoid.data, self.nested.result.type
        return self._add(comprehension.AggregateOp(monoid, Region(inner), type))

    def _can_be_probed(self, ops: Sequence[Operation]) -> bool:
        """Return whether nothing but dense arrays is read, and nothing fails."""
        for op in ops:
            if isinstance(op, comprehension.EachOp):
                array = op.collection
                if tensor_block.is_sparse(array.type) or self._is_inside(array):
                    return False
            elif can_trap(op) or any(isinstance(inner, Root) for inner in op.walk()):
                return False
        return True

    def _is_inside(self, value: SSAValue) -> bool:
        return is_made_in(value, self.scanning.rows.block)

    @staticmethod
    def _is_covered(array: SSAValue, indices: Sequence[SSAValue]) -> bool:
        """Return whether an array has elements at all indices that are read."""
        for index, size in zip(indices, dimensions(array), strict=True):
            form = linear_form(index)
            if size is None or not is_at_least(form, LinearForm()):
                return False
            if not is_at_least(linear_form(size) - 1, form):
                return False
        return True

    def _probed(self, ops: Sequence[Operation], term: SSAValue) -> SSAValue:
        """The only term of an index, or the identity where there is none."""
        tests: list[SSAValue] = []
        ties = {guard for _, guard in self.ties.values()}

        def probe(each: comprehension.EachOp) -> None:
            if each.elements[-1] in self.copies:
                return
            indices: list[SSAValue] = []
            for index in each.elements[:-1]:
                if index is self.own:
                    assert self.place is not None
                    indices.append(self.place)
                else:
                    indices.append(get(self.ties[index][0]))
            if self._is_covered(each.collection, indices):
                self._add(read := comprehension.EachOp(each.collection))
                for own, index in zip(read.elements[:-1], indices, strict=True):
                    test = self._add(arith.CmpiOp(own, index, "eq"))
                    self._add(comprehension.GuardOp(test))
                element = read.elements[-1]
            else:
                self._add(found := comprehension.ProbeOp(each.collection, indices))
                element = found.values[0]
                tests.append(found.found)
            self.copies.update(zip(each.elements, [*indices, element], strict=True))

        def get(value: SSAValue) -> SSAValue:
            owner = value.owner
            if value in self.copies or owner not in ops:
                return self.copies.get(value, value)
            if isinstance(owner, comprehension.EachOp):
                probe(owner)
            else:
                assert isinstance(owner, Operation)
                for used in used_values(owner):
                    get(used)
                self.body.add_op(owner.clone(self.copies))
            return self.copies[value]

        for op in ops:
            if isinstance(op, comprehension.EachOp):
                probe(op)
            elif isinstance(op, comprehension.GuardOp) and op not in ties:
                tests.append(get(op.condition))
        value = get(term)
        if not tests:
            return value
        holds = tests[0]
        for test in tests[1:]:
            holds = self._add(arith.AndIOp(holds, test))
        neutral = identity_ops(self.nested.monoid.data, value.type, self.nested)
        for op in neutral:
            self._add(op)
        return self._add(arith.SelectOp(holds, value, neutral[-1].results[0]))


# ---- the pass ------------------------------------------------------------------------------


def _scan(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Scan what one aggregate folds; false if it stays."""
    rows = _Rows(root)
    if not any(map(rows.varies, used_values(nested))):
        return False
    read_dimensions_around(root)
    fold = _find(nested, rows)
    if fold is None:
        return False
    if take_out_factors(nested):
        fold = _find(nested, rows)
    if fold is None:
        return False
    try:
        _Scanning(fold, rows, _needed(fold)).run()
    except Refused as why:
        remark(nested, f"this is folded anew for each row: {why}")
        return False
    return True


def _is_within_another(nested: comprehension.AggregateOp, root: Root) -> bool:
    """Return whether the rows around an aggregate are not those of `root`."""
    parent = nested.parent_op()
    while parent is not None and not isinstance(parent, Root):
        parent = parent.parent_op()
    return parent is not root


def _scan_update(root: comprehension.MergeOp) -> None:
    """Scan what an update folds for each of its elements."""
    head = root.body.block.last_op
    assert isinstance(head, comprehension.YieldOp)
    of_keys = {value for key in head.keys for value in linear_form(key).terms}
    inner = [op for op in root.body.block.ops if isinstance(op, comprehension.RangeOp)]
    for number, op in enumerate(inner):
        if op.index in of_keys or op.step is not None:
            continue
        copy = root.clone()
        Rewriter.insert_op(copy, InsertPoint.before(root))
        chosen = [o for o in copy.body.block.ops if isinstance(o, comprehension.RangeOp)][number]
        nested = nest_update(copy, [chosen])
        if nested is not None and _scan(nested, copy):
            root.result.replace_all_uses_with(copy.result)
            copy.result.name_hint = root.result.name_hint
            Rewriter.erase_op(root)
            return
        Rewriter.erase_op(copy)


@dataclass(frozen=True)
class ScanPrefixesPass(ModulePass):
    """Compute what is folded up to each index, or from it on, by one scan."""

    name = "scan-prefixes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Scan what the outermost comprehensions fold for each of their rows."""
        for root in roots_in(op):
            if root.parent is None or is_of_a_row(root.result):
                continue
            if any(isinstance(inner, comprehension.GroupByOp) for inner in root.body.block.ops):
                continue
            for nested in [o for o in root.body.walk() if isinstance(o, comprehension.AggregateOp)]:
                if nested.parent is not None and not _is_within_another(nested, root):
                    _scan(nested, root)
            if isinstance(root, comprehension.MergeOp):
                _scan_update(root)
