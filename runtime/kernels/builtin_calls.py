"""Calls of machine code on small arrays as builtin functions: one text of LLVM per signature.

As `direct_calls`, whose function in Python takes some 5 microseconds to look at what a kernel is
given; this takes a tenth of that. For

    i64 f64[0] f64 -> f64[0] rows 0

it is about

    call(offered, a0, a1, a2):
        not an int, an array of float64 of one dimension in C order, a float    => NotImplemented
        a0 < 1, a0 >= limit, a1.shape[0] < a0                                  => NotImplemented
        o0 = offered if that is an array like the output, else a new one
        kernel(a0, a1's address, a1.shape[0], a2, o0's address, a0, 0, a0)
        return o0

`offered` is an array whose memory the output may take, or None. What it cannot do, it leaves to
Python: more points than threads share, arrays large enough for the pool (`arrays/memory.py`),
tables, tuples and complex numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.runtime.arrays.memory import SMALLEST
from diablo.runtime.kernels.signature import ELEMENTS
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.object_calls import (
    ALIGNED,
    CONTIGUOUS,
    DATA,
    WRITEABLE,
    BuiltinFunction,
    builtin_function,
)
from diablo.runtime.native.object_text import ObjectText
from diablo.runtime.native.thread_team import WORTH_SHARING

_OFFERED = 1
"""How many arguments of a call stand before those of the kernel."""
_KERNEL = 0
"""The number of the word that says where the kernel is; the types of its slots come behind it."""
_NUMBERS = {"i64": "i64", "f64": "double", "i1": "i8"}
"""The numbers that are read of objects, and how their words are stored."""


def builtin_call(signature: Signature, entry: Entry) -> BuiltinFunction | None:
    """A function that makes small calls; None for signatures that it is not for.

    It takes an array whose memory may be used, or None, and what the kernel takes. It returns
    `NotImplemented` where it cannot make the call.
    """
    if not all(map(_is_plain, signature.arguments)) or not all(map(_is_made, signature.outputs)):
        return None
    slots = [*signature.arguments, *signature.outputs]
    types = [ELEMENTS[slot.element].dtype for slot in slots]
    text = _Text(signature).write()
    return builtin_function(text, [entry.address, *map(id, types)], [entry, *types])


def _is_plain(slot: Slot) -> bool:
    if slot.dimensions is None:
        return slot.element in _NUMBERS
    return not slot.is_tuple


def _is_made(slot: Slot) -> bool:
    """Whether an output is a number or a whole array, or a temporary."""
    return not slot.is_tuple and (slot.temporary or not slot.own)


class _Text(ObjectText):
    """Writes the text for a signature."""

    def __init__(self, signature: Signature):
        super().__init__()
        self._signature = signature
        self._packed: list[tuple[str, str]] = []
        """The words of the call: their types and values."""
        self._extents: dict[tuple[int, int], str] = {}
        self._values: dict[int, str] = {}

    def write(self) -> str:
        """Return the module."""
        signature = self._signature
        given = len(signature.arguments) + _OFFERED
        self.require(self.new(f"icmp eq i64 %count, {given}"))
        for number, slot in enumerate(signature.arguments):
            self._argument(number, slot)
        self._check_work()
        for number, slot in enumerate(signature.arguments):
            self._check_extents(number, slot)
        shapes = [self._shape(slot) for slot in signature.outputs]
        made = [self._output(k, shape) for k, shape in enumerate(shapes)]
        if signature.shared:
            self._packed += [("i64", "0"), ("i64", self._extent(signature.work[0]))]
        if signature.has_scans:
            self._packed += [("i64", "0"), ("i64", "0")]  # Nothing is before the only piece.
        words = self.on_stack(f"[{len(self._packed)} x i64]")
        for place, (type, value) in enumerate(self._packed):
            self.store(type, value, words, 8 * place)
        self.add(f"call void {self.known(_KERNEL)}(ptr {words})")
        return self.returns(self._result(made))

    def _type(self, number: int) -> str:
        """The type of the elements of a slot; outputs are numbered behind the arguments."""
        return self.known(_KERNEL + 1 + number)

    # -- Arguments -------------------------------------------------------------------------

    def _argument(self, number: int, slot: Slot) -> None:
        given = self.load("ptr", "%arguments", 8 * (number + _OFFERED))
        if slot.dimensions is not None:
            self._array(number, given, slot)
            return
        match slot.element:
            case "f64":
                value = self.number(given)
            case "i64":
                value = self.integer(given)
                if slot.positive:
                    self.require(self.new(f"icmp sgt i64 {value}, 0"))
            case _:
                value = self.truth(given)
        self._values[number] = value
        self._packed.append((_NUMBERS[slot.element], value))

    def _array(self, number: int, given: str, slot: Slot) -> None:
        rank = len(slot.dimensions or ())
        extents = self.array(given, self._type(number), rank, CONTIGUOUS | ALIGNED)
        sizes = [self.load("i64", extents, 8 * axis) for axis in range(rank)]
        for axis, size in enumerate(sizes):
            self._extents[number, axis] = size
        self._pass(given, sizes)

    def _pass(self, array: str, sizes: Sequence[str]) -> None:
        """Pass an array on: its address, sizes and strides."""
        self._packed.append(("ptr", self.load("ptr", array, DATA)))
        self._packed += [("i64", size) for size in sizes]
        strides: list[str] = []
        stride = ""
        for size in reversed(sizes[1:]):
            stride = self.new(f"mul i64 {stride}, {size}") if stride else size
            strides.append(stride)
        self._packed += [("i64", stride) for stride in reversed(strides)]

    def _extent(self, dimension: Dimension) -> str:
        if dimension.constant is not None:
            return str(dimension.constant)
        if dimension.axis is not None:
            return self._extents[dimension.argument, dimension.axis]
        return self._values[dimension.argument]

    def _check_work(self) -> None:
        """Leave work that threads share, and no work, to Python."""
        points = str(self._signature.weight)
        for dimension in self._signature.work:
            factor = self._extent(dimension)
            less = self.new(f"sub i64 {factor}, 1")
            self.require(self.new(f"icmp ult i64 {less}, {WORTH_SHARING}"))
            points = self.new(f"mul i64 {points}, {factor}")
            self.require(self.new(f"icmp ult i64 {points}, {WORTH_SHARING}"))

    def _check_extents(self, number: int, slot: Slot) -> None:
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is not None:
                size, least = self._extents[number, axis], self._extent(dimension)
                self.require(self.new(f"icmp sge i64 {size}, {least}"))

    # -- Outputs ---------------------------------------------------------------------------

    def _shape(self, slot: Slot) -> list[str] | None:
        """The extents of an output, none of which is large; None for a number."""
        if slot.dimensions is None:
            return None
        shape = [self._extent(dimension) for dimension in slot.dimensions if dimension is not None]
        most = (SMALLEST - 1) // ELEMENTS[slot.element].dtype.itemsize
        size = ""
        for extent in shape:
            self.require(self.new(f"icmp ule i64 {extent}, {most}"))
            size = self.new(f"mul i64 {size}, {extent}") if size else extent
            self.require(self.new(f"icmp ule i64 {size}, {most}"))
        return shape

    def _output(self, number: int, shape: Sequence[str] | None) -> str:
        """Make an output, and pass it; return the array, or where the number is."""
        slot = self._signature.outputs[number]
        takes = number == 0 and shape is not None and not slot.own
        offered = ""
        if number == 0:
            offered = self.load("ptr", "%arguments", 0)
            if not takes:
                self.require(self.same(offered, self.known("none")))
        if slot.is_scanned:
            self._packed += [("i64", "0"), ("i64", "0")]  # It leaves nothing for others.
            return ""
        if shape is None:
            place = self.on_stack("[2 x i64]")
            self._packed.append(("ptr", place))
            return place
        array = self._taken(offered, shape) if takes else self._new(number, shape)
        self._pass(array, shape)
        return array

    def _taken(self, offered: str, shape: Sequence[str]) -> str:
        """Write which array the first output is: the offered one, or a new one if there is none."""
        none = self.same(offered, self.known("none"))
        self.add(f"br i1 {none}, label %fresh, label %taken", "taken:")
        kind = self._type(len(self._signature.arguments))
        extents = self.array(offered, kind, len(shape), CONTIGUOUS | ALIGNED | WRITEABLE)
        for axis, extent in enumerate(shape):
            size = self.load("i64", extents, 8 * axis)
            self.require(self.new(f"icmp eq i64 {size}, {extent}"))
        self.add(f"call void {self.known('hold')}(ptr {offered})")
        self.label("took")
        self.add("br label %first", "fresh:")
        made = self._new(0, shape)
        self.label("made")
        self.label("first")
        return self.new(f"phi ptr [ {offered}, %took ], [ {made}, %made ]")

    def _new(self, number: int, shape: Sequence[str]) -> str:
        return self.new_array(ELEMENTS[self._signature.outputs[number].element].dtype.num, *shape)

    def _result(self, made: Sequence[str]) -> str:
        """What the call returns: a number as NumPy has it, an array, or a tuple of several."""
        results: list[str] = []
        for number, (slot, value) in enumerate(zip(self._signature.outputs, made, strict=True)):
            if slot.temporary:
                if slot.dimensions is not None:
                    self.add(f"call void {self.known('let_go')}(ptr {value})")
                continue
            result = value
            if slot.dimensions is None:
                type = self._type(len(self._signature.arguments) + number)
                make = self.known("new_scalar")
                result = self.new(f"call ptr {make}(ptr {value}, ptr {type}, ptr null)")
            results.append(result)
        return results[0] if len(results) == 1 else self.new_tuple(*results)
