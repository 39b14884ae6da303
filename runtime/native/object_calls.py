"""Machine code that Python calls as a builtin function, with objects.

    scale = builtin_function("define ptr @call(ptr %self, ptr %arguments, i64 %count) {…", words)
    scale(None, array, 2.0)

A function in Python that reads addresses, numbers and extents of what it is given takes longer than
a kernel on some hundred elements. Here machine code reads them where CPython and NumPy have them:
the addresses of types and of the functions of their C interfaces that it wants stand in a table,
before words of the caller's own, so that the text is the same in every process and its code can be
kept. It holds the interpreter lock, and is for what takes microseconds.

What is assumed of objects is part of the interfaces that extensions are compiled for
(`PyArrayObject_fields`, `PyFloatObject`); where an array is not as it says, there are none of these
functions.
"""

from __future__ import annotations

import ctypes
import struct
import sys
import sysconfig
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from diablo.runtime.forking import COMPILER
from diablo.runtime.native.machine_code import Machine, kept, optimised, text_key

_HEAD = 16
"""The bytes of the count of references and the type, with which every object begins."""
_BYTES = bytes.__basicsize__ - 1
"""Where an object of bytes has these."""
OF_TYPE = 8
"""Where an object has its type."""
LENGTH, ITEMS = 16, 24
"""Where a tuple and a list have their length; where a tuple has its items, and a list where they
are."""
TEXT_STATE, IS_ASCII, IS_WITHIN = 32, 1 << 6, 1 << 5
"""Where a string has what is known of it, and the bits that say that it is ASCII, and that its
object has its characters."""
TEXT = sys.getsizeof("") - 1
"""Where a string has its bytes, if it is ASCII and has them in its object."""
DATA, RANK, EXTENTS, TYPE, FLAGS = 16, 24, 32, 56, 64
"""Where an array has its address, its rank, the address of its extents, its type, its flags."""
NUMBER = _HEAD
"""Where a floating-point number has its value."""
CONTIGUOUS, ALIGNED, WRITEABLE = 0x1, 0x100, 0x400
"""Flags of an array in C order."""
_FASTCALL = 0x80
"""That a function takes the address of its arguments, and how many there are."""
_NEW, _SCALAR = 93, 60
"""The numbers of `PyArray_New` and `PyArray_Scalar` in NumPy's table of functions."""

_MOST_KEPT = 256
"""How many texts have machine code though nobody holds a function of theirs."""

TABLE = (
    "array",
    "float",
    "float64",
    "int",
    "true",
    "false",
    "none",
    "tuple",
    "list",
    "str",
    "not_implemented",
    "as_integer",
    "as_utf8",
    "forget_error",
    "new_array",
    "new_scalar",
    "new_tuple",
    "set_item",
    "hold",
    "let_go",
)
"""What stands before the caller's words in the table."""


class _Definition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("text", ctypes.c_char_p),
    )


BuiltinFunction = Callable[..., Any]
"""A function of machine code."""


def builtin_function(
    llvm_ir: str, words: Sequence[int], held: Sequence[Any]
) -> BuiltinFunction | None:
    """Make a function of the text of a module; None where there are none, or no compiler.

    Parameters
    ----------
    llvm_ir : defines `ptr @call(ptr %self, ptr %arguments, i64 %count)`, which returns a new
        reference, null for an error; `word` says where it finds the words of the table
    words : those of the caller, for the table
    held : what has to live as long as the function
    """
    if not are_possible():
        return None
    try:
        machine = _machine(llvm_ir)
    except (ImportError, OSError):  # A worker of Spark may have no room for LLVM in its bound.
        return None
    definition = _Definition(b"kernel", machine.address("call"), _FASTCALL, None)
    table = struct.pack(f"{len(TABLE) + len(words)}q", *_table(), *words)
    make: Any = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.POINTER(_Definition), ctypes.py_object, ctypes.py_object)
    # As its module it has what it needs: that is the last which it lets go of, after any call.
    return make(ctypes.byref(definition), table, (definition, machine, *held))


def word(which: int | str) -> int:
    """Return where `%self` has a word: one of `TABLE` by its name, the caller's by its number."""
    return _BYTES + 8 * (TABLE.index(which) if isinstance(which, str) else len(TABLE) + which)


@lru_cache(_MOST_KEPT)
def _machine(llvm_ir: str) -> Machine:
    import llvmlite.binding as binding

    llvm: Any = binding
    with COMPILER:
        code = kept(text_key(llvm_ir), lambda: optimised(llvm.parse_assembly(llvm_ir), quick=True))
        return Machine(code)


@cache
def _table() -> tuple[int, ...]:
    """The addresses of `TABLE`."""
    api = ctypes.pythonapi

    def function(name: str) -> int:
        return ctypes.cast(getattr(api, name), ctypes.c_void_p).value or 0

    arrays = _array_functions()
    return (
        *map(id, (np.ndarray, float, np.float64, int, True, False, None)),
        *map(id, (tuple, list, str, NotImplemented)),
        *map(function, ("PyLong_AsLongLongAndOverflow", "PyUnicode_AsUTF8AndSize", "PyErr_Clear")),
        arrays[_NEW],
        arrays[_SCALAR],
        *map(function, ("PyTuple_New", "PyTuple_SetItem", "Py_IncRef", "Py_DecRef")),
    )


def _array_functions() -> Any:
    """NumPy's table of functions for extensions."""
    from numpy._core import _multiarray_umath as umath  # pyright: ignore

    address: Any = ctypes.pythonapi.PyCapsule_GetPointer
    address.restype = ctypes.c_void_p
    address.argtypes = (ctypes.py_object, ctypes.c_char_p)
    found = address(umath._ARRAY_API, None)  # pyright: ignore
    return (ctypes.c_size_t * (_NEW + 1)).from_address(found)


@cache
def are_possible() -> bool:
    """Whether this interpreter, and its NumPy, keep objects as is assumed here."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if object.__basicsize__ != _HEAD or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    try:
        _table()
    except (ImportError, AttributeError, ValueError):
        return False
    return _are_arrays() and _are_sequences()


def _are_arrays() -> bool:
    """Whether arrays and numbers are as is assumed."""
    probe = np.zeros((3, 4, 5), np.float32)[1:]
    number = np.float64(2.5)
    words: Any = ctypes.c_int64.from_address
    data = probe.__array_interface__["data"][0]
    return (
        words(id(probe) + DATA).value == data
        and ctypes.c_int32.from_address(id(probe) + RANK).value == 3
        and words(words(id(probe) + EXTENTS).value + 8).value == 4
        and words(id(probe) + TYPE).value == id(np.dtype(np.float32))
        and ctypes.c_int32.from_address(id(probe) + FLAGS).value & 0x501
        == CONTIGUOUS | ALIGNED | WRITEABLE
        and ctypes.c_double.from_address(id(number) + NUMBER).value == 2.5
    )


def _are_sequences() -> bool:
    """Whether tuples, lists, strings and bytes are as is assumed."""
    words: Any = ctypes.c_int64.from_address
    parts = (object(), object(), object())
    items = list(parts)
    text, other, data = "abcdefgh" * 3, "äbcdefgh" * 3, b"abcdefgh"
    lengths = (words(id(whole) + LENGTH).value for whole in (parts, items, text, other))
    states = [ctypes.c_int32.from_address(id(t) + TEXT_STATE).value for t in (text, other)]
    return (
        list(lengths) == [3, 3, 24, 24]
        and words(id(parts) + ITEMS + 16).value == id(parts[2])
        and words(words(id(items) + ITEMS).value + 16).value == id(parts[2])
        and [state & IS_ASCII for state in states] == [IS_ASCII, 0]
        and all(state & IS_WITHIN for state in states)
        and ctypes.string_at(id(text) + TEXT, 24) == text.encode()
        and ctypes.string_at(id(data) + _BYTES, 8) == data
    )
