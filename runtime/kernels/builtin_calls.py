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
from itertools import count

from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.runtime.arrays.memory import SMALLEST
from diablo.runtime.kernels.signature import ELEMENTS
from diablo.runtime.native.machine_code import Entry
from diablo.runtime.native.object_calls import (
    ALIGNED,
    CONTIGUOUS,
    DATA,
    EXTENTS,
    FLAGS,
    NUMBER,
    OFFERED,
    RANK,
    TYPE,
    WRITEABLE,
    BuiltinFunction,
    builtin_function,
    word,
)
from diablo.runtime.native.thread_team import WORTH_SHARING

_BEGIN = "define ptr @call(ptr %self, ptr %arguments, i64 %count) {"
_END = f"""refuse:
  %refused = getelementptr i8, ptr %self, i64 {word("not_implemented")}
  %object = load ptr, ptr %refused
  %held = getelementptr i8, ptr %self, i64 {word("hold")}
  %hold = load ptr, ptr %held
  call void %hold(ptr %object)
  ret ptr %object
}}
"""
"""Behind the last line, to return that the call is Python's."""
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


class _Text:
    """Writes the text for a signature."""

    def __init__(self, signature: Signature):
        self._signature = signature
        self._head: list[str] = []
        """The memory that the function has on the stack."""
        self._lines: list[str] = []
        self._numbers = count()
        self._packed: list[tuple[str, str]] = []
        """The words of the call: their types and values."""
        self._extents: dict[tuple[int, int], str] = {}
        self._values: dict[int, str] = {}

    def write(self) -> str:
        """Return the module."""
        signature = self._signature
        given = len(signature.arguments) + OFFERED
        self._require(self._new(f"icmp eq i64 %count, {given}"))
        for number, slot in enumerate(signature.arguments):
            self._argument(number, slot)
        self._check_work()
        for number, slot in enumerate(signature.arguments):
            self._check_extents(number, slot)
        shapes = [self._shape(slot) for slot in signature.outputs]
        made = [self._output(k, shape) for k, shape in enumerate(shapes)]
        if signature.shared:
            self._packed += [("i64", "0"), ("i64", self._extent(signature.work[0]))]
        self._call()
        self._return(made)
        lines = [line if line.endswith(":") else f"  {line}" for line in self._head + self._lines]
        return "\n".join([_BEGIN, *lines, _END])

    # -- Instructions ----------------------------------------------------------------------

    def _new(self, instruction: str) -> str:
        name = f"%v{next(self._numbers)}"
        self._lines.append(f"{name} = {instruction}")
        return name

    def _require(self, condition: str) -> None:
        """Leave the call to Python unless something holds."""
        label = f"n{next(self._numbers)}"
        self._lines += [f"br i1 {condition}, label %{label}, label %refuse", f"{label}:"]

    def _at(self, pointer: str, offset: int | str) -> str:
        return self._new(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def _load(self, type: str, pointer: str, offset: int | str) -> str:
        return self._new(f"load {type}, ptr {self._at(pointer, offset)}")

    def _known(self, which: str | int) -> str:
        """Load a word of the table: the kernel's own are its address and the types of its slots."""
        return self._load("ptr", "%self", word(which))

    def _on_stack(self, type: str) -> str:
        name = f"%v{next(self._numbers)}"
        self._head.append(f"{name} = alloca {type}, align 8")
        return name

    def _label(self, name: str) -> None:
        """End the block by going on to another one."""
        self._lines += [f"br label %{name}", f"{name}:"]

    def _is(self, one: str, other: str) -> str:
        return self._new(f"icmp eq ptr {one}, {other}")

    # -- Arguments -------------------------------------------------------------------------

    def _argument(self, number: int, slot: Slot) -> None:
        given = self._load("ptr", "%arguments", 8 * (number + OFFERED))
        if slot.dimensions is not None:
            self._array(number, given, slot)
            return
        kind = self._load("ptr", given, 8)
        if slot.element == "f64":
            same = [self._is(kind, self._known(name)) for name in ("float", "float64")]
            self._require(self._new(f"or i1 {same[0]}, {same[1]}"))
            value = self._load("double", given, NUMBER)
        elif slot.element == "i64":
            self._require(self._is(kind, self._known("int")))
            flag = self._on_stack("i32")
            read = self._known("as_integer")
            value = self._new(f"call i64 {read}(ptr {given}, ptr {flag})")
            overflow = self._new(f"load i32, ptr {flag}")
            self._require(self._new(f"icmp eq i32 {overflow}, 0"))
            if slot.positive:
                self._require(self._new(f"icmp sgt i64 {value}, 0"))
        else:
            true = self._is(given, self._known("true"))
            false = self._is(given, self._known("false"))
            self._require(self._new(f"or i1 {true}, {false}"))
            value = self._new(f"zext i1 {true} to i8")
        self._values[number] = value
        self._packed.append((_NUMBERS[slot.element], value))

    def _array(self, number: int, given: str, slot: Slot) -> None:
        rank = len(slot.dimensions or ())
        extents = self._require_array(given, 1 + number, rank, CONTIGUOUS | ALIGNED)
        sizes = [self._load("i64", extents, 8 * axis) for axis in range(rank)]
        for axis, size in enumerate(sizes):
            self._extents[number, axis] = size
        self._pass(self._load("ptr", given, DATA), sizes)

    def _require_array(self, given: str, own: int, rank: int, flags: int) -> str:
        """Require an array of a type and rank with some flags; return where its extents are."""
        self._require(self._is(self._load("ptr", given, 8), self._known("array")))
        self._require(self._is(self._load("ptr", given, TYPE), self._known(own)))
        found = self._load("i32", given, RANK)
        self._require(self._new(f"icmp eq i32 {found}, {rank}"))
        found = self._new(f"and i32 {self._load('i32', given, FLAGS)}, {flags}")
        self._require(self._new(f"icmp eq i32 {found}, {flags}"))
        return self._load("ptr", given, EXTENTS)

    def _pass(self, address: str, sizes: Sequence[str]) -> None:
        """Pass an array on: its address, sizes and strides."""
        self._packed.append(("ptr", address))
        self._packed += [("i64", size) for size in sizes]
        strides: list[str] = []
        stride = ""
        for size in reversed(sizes[1:]):
            stride = self._new(f"mul i64 {stride}, {size}") if stride else size
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
            less = self._new(f"sub i64 {factor}, 1")
            self._require(self._new(f"icmp ult i64 {less}, {WORTH_SHARING}"))
            points = self._new(f"mul i64 {points}, {factor}")
            self._require(self._new(f"icmp ult i64 {points}, {WORTH_SHARING}"))

    def _check_extents(self, number: int, slot: Slot) -> None:
        for axis, dimension in enumerate(slot.dimensions or ()):
            if dimension is not None:
                size, least = self._extents[number, axis], self._extent(dimension)
                self._require(self._new(f"icmp sge i64 {size}, {least}"))

    # -- Outputs ---------------------------------------------------------------------------

    def _shape(self, slot: Slot) -> list[str] | None:
        """The extents of an output, none of which is large; None for a number."""
        if slot.dimensions is None:
            return None
        shape = [self._extent(dimension) for dimension in slot.dimensions if dimension is not None]
        most = (SMALLEST - 1) // ELEMENTS[slot.element].dtype.itemsize
        size = ""
        for extent in shape:
            self._require(self._new(f"icmp ule i64 {extent}, {most}"))
            size = self._new(f"mul i64 {size}, {extent}") if size else extent
            self._require(self._new(f"icmp ule i64 {size}, {most}"))
        return shape

    def _output(self, number: int, shape: Sequence[str] | None) -> str:
        """Make an output, and pass it; return the array, or where the number is."""
        slot = self._signature.outputs[number]
        takes = number == 0 and shape is not None and not slot.own
        offered = ""
        if number == 0:
            offered = self._load("ptr", "%arguments", 0)
            if not takes:
                self._require(self._is(offered, self._known("none")))
        if shape is None:
            place = self._on_stack("[2 x i64]")
            self._packed.append(("ptr", place))
            return place
        array = self._taken(offered, shape) if takes else self._new_array(number, shape)
        self._pass(self._load("ptr", array, DATA), shape)
        return array

    def _taken(self, offered: str, shape: Sequence[str]) -> str:
        """Write which array the first output is: the offered one, or a new one if there is none."""
        none = self._is(offered, self._known("none"))
        self._lines += [f"br i1 {none}, label %fresh, label %taken", "taken:"]
        flags = CONTIGUOUS | ALIGNED | WRITEABLE
        kind = 1 + len(self._signature.arguments)
        extents = self._require_array(offered, kind, len(shape), flags)
        for axis, extent in enumerate(shape):
            size = self._load("i64", extents, 8 * axis)
            self._require(self._new(f"icmp eq i64 {size}, {extent}"))
        self._lines.append(f"call void {self._known('hold')}(ptr {offered})")
        self._label("took")
        self._lines += ["br label %first", "fresh:"]
        made = self._new_array(0, shape)
        self._label("made")
        self._label("first")
        return self._new(f"phi ptr [ {offered}, %took ], [ {made}, %made ]")

    def _new_array(self, number: int, shape: Sequence[str]) -> str:
        dtype = ELEMENTS[self._signature.outputs[number].element].dtype
        extents = self._on_stack(f"[{max(1, len(shape))} x i64]")
        for axis, extent in enumerate(shape):
            self._lines.append(f"store i64 {extent}, ptr {self._at(extents, 8 * axis)}")
        kind, make = self._known("array"), self._known("new_array")
        array = self._new(
            f"call ptr {make}(ptr {kind}, i32 {len(shape)}, ptr {extents}, i32 {dtype.num}, "
            "ptr null, ptr null, i32 0, i32 0, ptr null)"
        )
        missing, found = (f"n{next(self._numbers)}" for _ in range(2))
        failed = self._is(array, "null")
        self._lines += [
            f"br i1 {failed}, label %{missing}, label %{found}",
            f"{missing}:",
            "ret ptr null",
            f"{found}:",
        ]
        return array

    # -- The call --------------------------------------------------------------------------

    def _call(self) -> None:
        words = self._on_stack(f"[{len(self._packed)} x i64]")
        for place, (type, value) in enumerate(self._packed):
            self._lines.append(f"store {type} {value}, ptr {self._at(words, 8 * place)}")
        self._lines.append(f"call void {self._known(0)}(ptr {words})")

    def _return(self, made: Sequence[str]) -> None:
        """Return the results: numbers as NumPy has them, arrays, or a tuple of several."""
        results: list[str] = []
        for number, (slot, value) in enumerate(zip(self._signature.outputs, made, strict=True)):
            if slot.temporary:
                if slot.dimensions is not None:
                    self._lines.append(f"call void {self._known('let_go')}(ptr {value})")
                continue
            result = value
            if slot.dimensions is None:
                type = self._known(1 + len(self._signature.arguments) + number)
                make = self._known("new_scalar")
                result = self._new(f"call ptr {make}(ptr {value}, ptr {type}, ptr null)")
            results.append(result)
        whole = results[0] if len(results) == 1 else ""
        if not whole:
            whole = self._new(f"call ptr {self._known('new_tuple')}(i64 {len(results)})")
            put = self._known("set_item")
            for place, result in enumerate(results):
                self._new(f"call i32 {put}(ptr {whole}, i64 {place}, ptr {result})")
        self._lines.append(f"ret ptr {whole}")
