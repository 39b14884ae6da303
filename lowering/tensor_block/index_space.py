"""The index space of a comprehension whose generators are all arrays and ranges.

Reads the `comprehension` level; writes driver-level index arithmetic. Index variables tied by
equalities are one *dimension*. In

    each %A (%i, %k), each %B (%kk, %j), kk == k, group by (i, j)

the dimensions are {i}, {k, kk} and {j}; the key dimensions are {i} and {j}, the reduced one
is {k, kk}. Each dimension has an extent (an `index` value outside the comprehension) and the
conditions that its ranges put on the index where they do not cover the extent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.ir.affine import AffineExpr, AffineMap
from xdsl.utils.disjoint_set import DisjointSet

from diablo.dialects import comprehension, tensor_block
from diablo.lowering.tensor_block.body_emitter import Driver
from diablo.lowering.tensor_block.query import Query, Unrecognised, index_variables, underlying
from diablo.passes.analyses.affine_values import affine_form, same_value
from diablo.passes.analyses.asserted_facts import asserted_equal
from diablo.passes.analyses.dimensions import dimensions


@dataclass
class Dimension:
    """Index variables known to be equal.

    `shift` is added to the index that a body sees (a range that does not start at 0 and runs
    over no array). `conditions` say where the dimension's ranges do not reach.
    """

    variables: list[SSAValue]
    ranges: list[comprehension.RangeOp] = field(default_factory=list[comprehension.RangeOp])
    array_extents: list[SSAValue] = field(default_factory=list[SSAValue])
    extent: SSAValue | None = None
    shift: SSAValue | None = None
    conditions: list[tuple[Literal["sge", "sle"], SSAValue]] = field(
        default_factory=list[tuple[Literal["sge", "sle"], SSAValue]]
    )

    @property
    def size(self) -> SSAValue:
        """The extent, once it is known."""
        assert self.extent is not None
        return self.extent


def constant_value(value: SSAValue) -> int | None:
    """The integer that `value` is known to be."""
    base, offset = affine_form(value)
    return offset if base is None else None


def driver_dimensions(array: SSAValue, driver: Driver) -> list[SSAValue]:
    """The extents of `array` as driver values; `tensor.dim` where nothing better is known."""
    return [
        known if known is not None else driver.insert(tensor.DimOp(array, driver.index(axis)))
        for axis, known in enumerate(dimensions(array))
    ]


class IndexSpace:
    """The dimensions of a query. Raises `Unrecognised` where there is no such space."""

    def __init__(self, query: Query, driver: Driver):
        self.query = query
        self.driver = driver
        self.dimensions: list[Dimension] = []
        self.position: dict[SSAValue, int] = {}
        self.accesses: dict[SSAValue, tuple[int, ...]] = {}
        """Element variable to the dimensions at which its array is read."""
        self.generator_of: dict[SSAValue, comprehension.EachOp] = {}
        self.assumptions: list[tuple[SSAValue, SSAValue]] = []
        """Extents of arrays that have to be at least the result's, where that is not known."""
        self._check_generators()
        self._unify()
        self._read_accesses()

    def _check_generators(self) -> None:
        for generator in self.query.generators:
            if isinstance(generator, comprehension.RangeOp):
                if generator.step is not None:
                    raise Unrecognised("a range has a step")
                continue
            if not isinstance(generator.collection.type, TensorType):
                raise Unrecognised("a generator runs over the rows of a list")
            if self.query.binds(generator.collection):
                raise Unrecognised("a generator runs over a collection computed per element")

    def _unify(self) -> None:
        variables = [v for g in self.query.generators for v in index_variables(g)]
        classes: DisjointSet[SSAValue] = DisjointSet(variables)
        for left, right in self.query.equalities:
            if left not in variables or right not in variables:
                raise Unrecognised("an index is compared with a computed value")
            classes.union(left, right)
        dimension_of: dict[SSAValue, int] = {}
        for variable in variables:
            representative = classes.find(variable)
            if representative not in dimension_of:
                dimension_of[representative] = len(self.dimensions)
                self.dimensions.append(Dimension([]))
            self.dimensions[dimension_of[representative]].variables.append(variable)
            self.position[variable] = dimension_of[representative]

    def _read_accesses(self) -> None:
        for generator in self.query.generators:
            if isinstance(generator, comprehension.RangeOp):
                self.dimensions[self.position[generator.index]].ranges.append(generator)
                continue
            *indices, element = generator.elements
            access = tuple(self.position[i] for i in indices)
            if len(set(access)) < len(access):
                raise Unrecognised("an array is read at a repeated index")
            self.accesses[element] = access
            self.generator_of[element] = generator
            for axis, dimension in enumerate(access):
                extent = self.array_extent(generator.collection, axis)
                self.dimensions[dimension].array_extents.append(extent)

    def array_extent(self, array: SSAValue, axis: int) -> SSAValue:
        """The extent of `array` along `axis` as a driver value."""
        return driver_dimensions(array, self.driver)[axis]

    def key_dimension(self, key: SSAValue) -> int:
        """The dimension that a key is. Raises `Unrecognised` for a computed key."""
        dimension = self.position.get(underlying(key))
        if dimension is None:
            raise Unrecognised("a key is not the index of an array or a range")
        return dimension

    def set_key_extent(self, number: int, extent: SSAValue) -> None:
        """Fix a key dimension to the result's extent."""
        dimension = self.dimensions[number]
        dimension.extent = extent
        limit = constant_value(extent)
        for other in dimension.array_extents:
            size = constant_value(other)
            if size is not None and limit is not None:
                if size < limit:
                    raise Unrecognised("an array is smaller than the result")
            elif not (same_value(other, extent) or asserted_equal(other, extent, self.query.root)):
                self.assumptions.append((other, extent))
        self._add_range_conditions(dimension)

    def set_reduced_extent(self, number: int) -> None:
        """Find the extent of a dimension that is reduced: what all its generators cover."""
        dimension = self.dimensions[number]
        invariant = [
            r
            for r in dimension.ranges
            if not self.query.binds(r.lower) and not self.query.binds(r.upper)
        ]
        if dimension.array_extents:
            dimension.extent = self._minimum(
                dimension.array_extents + [self._after(r.upper) for r in invariant]
            )
            self._add_range_conditions(dimension)
            return
        if len(invariant) < len(dimension.ranges) or len(invariant) != 1:
            raise Unrecognised("a range depends on another generator")
        lower = invariant[0].lower
        length: SSAValue = self._after(invariant[0].upper)
        if constant_value(lower) != 0:
            dimension.shift = lower
            length = self.driver.insert(arith.SubiOp(length, lower))
        if (constant_value(length) or 0) <= 0:
            length = self.driver.insert(arith.MaxSIOp(length, self.driver.index(0)))
        dimension.extent = length

    def _after(self, upper: SSAValue) -> SSAValue:
        base, offset = affine_form(upper)
        if base is None:
            return self.driver.index(offset + 1)
        return self.driver.insert(arith.AddiOp(upper, self.driver.index(1)))

    def _minimum(self, extents: list[SSAValue]) -> SSAValue:
        distinct: list[SSAValue] = []
        for extent in extents:
            if not any(same_value(extent, other) for other in distinct):
                distinct.append(extent)
        result = distinct[0]
        for extent in distinct[1:]:
            result = self.driver.insert(arith.MinSIOp(result, extent))
        if len(distinct) > 1:
            # A range may end before it starts.
            result = self.driver.insert(arith.MaxSIOp(result, self.driver.index(0)))
        return result

    def _add_range_conditions(self, dimension: Dimension) -> None:
        for bound in dimension.ranges:
            lower = constant_value(bound.lower)
            if lower is None or lower > 0:
                dimension.conditions.append(("sge", bound.lower))
            if self.query.binds(bound.upper) or not same_value(
                self._after(bound.upper), dimension.size
            ):
                upper, size = constant_value(bound.upper), constant_value(dimension.size)
                if upper is None or size is None or upper + 1 < size:
                    dimension.conditions.append(("sle", bound.upper))

    def sizes(self, numbers: tuple[int, ...]) -> list[SSAValue]:
        """The extents of the dimensions `numbers`."""
        return [self.dimensions[n].size for n in numbers]

    def is_stored_only(self, element: SSAValue) -> bool:
        """Whether `element` is bound for the stored entries of a sparse array only."""
        generator = self.generator_of.get(element)
        if generator is None:
            return False
        return generator.full is None and tensor_block.is_sparse(generator.collection.type)


def access_map(access: tuple[int, ...], iteration: tuple[int, ...]) -> AffineMap:
    """The indexing map of an array read at dimensions `access` in the space `iteration`."""
    return AffineMap(
        len(iteration), 0, tuple(AffineExpr.dimension(iteration.index(d)) for d in access)
    )
