"""Analysis: may two rows of a comprehension have the same key?

    ((i+1) % n, x) | i <- 0..n-1            no: 0 <= i, i' < n  and  i - i' = n*(q - q')
    (2*i + p, x) | i <- …, p <- 0..1        no
    ((i+j) % 5, x) | ((i,j),x) <- M         yes

`determined_values` finds what follows from equalities alone. Beyond that, the bounds of generators
and the guards on integers are two systems of inequalities, one for each of the two rows; a variable
is the same in both if the systems do not let it differ. A generator over a list that another
comprehension makes is looked through: its row is determined if the key of that comprehension is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from xdsl.dialects import tensor
from xdsl.dialects.builtin import IndexType, TensorType, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from diablo.dialects import comprehension
from diablo.dialects.effects import has_pure_result
from diablo.dialects.range_steps import step_of
from diablo.linear_sums import term
from diablo.passes.analyses.loops.integer_sums import (
    DEPTH,
    Facts,
    IntegerSums,
    Leaf,
    LeafSum,
    TwoRows,
    argument_extent,
)
from diablo.passes.analyses.loops.integer_systems import System
from diablo.passes.analyses.loops.strides import taken_apart
from diablo.passes.analyses.values.affine_values import constant_value
from diablo.passes.analyses.values.determined_values import (
    DeterminedValues,
    identity_columns,
    is_generator,
    segments_of,
)
from diablo.passes.analyses.values.dimensions import dimensions

_INTEGERS = (IndexType(), i64)
_MOST_ROWS = 1000
"""Of a list that is written out with more rows, nothing is known."""


def rows_of_one_key(ops: Sequence[Operation], keys: Iterable[SSAValue]) -> DeterminedValues:
    """Return what two rows that `ops` make have in common if they have the same key."""
    keys = list(keys)
    found = DeterminedValues(ops, keys)
    search = _Search(ops, keys, found)
    while not found.unique() and search.finds_more():
        found.close()
    return found


class _Search:
    """Looks for what bounds and guards determine."""

    def __init__(self, ops: Sequence[Operation], keys: Sequence[SSAValue], found: DeterminedValues):
        self.ops, self.keys, self.found = ops, keys, found
        self.sums = IntegerSums(self)
        self.facts = Facts()
        for op in ops:
            self._note(op)

    def finds_more(self) -> bool:
        """Find another variable, or the row of a list, that is determined."""
        for op in self.ops:
            columns = identity_columns(op) if is_generator(op) else ()
            if columns is None and op not in self.found.rows and self._is_one_row(op):
                self.found.rows.add(op)
                for element in op.results:
                    self.found.add(element)
                return True
            for column in columns or ():
                is_integer = column.type in _INTEGERS
                if is_integer and not self.found.has(column) and self._agrees(column):
                    self.found.add(column)
                    return True
        return False

    # --- Lists -------------------------------------------------------------------------------

    def _is_one_row(self, each: Operation) -> bool:
        """Return whether the columns that are determined tell the rows of a list apart."""
        assert isinstance(each, comprehension.EachOp)
        known = [n for n, element in enumerate(each.elements) if self.found.has(element)]
        match each.collection.owner:
            case comprehension.ListOp(rows=rows) if len(rows) <= _MOST_ROWS:
                numbers = [tuple(constant_value(row[n]) for n in known) for row in rows]
                are_integers = all(isinstance(part, int) for row in numbers for part in row)
                return len(rows) <= 1 or (are_integers and len(set(numbers)) == len(numbers))
            case comprehension.CollectOp(body=body):
                end = body.block.last_op
                assert isinstance(end, comprehension.YieldOp)
                inner = segments_of(body.block)[-1]
                return rows_of_one_key(inner, [end.operands[n] for n in known]).unique()
            case _:
                return False

    # --- Integers ----------------------------------------------------------------------------

    def _agrees(self, column: SSAValue) -> bool:
        """Return whether two rows of one key cannot differ in an integer."""
        names = TwoRows(self.found.values)
        system = System()
        for number in range(2):
            system = names.holding(self.facts, number, system)
        for key in self.keys:
            if key.type not in _INTEGERS:
                continue
            total, facts = self.sums.sum(key)
            for number in range(2):
                system = names.holding(facts, number, system)
            apart = names.of(total, 0) - names.of(total, 1)
            system = system.and_zero(*taken_apart(apart, system))
        leaf = self.leaf(column, DEPTH)
        ahead = names.value(leaf, 0) - names.value(leaf, 1)
        return not system.and_natural(ahead - 1).may_hold()

    def _note(self, op: Operation) -> None:
        """Add the bounds that a generator has, or what a guard says."""
        facts = self.facts
        match op:
            case comprehension.RangeOp():
                step = step_of(op)
                sign = 1 if step > 0 else -1
                index, lower, upper = (
                    self.sums.known(value, facts) for value in (op.index, op.lower, op.upper)
                )
                facts.natural += [(index - lower) * sign, (upper - index) * sign]
                if abs(step) != 1:
                    count = term(Leaf(("count", op), frozenset([op.index])))
                    facts.zero.append(index - lower - count * step)
            case comprehension.EachOp() if isinstance(op.collection.type, TensorType):
                for axis, element in enumerate(op.elements[:-1]):
                    index = self.sums.known(element, facts)
                    facts.natural += [index, self.extent(op.collection, axis) - index - 1]
            case comprehension.GuardOp():
                self.sums.condition(op.condition, facts, holds=True)
            case _:
                pass

    def leaf(self, value: SSAValue, depth: int) -> Leaf:
        """A value that is no sum: its key is that of all values computed in the same way."""
        if not isinstance(value, OpResult):
            return Leaf(value, frozenset())
        op = value.op
        if is_generator(op) and value in self.found.made:
            return Leaf(value, frozenset([value]))
        pure = not op.regions and op.operands and has_pure_result(op)
        if not pure or not depth:
            return Leaf(value, frozenset([value] if value in self.found.made else ()))
        parts = [self.leaf(operand, depth - 1) for operand in op.operands]
        varies = frozenset[Hashable]().union(*(part.varies_in for part in parts))
        attributes: frozenset[tuple[str, Attribute]] = frozenset(op.properties.items())
        key = op.name, attributes, value.index, value.type, tuple(part.key for part in parts)
        return Leaf(key, varies)

    def extent(self, collection: SSAValue, axis: int) -> LeafSum:
        """A dimension of an array."""
        extent = argument_extent(collection, axis)
        if extent is not None:
            return extent
        known = dimensions(collection)[axis]
        if known is not None and not (
            isinstance(known.owner, tensor.DimOp) and known.owner.source is collection
        ):
            return self.sums.sum(known)[0]
        leaf = self.leaf(collection, DEPTH)
        return term(Leaf(("extent", leaf.key, axis), leaf.varies_in))

    def definition(self, value: SSAValue) -> SSAValue | None:
        """Nothing but its op defines a value."""
        return None
