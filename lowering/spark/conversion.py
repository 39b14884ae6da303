"""What the conversion to the spark level knows while it walks a program.

Every array has its dimensions at hand as `index` values, since a kernel is given its
tile's place, and a distributed value is an RDD.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from xdsl.builder import Builder
from xdsl.dialects.builtin import IndexType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineMap

from diablo.dialects import comprehension, multiloop, spark, tensor_block
from diablo.dialects.access_maps import picked_dimensions
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import located
from diablo.lowering.spark.outlined_kernels import (
    Argument,
    Kernels,
    bind_constants,
    driver_name,
    is_constant,
    local_value_type,
)
from diablo.lowering.unsupported import unsupported

OperationT = TypeVar("OperationT", bound=Operation)
Dims = tuple[SSAValue, ...]


def converted_type(type: Attribute) -> Attribute:
    """The type of a value at the spark level: an RDD for a tiled array or a bag."""
    if isinstance(type, BagType):
        return spark.RDDType([], [spark.plain_rows(type)])
    array = as_array(type)
    if array is None or not tensor_block.is_tiled(array):
        return type
    return spark.RDDType([IndexType()] * array.get_num_dims(), [tensor_block.local_type(array)])


def map_dims(op: Operation, map: AffineMap) -> tuple[int, ...]:
    """The iteration dimensions that an indexing map picks, in order."""
    positions = picked_dimensions(map)
    if positions is None:
        raise unsupported(op, f"an indexing map must pick dimensions, but this is {map}")
    return tuple(positions)


@dataclass
class Conversion:
    """The state: old values to new ones, the dimensions of arrays, and the kernels made."""

    builder: Builder
    kernels: Kernels = field(default_factory=Kernels)
    values: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    dims: dict[SSAValue, Dims] = field(default_factory=dict[SSAValue, Dims])
    """The dimensions of new values: of distributed and of local arrays."""
    local_arrays: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The array on the driver that an RDD of tiles was made of."""
    local_rows: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The bag on the driver that an RDD of rows was made of."""
    hoisted: set[Operation] = field(default_factory=set[Operation])
    """The ops that were converted ahead of their turn."""
    whole: bool = False
    """Whether every array is one tile, and every bag one batch, of this process."""

    def insert(self, op: OperationT, like: Operation) -> OperationT:
        """Insert a new op that stands for `like`, with its location."""
        located(op, like)
        self.builder.insert(op)
        return op

    def add(self, op: Operation, like: Operation) -> SSAValue:
        """Insert a new op; return its result."""
        return self.insert(op, like).results[0]

    def of(self, value: SSAValue) -> SSAValue:
        """The new value for an old one."""
        return self.values[value]

    def all_of(self, values: Iterable[SSAValue]) -> list[SSAValue]:
        """The new values for old ones."""
        return [self.values[value] for value in values]

    def define(self, old: SSAValue, new: SSAValue, dims: Sequence[SSAValue] = ()) -> None:
        """`new` stands for `old` from now on; `dims` are its dimensions if it is an array."""
        self.values[old] = new
        if dims:
            self.dims[new] = tuple(dims)
        if new.name_hint is None:
            new.name_hint = old.name_hint

    def captures(self, op: Operation, free: Sequence[SSAValue]) -> Captures:
        """Return how the free values of a kernel's body reach it.

        All workers get the whole of an array that it reads, of a map that it looks into, and of a
        list that it loops over.
        """
        captured: list[SSAValue] = []
        for value in free:
            if isinstance(value.type, BagType) and not _is_only_read(value, op):
                raise unsupported(op, "a list is used inside the computation of an element")
            if not is_constant(value):
                captured.append(value)
        return Captures(list(free), captured)

    def distribute(self, old: SSAValue, new: SSAValue, like: Operation) -> SSAValue:
        """The bag `new` of the driver stands, as an RDD, for `old`; return the RDD."""
        distributed = converted_type(old.type)
        assert isinstance(distributed, spark.RDDType)
        rdd = self.add(spark.ParallelizeOp(new, distributed), like)
        self.local_rows[rdd] = new
        self.define(old, rdd)
        return rdd

    def on_driver(self, old: SSAValue, like: Operation) -> SSAValue:
        """The value of `old` on the driver; what is distributed is collected."""
        new = self.values[old]
        if not isinstance(new.type, spark.RDDType):
            return new
        if not isinstance(old.type, BagType):
            local = local_value_type(old.type)
            whole = self.add(spark.CollectOp(new, self.dims[new], local), like)
            self.dims[whole] = self.dims[new]
            return whole
        if new in self.local_rows:
            return self.local_rows[new]
        return self.add(spark.CollectOp(new, (), old.type), like)

    def shipped(self, old: SSAValue, like: Operation) -> SSAValue:
        """A value of the driver as workers get it: scalars are copied, all others broadcast."""
        new = self.values[old]
        if isinstance(new.type, TensorType | spark.RDDType):
            return self.broadcast(self.whole_rows(new, old.type), like)
        return new

    def whole_rows(self, rows: SSAValue, bag: Attribute) -> SSAValue:
        """Return what an RDD of rows was made of if the driver has it: it is not collected then."""
        local = self.local_rows.get(rows) or self.local_arrays.get(rows)
        if local is None or not isinstance(bag, BagType):
            return rows
        return local if local.type == spark.plain_rows(bag) else rows

    def broadcast(self, array: SSAValue, like: Operation) -> SSAValue:
        """The whole of an array on every worker."""
        # What is gathered has to know how large it is.
        tiled = isinstance(array.type, spark.RDDType)
        result = self.add(spark.BroadcastOp(array, self.dims.get(array, ()) if tiled else ()), like)
        result.name_hint = array.name_hint
        return result


def _is_only_read(value: SSAValue, op: Operation) -> bool:
    """Whether the body of `op` does no more with `value` than look into it, or loop over it."""
    return all(
        isinstance(inner, multiloop.LoopOp)
        or (isinstance(inner, comprehension.ProbeOp) and value not in inner.keys)
        for inner in op.walk()
        # The rows that `op` goes through may be those that its body loops over.
        if inner is not op and value in inner.operands
    )


@dataclass(frozen=True)
class Captures:
    """The free values of a kernel's body: constants are repeated, the others passed."""

    free: list[SSAValue]
    captured: list[SSAValue]

    def operands(self, conversion: Conversion, like: Operation) -> list[SSAValue]:
        """The captured values as an RDD operation takes them."""
        return [conversion.shipped(value, like) for value in self.captured]

    def arguments(self) -> list[Argument]:
        """The kernel's trailing arguments."""
        return [Argument(local_value_type(v.type), driver_name(v)) for v in self.captured]

    def bind(self, builder: Builder, arguments: Sequence[SSAValue]) -> dict[SSAValue, SSAValue]:
        """The kernel's values for the free ones."""
        bound = bind_constants(builder, self.free)
        bound.update(zip(self.captured, arguments, strict=True))
        return bound
