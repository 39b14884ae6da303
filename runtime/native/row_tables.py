"""Hash tables of rows of 64-bit words, which machine code finds rows in and adds rows to.

    table = RowTable(keys=1, rows=np.array([[7, 1], [9, 4]]))
    table.find([9])          ->  [4]            None of a key that it does not have
    table.put([9, 5])                           a row more, or another one for that key
    table.rows()             ->  [[7, 1], [9, 5]], in the order in which keys came

Code calls, with the address of the table's words and of a row, whose keys come first,

    declare i64 @diablo_find_row(ptr %table, ptr %row)      1 and what the table has behind the
                                                            keys, or 0 and zeros
    declare i64 @diablo_put_row(ptr %table, ptr %row)       1, or 0 if there is no room
    declare i64 @diablo_count_rows(ptr %table)

The rows lie in a vector one behind the other. Where in it a row is, counted from 1, stands in a
slot: the one that its keys are hashed to, or the first empty one from there on (0). Memory is
NumPy's: where a row has no room code asks for more by a function of this module, and what that
raises is kept until the code has returned (`raise_failure`).

The code is LLVM IR written by hand, since xDSL's back end calls no functions by their address, and
a table that grows has its rows at another one.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from diablo.runtime.forking import COMPILER
from diablo.runtime.memory_limit import reserve
from diablo.runtime.native.addresses import address_of
from diablo.runtime.native.machine_code import PROVIDED, Machine, kept, optimised, text_key

Words = NDArray[np.int64]

FIND, PUT, COUNT = "diablo_find_row", "diablo_put_row", "diablo_count_rows"
"""The names that machine code calls the functions by."""

_SLOTS, _MASK, _ROWS, _COUNT, _ROOM, _KEYS, _WIDTH, _NUMBER = range(8)
"""The words of a table: addresses, how many slots less one, how many rows, for how many there is
room, how many keys and words a row has, and by which number this module knows the table."""
_LEAST = 16
"""For how many rows a table has room at first."""

_CODE = """
declare i64 @diablo_grow_table(i64)

; Each key is added and mixed in (the finalizer of MurmurHash3, by Austin Appleby).
define internal i64 @hash(ptr %row, i64 %keys) {
entry:
  br label %next
next:
  %k = phi i64 [0, %entry], [%k_next, %next]
  %mixed = phi i64 [0, %entry], [%mixed_next, %next]
  %place = getelementptr i64, ptr %row, i64 %k
  %word = load i64, ptr %place
  %sum = add i64 %mixed, %word
  %upper_1 = lshr i64 %sum, 33
  %xor_1 = xor i64 %sum, %upper_1
  %product_1 = mul i64 %xor_1, -49064778989728563
  %upper_2 = lshr i64 %product_1, 33
  %xor_2 = xor i64 %product_1, %upper_2
  %product_2 = mul i64 %xor_2, -4265267296055464877
  %upper_3 = lshr i64 %product_2, 33
  %mixed_next = xor i64 %product_2, %upper_3
  %k_next = add i64 %k, 1
  %more = icmp slt i64 %k_next, %keys
  br i1 %more, label %next, label %end
end:
  ret i64 %mixed_next
}

; The address of the row that has the keys of another one; or 0, and where the first empty slot is.
define internal i64 @probe(ptr %table, ptr %row, ptr %empty_slot) {
entry:
  %slots_word = load i64, ptr %table
  %slots = inttoptr i64 %slots_word to ptr
  %mask_place = getelementptr i64, ptr %table, i64 MASK
  %mask = load i64, ptr %mask_place
  %rows_place = getelementptr i64, ptr %table, i64 ROWS
  %rows_word = load i64, ptr %rows_place
  %rows = inttoptr i64 %rows_word to ptr
  %keys_place = getelementptr i64, ptr %table, i64 KEYS
  %keys = load i64, ptr %keys_place
  %width_place = getelementptr i64, ptr %table, i64 WIDTH
  %width = load i64, ptr %width_place
  %hash = call i64 @hash(ptr %row, i64 %keys)
  %first = and i64 %hash, %mask
  br label %look
look:
  %slot = phi i64 [%first, %entry], [%slot_next, %other]
  %place = getelementptr i64, ptr %slots, i64 %slot
  %number = load i64, ptr %place
  %empty = icmp eq i64 %number, 0
  br i1 %empty, label %missing, label %compare
compare:
  %before = sub i64 %number, 1
  %offset = mul i64 %before, %width
  %found = getelementptr i64, ptr %rows, i64 %offset
  br label %equal
equal:
  %k = phi i64 [0, %compare], [%k_next, %same]
  %wanted_place = getelementptr i64, ptr %row, i64 %k
  %wanted = load i64, ptr %wanted_place
  %has_place = getelementptr i64, ptr %found, i64 %k
  %has = load i64, ptr %has_place
  %equals = icmp eq i64 %wanted, %has
  br i1 %equals, label %same, label %other
same:
  %k_next = add i64 %k, 1
  %left = icmp slt i64 %k_next, %keys
  br i1 %left, label %equal, label %there
other:
  %beside = add i64 %slot, 1
  %slot_next = and i64 %beside, %mask
  br label %look
missing:
  store ptr %place, ptr %empty_slot
  ret i64 0
there:
  %address = ptrtoint ptr %found to i64
  ret i64 %address
}

define i64 @find_row(ptr %table, ptr %row) {
entry:
  %empty_slot = alloca ptr
  %address = call i64 @probe(ptr %table, ptr %row, ptr %empty_slot)
  %missing = icmp eq i64 %address, 0
  %keys_place = getelementptr i64, ptr %table, i64 KEYS
  %keys = load i64, ptr %keys_place
  %width_place = getelementptr i64, ptr %table, i64 WIDTH
  %width = load i64, ptr %width_place
  %found = inttoptr i64 %address to ptr
  br label %head
head:
  %k = phi i64 [%keys, %entry], [%k_next, %store]
  %more = icmp slt i64 %k, %width
  br i1 %more, label %value, label %end
value:
  br i1 %missing, label %store, label %read
read:
  %from = getelementptr i64, ptr %found, i64 %k
  %has = load i64, ptr %from
  br label %store
store:
  %word = phi i64 [0, %value], [%has, %read]
  %to = getelementptr i64, ptr %row, i64 %k
  store i64 %word, ptr %to
  %k_next = add i64 %k, 1
  br label %head
end:
  %is_there = xor i1 %missing, true
  %result = zext i1 %is_there to i64
  ret i64 %result
}

define i64 @put_row(ptr %table, ptr %row) {
entry:
  %empty_slot = alloca ptr
  %width_place = getelementptr i64, ptr %table, i64 WIDTH
  %width = load i64, ptr %width_place
  %count_place = getelementptr i64, ptr %table, i64 COUNT
  %room_place = getelementptr i64, ptr %table, i64 ROOM
  br label %try
try:
  %address = call i64 @probe(ptr %table, ptr %row, ptr %empty_slot)
  %missing = icmp eq i64 %address, 0
  br i1 %missing, label %new, label %old
new:
  %count = load i64, ptr %count_place
  %room = load i64, ptr %room_place
  %full = icmp sge i64 %count, %room
  br i1 %full, label %grow, label %add
grow:
  %number_place = getelementptr i64, ptr %table, i64 NUMBER
  %number = load i64, ptr %number_place
  %grown = call i64 @diablo_grow_table(i64 %number)
  %failed = icmp eq i64 %grown, 0
  br i1 %failed, label %fail, label %try
fail:
  ret i64 0
add:
  %rows_place = getelementptr i64, ptr %table, i64 ROWS
  %rows_word = load i64, ptr %rows_place
  %rows = inttoptr i64 %rows_word to ptr
  %offset = mul i64 %count, %width
  %last = getelementptr i64, ptr %rows, i64 %offset
  %after = add i64 %count, 1
  store i64 %after, ptr %count_place
  %slot = load ptr, ptr %empty_slot
  store i64 %after, ptr %slot
  br label %copy
old:
  %there = inttoptr i64 %address to ptr
  br label %copy
copy:
  %target = phi ptr [%last, %add], [%there, %old]
  br label %next
next:
  %k = phi i64 [0, %copy], [%k_next, %next]
  %from = getelementptr i64, ptr %row, i64 %k
  %word = load i64, ptr %from
  %to = getelementptr i64, ptr %target, i64 %k
  store i64 %word, ptr %to
  %k_next = add i64 %k, 1
  %more = icmp slt i64 %k_next, %width
  br i1 %more, label %next, label %end
end:
  ret i64 1
}

define i64 @count_rows(ptr %table) {
  %count_place = getelementptr i64, ptr %table, i64 COUNT
  %count = load i64, ptr %count_place
  ret i64 %count
}

; Number the rows, whose keys differ, in slots that are all empty.
define void @fill(ptr %table) {
entry:
  %empty_slot = alloca ptr
  %rows_place = getelementptr i64, ptr %table, i64 ROWS
  %rows_word = load i64, ptr %rows_place
  %rows = inttoptr i64 %rows_word to ptr
  %count_place = getelementptr i64, ptr %table, i64 COUNT
  %count = load i64, ptr %count_place
  %width_place = getelementptr i64, ptr %table, i64 WIDTH
  %width = load i64, ptr %width_place
  br label %head
head:
  %n = phi i64 [0, %entry], [%after, %body]
  %more = icmp slt i64 %n, %count
  br i1 %more, label %body, label %end
body:
  %offset = mul i64 %n, %width
  %row = getelementptr i64, ptr %rows, i64 %offset
  %found = call i64 @probe(ptr %table, ptr %row, ptr %empty_slot)
  %slot = load ptr, ptr %empty_slot
  %after = add i64 %n, 1
  store i64 %after, ptr %slot
  br label %head
end:
  ret void
}
"""


class RowTable:
    """A table of rows, each of so many words, of which the first `keys` tell it from the others.

    Parameters
    ----------
    keys : how many words the keys are
    rows : the rows that it begins with, whose keys differ: a matrix with a row for each
    """

    def __init__(self, keys: int, rows: Words):
        self._functions = _functions()
        number = next(_numbers)
        count, width = rows.shape
        self.words = np.zeros(8, np.int64)
        """What machine code is handed, by its address."""
        self.words[[_COUNT, _KEYS, _WIDTH, _NUMBER]] = count, keys, width, number
        self._held, self._slots = rows, np.zeros(0, np.int64)
        self._make_room(count)
        _tables[number] = self

    def __len__(self) -> int:
        return int(self.words[_COUNT])

    def rows(self) -> Words:
        """The rows, in the order in which their keys came; what is put changes them."""
        return self._held[: len(self)]

    def find(self, keys: Sequence[int]) -> list[int] | None:
        """What the table has behind keys, as 64 bits with a sign; None if it has not these."""
        row = self._row(keys)
        if not self._functions.find(address_of(self.words), address_of(row)):
            return None
        return row[len(keys) :].tolist()

    def put(self, row: Sequence[int]) -> None:
        """Add a row, or let it be the one with its keys."""
        words = self._row(row)
        if not self._functions.put(address_of(self.words), address_of(words)):
            raise_failure()

    def _row(self, words: Sequence[int]) -> Words:
        row = np.empty(int(self.words[_WIDTH]), np.int64)
        row[: len(words)] = words
        return row

    def grow(self) -> None:
        """Make room for twice as many rows."""
        self._make_room(2 * len(self))

    def _make_room(self, rows: int) -> None:
        """Move the rows to where so many have room, with empty slots for half of all at least."""
        room = max(_LEAST, rows)
        slots = 1 << (2 * room - 1).bit_length()
        width = int(self.words[_WIDTH])
        reserve(8 * (room * width + slots), "a hash table of {} keys", room)
        held = np.empty((room, width), np.int64)
        held[: len(self)] = self._held[: len(self)]
        self._held, self._slots = held, np.zeros(slots, np.int64)
        self.words[[_SLOTS, _ROWS]] = address_of(self._slots), address_of(held)
        self.words[[_MASK, _ROOM]] = slots - 1, room
        self._functions.fill(address_of(self.words))


_numbers = count()
_tables: WeakValueDictionary[int, RowTable] = WeakValueDictionary()
_thread = threading.local()
"""Of each thread `raised`, what kept a table from growing."""


def _grow(number: int) -> int:
    try:
        _tables[number].grow()
    except BaseException as error:
        _thread.raised = error
        return 0
    return 1


def raise_failure() -> None:
    """Raise what kept a table of this thread from growing."""
    error, _thread.raised = _thread.raised, None
    raise error


@cache
def _grow_callback() -> Any:
    return ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(_grow)


def _grow_address() -> int:
    address = ctypes.cast(_grow_callback(), ctypes.c_void_p).value
    assert address is not None
    return address


class _Functions:
    """The machine code of tables."""

    def __init__(self) -> None:
        import llvmlite.binding as binding

        llvm: Any = binding
        text = _CODE
        for name, place in (
            *(("MASK", _MASK), ("ROWS", _ROWS), ("COUNT", _COUNT), ("ROOM", _ROOM)),
            *(("KEYS", _KEYS), ("WIDTH", _WIDTH), ("NUMBER", _NUMBER)),
        ):
            text = text.replace(f"i64 {name}\n", f"i64 {place}\n")
        with COMPILER:
            code = kept(text_key(text), lambda: optimised(llvm.parse_assembly(text)))
            self._machine = machine = Machine(code)
        self.count_address = machine.address("count_rows")
        address, number = ctypes.c_void_p, ctypes.c_int64
        self.find_address, self.put_address = (
            machine.address("find_row"),
            machine.address("put_row"),
        )
        self.find = ctypes.CFUNCTYPE(number, address, address)(self.find_address)
        self.put = ctypes.CFUNCTYPE(number, address, address)(self.put_address)
        self.fill = ctypes.CFUNCTYPE(None, address)(machine.address("fill"))


@cache
def _functions() -> _Functions:
    return _Functions()


def possible() -> bool:
    """Return whether there are such tables: they are machine code, which llvmlite makes."""
    try:
        _functions()
    except (ImportError, OSError):  # A worker of Spark may have no room for LLVM in its bound.
        return False
    return True


PROVIDED["diablo_grow_table"] = _grow_address
PROVIDED[FIND] = lambda: _functions().find_address
PROVIDED[PUT] = lambda: _functions().put_address
PROVIDED[COUNT] = lambda: _functions().count_address
