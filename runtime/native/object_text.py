"""The text of functions that read objects, in LLVM: what `object_calls` makes functions of.

    text = ObjectText()
    given = text.load("ptr", "%arguments", 0)
    text.require(text.same(text.load("ptr", given, OF_TYPE), text.known("list")))
    …
    text.returns("array")          ->   "define ptr @call(ptr %self, ptr %arguments, i64 %count) {…"

Where something that is required does not hold, the function returns `NotImplemented`.
"""

from __future__ import annotations

from itertools import count

from diablo.runtime.native.object_calls import (
    EXTENTS,
    FLAGS,
    NUMBER,
    OF_TYPE,
    RANK,
    TYPE,
    word,
)

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


class ObjectText:
    """The lines of one function; values are named as they are made."""

    def __init__(self) -> None:
        self._head: list[str] = []
        """The memory that the function has on the stack."""
        self._lines: list[str] = []
        self._numbers = count()

    def returns(self, object: str, *declared: str) -> str:
        """Return an object, to which the caller gets the reference: the text ends here."""
        self.add(f"ret ptr {object}")
        lines = [line if line.endswith(":") else f"  {line}" for line in self._head + self._lines]
        return "\n".join([*declared, _BEGIN, *lines, _END])

    # -- Instructions ----------------------------------------------------------------------

    def add(self, *lines: str) -> None:
        """Write lines as they are."""
        self._lines += lines

    def new(self, instruction: str) -> str:
        """Write an instruction, and return the name of its value."""
        name = self._name("%v")
        self.add(f"{name} = {instruction}")
        return name

    def on_stack(self, type: str) -> str:
        """Return the address of memory that the function has once."""
        name = self._name("%v")
        self._head.append(f"{name} = alloca {type}, align 8")
        return name

    def label(self, name: str) -> None:
        """End the block by going on to another one."""
        self.add(f"br label %{name}", f"{name}:")

    def labels(self, *names: str) -> list[str]:
        """Return names for blocks that there are not yet."""
        return [self._name(name) for name in names]

    def require(self, condition: str) -> None:
        """Refuse the call unless something holds."""
        (label,) = self.labels("n")
        self.add(f"br i1 {condition}, label %{label}, label %refuse", f"{label}:")

    def at(self, pointer: str, offset: int | str) -> str:
        """The address some bytes behind another."""
        return self.new(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def load(self, type: str, pointer: str, offset: int | str) -> str:
        """Read what lies some bytes behind an address."""
        return self.new(f"load {type}, ptr {self.at(pointer, offset)}")

    def store(self, type: str, value: str, pointer: str, offset: int | str = 0) -> None:
        """Write a value some bytes behind an address."""
        self.add(f"store {type} {value}, ptr {self.at(pointer, offset)}")

    def same(self, one: str, other: str) -> str:
        """Whether two addresses are one."""
        return self.new(f"icmp eq ptr {one}, {other}")

    def known(self, which: str | int) -> str:
        """Read a word of the table: by its name, or the caller's by its number."""
        return self.load("ptr", "%self", word(which))

    def require_no_null(self, pointer: str) -> None:
        """Return with the error that there is, if a function has returned null."""
        missing, found = self.labels("missing", "found")
        failed = self.same(pointer, "null")
        self.add(f"br i1 {failed}, label %{missing}, label %{found}")
        self.add(f"{missing}:", "ret ptr null", f"{found}:")

    def _name(self, kind: str) -> str:
        return f"{kind}{next(self._numbers)}"

    # -- Objects ---------------------------------------------------------------------------

    def type_of(self, object: str) -> str:
        """The type of an object."""
        return self.load("ptr", object, OF_TYPE)

    def integer(self, object: str) -> str:
        """The value of an integer, which is one of Python's, and of 64 bits."""
        self.require(self.same(self.type_of(object), self.known("int")))
        return self._integer(object)

    def _integer(self, object: str) -> str:
        flag = self.on_stack("i32")
        value = self.new(f"call i64 {self.known('as_integer')}(ptr {object}, ptr {flag})")
        overflow = self.new(f"load i32, ptr {flag}")
        self.require(self.new(f"icmp eq i32 {overflow}, 0"))
        return value

    def number(self, object: str, *, or_integer: bool = False) -> str:
        """The value of a floating-point number, Python's or NumPy's, or that of an integer."""
        kind = self.type_of(object)
        same = [self.same(kind, self.known(name)) for name in ("float", "float64")]
        is_float = self.new(f"or i1 {same[0]}, {same[1]}")
        if not or_integer:
            self.require(is_float)
            return self.load("double", object, NUMBER)
        floats, others, end, of_float, of_other = self.labels("is", "other", "end", "as", "from")
        self.add(f"br i1 {is_float}, label %{floats}, label %{others}", f"{floats}:")
        value = self.load("double", object, NUMBER)
        self.label(of_float)
        self.add(f"br label %{end}", f"{others}:")
        whole = self.new(f"sitofp i64 {self.integer(object)} to double")
        self.label(of_other)
        self.label(end)
        return self.new(f"phi double [ {value}, %{of_float} ], [ {whole}, %{of_other} ]")

    def truth(self, object: str) -> str:
        """1 for `True` and 0 for `False`, as a byte."""
        true, false = (self.same(object, self.known(name)) for name in ("true", "false"))
        self.require(self.new(f"or i1 {true}, {false}"))
        return self.new(f"zext i1 {true} to i8")

    def array(self, object: str, type: str, rank: int, flags: int) -> str:
        """The address of the extents of an array, which has a type, a rank and some flags."""
        self.require(self.same(self.type_of(object), self.known("array")))
        self.require(self.same(self.load("ptr", object, TYPE), type))
        found = self.load("i32", object, RANK)
        self.require(self.new(f"icmp eq i32 {found}, {rank}"))
        found = self.new(f"and i32 {self.load('i32', object, FLAGS)}, {flags}")
        self.require(self.new(f"icmp eq i32 {found}, {flags}"))
        return self.load("ptr", object, EXTENTS)

    def new_array(self, number: int, *shape: str) -> str:
        """A new array of the type that has a number in NumPy."""
        extents = self.on_stack(f"[{max(1, len(shape))} x i64]")
        for axis, extent in enumerate(shape):
            self.store("i64", extent, extents, 8 * axis)
        array = self.new(
            f"call ptr {self.known('new_array')}(ptr {self.known('array')}, i32 {len(shape)}, "
            f"ptr {extents}, i32 {number}, ptr null, ptr null, i32 0, i32 0, ptr null)"
        )
        self.require_no_null(array)
        return array

    def new_tuple(self, *parts: str) -> str:
        """A new tuple, which takes the references to its parts."""
        whole = self.new(f"call ptr {self.known('new_tuple')}(i64 {len(parts)})")
        self.require_no_null(whole)
        for place, part in enumerate(parts):
            self.new(f"call i32 {self.known('set_item')}(ptr {whole}, i64 {place}, ptr {part})")
        return whole
