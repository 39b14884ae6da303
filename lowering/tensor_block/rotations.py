"""Indices that wrap around: `A[(i+1) % n]` reads, `((i+1) % n, a)` writes, a rotated array.

Works on the `comprehension` level, and writes `map` ops of the `tensor_block` level before it.

    %i = range; %j, %a = each %A; guard %j == (%i + %c) rem %n
  ==>
    %B = tensor_block.map ins(%A[d0 + s0], %A[d0 + s1]) …       // B[i] = A[(i + c) % n]
    %i = range; %j, %a = each %B; guard %j == %i

That is right if the index stays below %n, the array has %n elements there, and %c lies between
0 and %n: what of this is not known becomes an assumption.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, TensorType
from xdsl.ir import Block, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from diablo.dialects import comprehension, tensor_block
from diablo.dialects.access_maps import LinearIndex, access_map
from diablo.lowering.tensor_block.body_emitter import BodyEmitter, Driver, scalar_body
from diablo.lowering.tensor_block.driver_values import driver_dimensions, driver_value, known_index
from diablo.lowering.tensor_block.linear_forms import LinearForm, linear_form
from diablo.lowering.tensor_block.query import Generator, index_variables, tensor_type, underlying
from diablo.passes.analyses.affine_values import affine_form, same_value
from diablo.passes.analyses.speculation import Root

_EQUAL = 0  # the `eq` predicate of `arith.cmpi`
Assumption = tuple[SSAValue, SSAValue]


@dataclass
class Wrap:
    """`(variable + shift) rem size`, as it stands in a comprehension."""

    value: SSAValue
    variable: SSAValue
    shift: LinearForm
    size: SSAValue


@dataclass
class Rotations:
    """Rewrites one comprehension, a copy of the one that is lowered."""

    root: Root
    driver: Driver
    assumptions: list[Assumption] = field(default_factory=list[Assumption])
    found: bool = False

    def apply(self) -> None:
        """Rotate what can be; leave the rest."""
        for guard in [o for o in self.root.body.block.ops if isinstance(o, comprehension.GuardOp)]:
            self._rotate_read(guard)
        for op in list(self.root.body.block.ops):
            if isinstance(op, comprehension.GroupByOp):
                self._rotate_keys(op, len(op.keys))
                return
        head = self.root.body.block.last_op
        if isinstance(head, comprehension.YieldOp) and not isinstance(
            self.root, comprehension.CollectOp
        ):
            self._rotate_keys(head, len(head.keys))

    # ---- what is there -------------------------------------------------------------

    def _generators(self) -> dict[SSAValue, Generator]:
        """The generators by the index variables that they bind."""
        return {
            variable: op
            for op in self.root.body.block.ops
            if isinstance(op, Generator)
            for variable in index_variables(op)
        }

    def _inside(self, value: SSAValue) -> bool:
        owner = value.owner
        block = owner if isinstance(owner, Block) else owner.parent
        return block is self.root.body.block

    def wrap(self, value: SSAValue) -> Wrap | None:
        """`value` as a wrapped index."""
        value = underlying(value)
        if not (isinstance(value, OpResult) and isinstance(value.op, arith.RemSIOp)):
            return None
        variables = self._generators()
        if self._inside(value.op.rhs) and known_index(value.op.rhs) is None:
            return None
        form = linear_form(value.op.lhs, lambda v: v in variables, self._inside)
        if form is None or len(form.terms) != 1 or form.terms[0][1] != 1:
            return None
        return Wrap(value, form.variables[0], form.without(form.variables[0]), value.op.rhs)

    # ---- reads and keys ------------------------------------------------------------

    def _rotate_read(self, guard: comprehension.GuardOp) -> None:
        test = guard.condition.owner
        if not isinstance(test, arith.CmpiOp) or test.predicate.value.data != _EQUAL:
            return
        for read, other in ((test.lhs, test.rhs), (test.rhs, test.lhs)):
            variable = underlying(read)
            generator = self._generators().get(variable)
            wrap = self.wrap(other)
            if wrap is None or not isinstance(generator, comprehension.EachOp):
                continue
            if wrap.variable is variable or not self._only_use(variable, test):
                continue
            if not self._assume_below(wrap):
                continue
            if self._replace(generator, variable, wrap, wrap.shift):
                index = arith.CmpiOp(variable, wrap.variable, "eq")
                Rewriter.insert_op(index, InsertPoint.before(guard))
                guard.operands[0] = index.result
            return

    def _rotate_keys(self, op: comprehension.GroupByOp | comprehension.YieldOp, count: int) -> None:
        for number in range(count):
            wrap = self.wrap(op.operands[number])
            if wrap is None:
                continue
            generator = self._generators().get(wrap.variable)
            if not isinstance(generator, comprehension.EachOp):
                continue
            if not self._leads_only_to(wrap.variable, wrap.value):
                continue
            axis = list[SSAValue](generator.elements).index(wrap.variable)
            extent = driver_dimensions(generator.collection, self.driver)[axis]
            if not self._assume(self._size(wrap), extent):
                continue
            # The element that is written to k comes from k - shift.
            back = _form_of(wrap.size).minus(wrap.shift)
            if self._replace(generator, wrap.variable, wrap, back):
                key: SSAValue = wrap.variable
                if op.operands[number].type != key.type:
                    cast = arith.IndexCastOp(key, op.operands[number].type)
                    Rewriter.insert_op(cast, InsertPoint.before(op))
                    key = cast.result
                op.operands[number] = key

    def _only_use(self, variable: SSAValue, test: arith.CmpiOp) -> bool:
        """Whether a variable is only compared, so that nothing sees its value."""
        uses = {use.operation for use in variable.uses}
        for use in list(uses):
            if isinstance(use, arith.IndexCastOp):
                uses.remove(use)
                uses |= {inner.operation for inner in use.result.uses}
        return uses <= {test}

    def _leads_only_to(self, variable: SSAValue, value: SSAValue) -> bool:
        """Whether a variable is only used to compute `value`."""
        for use in variable.uses:
            op = use.operation
            if value in op.results:
                continue
            arithmetic = isinstance(op, arith.AddiOp | arith.SubiOp | arith.IndexCastOp)
            if not arithmetic or not self._leads_only_to(op.results[0], value):
                return False
        return bool(variable.uses)

    # ---- assumptions ---------------------------------------------------------------

    def _size(self, wrap: Wrap) -> SSAValue:
        base, offset = affine_form(wrap.size)
        if base is None:
            return self.driver.index(offset)
        if isinstance(wrap.size.type, IndexType):
            return wrap.size
        return self.driver.insert(arith.IndexCastOp(wrap.size, IndexType()))

    def _assume(self, greater: SSAValue, less: SSAValue) -> bool:
        """Take for granted that `greater >= less`; false if it is not so."""
        known = known_index(greater), known_index(less)
        if known[0] is not None and known[1] is not None:
            return known[0] >= known[1]
        (one, more), (other, above) = affine_form(greater), affine_form(less)
        if one is not None and other is not None and same_value(one, other):
            return more >= above
        self.assumptions.append((greater, less))
        return True

    def _assume_below(self, wrap: Wrap) -> bool:
        """Take for granted that a wrapped index runs from 0 to below the size."""
        generator = self._generators()[wrap.variable]
        if isinstance(generator, comprehension.EachOp):
            axis = list[SSAValue](generator.elements).index(wrap.variable)
            end = driver_dimensions(generator.collection, self.driver)[axis]
            return self._assume(self._size(wrap), end)
        lower = known_index(generator.lower)
        down = generator.step is not None and generator.step.value.data < 0
        if lower is None or lower < 0 or down or self._inside(generator.upper):
            return False
        base, offset = affine_form(generator.upper)
        if base is None:
            end = self.driver.index(offset + 1)
        else:
            end = self.driver.insert(arith.AddiOp(generator.upper, self.driver.index(1)))
        return self._assume(self._size(wrap), end)

    # ---- the copy ------------------------------------------------------------------

    def _replace(
        self,
        generator: comprehension.EachOp,
        variable: SSAValue,
        wrap: Wrap,
        shift: LinearForm,
    ) -> bool:
        """Let `generator` run over a copy of its array, rotated by `shift`."""
        array = generator.collection
        if tensor_block.is_sparse(array.type) and generator.full is None:
            return False
        if not isinstance(array.type, TensorType) or self._inside(array):
            return False
        axis = list[SSAValue](generator.elements).index(variable)
        dims = driver_dimensions(array, self.driver)
        size, by = self._size(wrap), driver_value(self.driver, shift)
        zero = self.driver.index(0)
        back = self.driver.insert(arith.SubiOp(by, size))
        if (known := (known_index(by), known_index(size)))[0] is not None and known[1]:
            back = self.driver.index((known[0] or 0) - known[1])
        if not (
            self._assume(dims[axis], size)
            and self._assume(size, self.driver.index(1))
            and self._assume(by, zero)
            and self._assume(size, by)
        ):
            return False
        rotated = self._copy(array, axis, [*dims[:axis], size, *dims[axis + 1 :]], by, back)
        generator.operands[0] = rotated
        self.found = True
        return True

    def _copy(
        self,
        array: SSAValue,
        axis: int,
        extents: Sequence[SSAValue],
        by: SSAValue,
        back: SSAValue,
    ) -> SSAValue:
        type = tensor_type(array)
        rank, element = len(extents), type.get_element_type()
        local = TensorType(element, [DYNAMIC_INDEX] * rank)
        result = tensor_block.tiled_type(local) if tensor_block.is_tiled(type) else local
        turn = self.driver.insert(arith.SubiOp(self.driver.index(0), back))

        def place(symbol: int) -> list[LinearIndex]:
            return [
                LinearIndex(((d, 1),), ((symbol, 1),) if d == axis else ()) for d in range(rank)
            ]

        def body(emitter: BodyEmitter, args: Sequence[SSAValue]) -> Sequence[SSAValue]:
            before = emitter.add(arith.CmpiOp(args[axis], turn, "slt"))
            return [emitter.add(arith.SelectOp(before, args[rank], args[rank + 1]))]

        arguments = [*[IndexType()] * rank, element, element]
        region = scalar_body(arguments, self.root.location, body)
        maps = [access_map(place(symbol), rank, 2) for symbol in (0, 1)]
        op = tensor_block.MapOp([array, array], extents, maps, region, result, symbols=[by, back])
        return self.driver.insert(op)


def _form_of(value: SSAValue) -> LinearForm:
    base, offset = affine_form(value)
    return LinearForm((), () if base is None else ((base, 1),), offset)


def has_wrapped_indices(root: Root) -> bool:
    """Whether some index of a comprehension may wrap around."""
    return any(isinstance(op, arith.RemSIOp) for op in root.body.block.ops)
