"""The index space of a comprehension whose generators are all arrays and ranges.

Reads the `comprehension` level; writes driver-level index arithmetic. Index variables tied by
equalities are one *dimension*. In

    each %A (%i, %k), each %B (%kk, %j), kk == k, group by (i, j)

the dimensions are {i}, {k, kk} and {j}; the key dimensions are {i} and {j}, the reduced one
is {k, kk}. A variable that an equality makes a sum (`ii == i - 1`) is none of its own: its
arrays are read at that sum, on the conditions (index_conditions.py) that it lies inside them.
An array that is probed there is read as well, but no iteration counts less for it.
A range that runs along with another variable (`ii <- i-1..i+1`) is a window: a dimension of
three steps. An index that wraps around (wrapped_indices.py) always lies inside. Each dimension
has an extent (an `index` value outside the comprehension).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.comprehension import ProbeOp
from diablo.linear_sums import LinearSum, term
from diablo.lowering.tensor_block.query.body_emitter import Driver
from diablo.lowering.tensor_block.query.dimension_extents import Dimension, Extents
from diablo.lowering.tensor_block.query.index_conditions import Condition, is_certain, is_same
from diablo.lowering.tensor_block.query.index_equations import IndexEquations
from diablo.lowering.tensor_block.query.linear_equations import Variable, VariableForm
from diablo.lowering.tensor_block.query.plan_sizes import (
    driver_dimensions,
    driver_value,
    outside_form,
)
from diablo.lowering.tensor_block.query.query import Query
from diablo.passes.analyses.refused import Refused
from diablo.passes.analyses.values.linear_forms import LinearForm

Access = tuple[VariableForm, ...]
"""Where an array is read: a form over the numbers of dimensions per axis."""


class IndexSpace:
    """The dimensions of a query. Raises `Refused` where there is no such space.

    `keys` are the values that index the result; `key_dimensions` numbers the dimensions that
    they are.
    """

    def __init__(self, query: Query, driver: Driver, keys: Sequence[SSAValue]):
        self.query = query
        self.driver = driver
        self.dimensions: list[Dimension] = []
        self.position: dict[SSAValue, int] = {}
        self.sums: dict[SSAValue, VariableForm] = {}
        """The variables that are no dimension, as sums of dimensions."""
        self.accesses: dict[SSAValue, Access] = {}
        """Element variable to the place at which its array is read."""
        self.array_of: dict[SSAValue, SSAValue] = {}
        """Element variable to its array."""
        self.generator_of: dict[SSAValue, comprehension.EachOp] = {}
        """Element variable to its generator, unless it is probed."""
        self.conditions: list[Condition] = []
        """Where an iteration counts, beside the guards."""
        self._extents = Extents(query, driver)
        self._check_generators()
        self._equations = IndexEquations(query, driver)
        self._sizes: dict[LinearForm, SSAValue] = {}
        self._numbers: dict[Variable, int] = {}
        self.key_dimensions = self._number(self._equations.keys(keys))
        self._read_accesses()
        self._read_probes()
        self._drop_what_is_solved()

    def _drop_what_is_solved(self) -> None:
        """Take out of the query, once there is a space, what that says.

        That is which indices wrap around, and where arrays are probed.
        """
        self.query.lets = [op for op in self.query.lets if not isinstance(op, ProbeOp)]
        for index in self._equations.wrapped.values():
            if isinstance(index.said_by, comprehension.GuardOp):
                self.query.lets.remove(index.said_by)
            else:
                self.query.equalities.remove(index.said_by)

    def _check_generators(self) -> None:
        for generator in self.query.generators:
            if isinstance(generator, comprehension.RangeOp):
                if generator.step is not None and (
                    self.query.binds(generator.lower) or self.query.binds(generator.upper)
                ):
                    raise Refused("a range with a step depends on another generator")
                continue
            if not isinstance(generator.collection.type, TensorType):
                raise Refused("a generator runs over the rows of a list")
            if self.query.binds(generator.collection):
                raise Refused("a generator runs over a collection computed per element")

    def _number(self, keys: Sequence[Variable]) -> tuple[int, ...]:
        """Number the dimensions; return those of the keys."""
        numbers = self._numbers

        def number(variable: Variable) -> int:
            if variable not in numbers:
                numbers[variable] = len(self.dimensions)
                steps = self._equations.windows.get(variable)
                self.dimensions.append(Dimension([], steps=steps))
            return numbers[variable]

        for variable in self._equations.variables:
            form = self._equations.reduced(VariableForm.of(variable))
            if form.alone is not None:
                self.position[variable] = number(form.alone)
                self.dimensions[number(form.alone)].variables.append(variable)
            else:
                self.sums[variable] = VariableForm(form.inside.renamed(number), form.outside)
        result = tuple(number(key) for key in keys)
        for form in self._equations.left:
            where = VariableForm(form.inside.renamed(number), form.outside)
            self.conditions.append(Condition(where, "eq", None))
        for form in map(self._equations.reduced, self._equations.cut):
            where = VariableForm(form.inside.renamed(number), form.outside)
            self.conditions.append(Condition(where, "sge", None))
        return result

    def place(self, variable: SSAValue) -> VariableForm:
        """An index variable as a sum of dimensions."""
        if variable in self.position:
            return VariableForm.of(self.position[variable])
        return self.sums[variable]

    # ---- generators ----------------------------------------------------------------

    def _read_accesses(self) -> None:
        for generator in self.query.generators:
            if isinstance(generator, comprehension.RangeOp):
                self._read_range(generator)
                continue
            *indices, element = generator.elements
            periods = [self._period(generator, axis) for axis in range(len(indices))]
            access = tuple(
                replace(self.place(i), period=period)
                for i, period in zip(indices, periods, strict=True)
            )
            self.accesses[element] = access
            self.array_of[element] = generator.collection
            self.generator_of[element] = generator
            straight = [where for where in access if where.period is None]
            picks = len({where.alone for where in straight} - {None}) == len(straight)
            for axis, where in enumerate(access):
                if where.period is not None:
                    continue
                extent = self.array_extent(generator.collection, axis)
                number: int | None = where.alone
                if number is not None and (picks or number not in self.key_dimensions):
                    self.dimensions[number].array_extents.append(extent)
                    continue
                self.conditions.append(Condition(where, "sge", None, element))
                self.conditions.append(Condition(where, "slt", extent, element))

    def _read_probes(self) -> None:
        """Find where arrays are probed: an iteration counts also where they have no element."""
        for probe in self.query.lets:
            if not isinstance(probe, ProbeOp):
                continue
            if probe.found.uses:
                raise Refused("it is asked whether an array has an element")
            access: list[VariableForm] = []
            for key in probe.keys:
                form = self._equations.form(key)
                if form is None:
                    raise Refused("an array is probed at an index that is computed")
                form = self._equations.reduced(form)
                inside = form.inside.renamed(self._numbers.__getitem__)
                access.append(VariableForm(inside, form.outside))
            (element,) = probe.values
            self.accesses[element] = tuple(access)
            self.array_of[element] = probe.collection

    def _cover_probes(self) -> None:
        """Take for granted that arrays probed at the indices of the point have all of them."""
        for element, access in self.accesses.items():
            if element in self.generator_of:
                continue
            numbers: list[int | None] = [where.alone for where in self.absolute(access)]
            if None in numbers or len(set(numbers)) < len(numbers):
                continue
            for axis, number in enumerate(numbers):
                assert number is not None
                extent = self.array_extent(self.array_of[element], axis)
                self._extents.assume(extent, self.dimensions[number].size)

    def _period(self, generator: comprehension.EachOp, axis: int) -> LinearForm | None:
        """Return at what the index along `axis` of an array wraps around, if it does."""
        wrapped = self._equations.wrapped.get(generator.elements[axis])
        if wrapped is None:
            return None
        if generator.full is None and tensor_block.is_sparse(generator.collection.type):
            raise Refused("the stored entries of a sparse array are read around its end")
        size = self._sizes.get(wrapped.size)
        if size is None:
            size = self._sizes[wrapped.size] = driver_value(self.driver, wrapped.size)
        self._extents.assume(self.array_extent(generator.collection, axis), size)
        if not wrapped.positive:
            self._extents.assume_number(size, self.driver.index(1))
        if wrapped.least is not None:
            least = driver_value(self.driver, wrapped.least)
            self._extents.assume_number(least, self.driver.index(0))
        return wrapped.size if wrapped.size.number is not None else term(size)

    def _read_range(self, generator: comprehension.RangeOp) -> None:
        if generator.index in self._equations.stepped:
            return  # The steps of the window are where the range runs.
        where = self.place(generator.index)
        number: int | None = where.alone
        if number is not None:
            self.dimensions[number].ranges.append(generator)
            return
        self.conditions.append(Condition(where, "sge", generator.lower))
        self.conditions.append(Condition(where, "sle", generator.upper))

    def array_extent(self, array: SSAValue, axis: int) -> SSAValue:
        """The extent of `array` along `axis` as a driver value."""
        return driver_dimensions(array, self.driver)[axis]

    # ---- extents -------------------------------------------------------------------

    def set_key_extent(self, number: int, extent: SSAValue) -> None:
        """Fix a key dimension to the result's extent."""
        self._extents.set_key_extent(self.dimensions[number], extent)

    def set_reduced_extent(self, number: int) -> None:
        """Find the extent of a dimension that is reduced: what all its generators cover."""
        self._extents.set_reduced_extent(self.dimensions[number])

    @property
    def assumptions(self) -> list[tuple[SSAValue, SSAValue]]:
        """Extents of arrays that have to be at least the result's, where that is not known."""
        return self._extents.assumptions

    @property
    def assumes_only_extents(self) -> bool:
        """Whether all assumptions are that an array is large enough."""
        return self._extents.only_extents

    def complete_conditions(self) -> None:
        """Once all extents are known: what is left to be tested."""
        self._cover_probes()
        extents = [d.size for d in self.dimensions]
        shifted = [d.shift is not None for d in self.dimensions]
        kept = [c for c in self.conditions if not is_certain(c, extents, shifted)]
        for number, dimension in enumerate(self.dimensions):
            kept += [
                Condition(VariableForm.of(number), predicate, bound)
                for predicate, bound in dimension.conditions
            ]
        self.conditions = []
        for condition in kept:
            if not any(is_same(condition, other) for other in self.conditions):
                self.conditions.append(condition)

    def sizes(self, numbers: tuple[int, ...]) -> list[SSAValue]:
        """The extents of the dimensions `numbers`."""
        return [self.dimensions[n].size for n in numbers]

    def is_stored_only(self, element: SSAValue) -> bool:
        """Return whether `element` is bound for the stored entries of a sparse array only."""
        generator = self.generator_of.get(element)
        if generator is None:
            return False
        return generator.full is None and tensor_block.is_sparse(generator.collection.type)

    def absolute(self, access: Access) -> Access:
        """Return where an array of the program is read, in terms of the indices that bodies see."""
        result: list[VariableForm] = []
        for where in access:
            inside: LinearSum[int] = where.inside
            for number, factor in inside.terms.items():
                shift = self.dimensions[number].shift
                if shift is not None:
                    where = replace(where, outside=where.outside + outside_form(shift) * factor)
            result.append(where)
        return tuple(result)
