"""LLVM IR text to something that can be called.

    add = machine_code("add", "define void @add(ptr %a, double %s) {…")
    add(address, 1.0)

Compiled for the machine that runs, at the highest level, with loop and superword vectorisation,
unless it runs so little that it had better be compiled quickly.
Calls release the interpreter lock. Arguments are passed as one string of bytes, 8 for each: that
is made faster than ctypes converts them, and threads need not know what they are handed.

A text is compiled once while somebody holds what was made of it or it is among the last ones, and
the code is kept on the disk for other processes (`disk_cache`), which then only link it.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import struct
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from diablo.llvm_pipeline import run_llvm_passes
from diablo.runtime.disk_cache import is_on, is_stored, store, stored
from diablo.runtime.forking import COMPILER
from diablo.runtime.native.interruption import INTERRUPTED, interrupted_address

_FORMATS = {
    "ptr": "q",
    "i64": "q",
    "i32": "i4x",
    "i16": "h6x",
    "i8": "b7x",
    "double": "d",
    "float": "f4x",
    "i1": "?7x",
}
"""How an argument of each of LLVM's types is packed; an address is an integer.

The table of scalar types has no say here: code has integers of a width alone, with a sign or none.
"""
_WRAPPING = {
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "i16": ctypes.c_int16,
    "i8": ctypes.c_int8,
}
_PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_char_p)

PROVIDED: dict[str, Callable[[], int]] = {INTERRUPTED: interrupted_address}
"""Functions of this process that machine code may call by their names, and what says where."""
_HIGHEST, _LOWEST = 3, 1
"""The levels at which LLVM optimises."""
_MOST_KEPT = 256
"""How many functions stay compiled though nobody holds them."""
_recent: OrderedDict[Hashable, Entry] = OrderedDict()
"""The functions that were asked for last."""
_living: WeakValueDictionary[Hashable, Entry] = WeakValueDictionary()
"""All that somebody holds."""
_let_go: deque[Any] = deque()
"""Code that nobody can call any more: freed under the compiler's lock, so that none forks then."""
_numbers = count()


def _new_machine(level: int) -> Any:
    """Return a machine that code is made for."""
    import llvmlite.binding as binding

    llvm: Any = binding
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=level,
        reloc="pic",
        codemodel="small",
    )


_machine = cache(_new_machine)


@cache
def _linker() -> Any:
    """Return what links code into this process.

    It owns a machine of its own. JITLink keeps a function and its constants together, so that small
    offsets reach them however full the address space is.
    """
    import llvmlite.binding as binding

    llvm: Any = binding
    return llvm.create_lljit_compiler(_new_machine(_HIGHEST), use_jit_link=True)


@cache
def _processor() -> str:
    """Return what code made here can run on."""
    import llvmlite.binding as binding

    llvm: Any = binding
    version = ".".join(map(str, llvm.llvm_version_info))
    features = llvm.get_host_cpu_features().flatten()
    return f"{version} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {features}"


class ObjectCode(NamedTuple):
    """Machine code that is not linked yet."""

    functions: list[str]
    """The names of those that may be called."""
    types: list[str]
    """The types of its arguments, if there is one."""
    data: bytes


def optimised(module: Any, *, quick: bool = False) -> ObjectCode:
    """Compile an LLVM module, which may have any target so far, for this machine."""
    import llvmlite.binding as binding

    llvm: Any = binding
    level = _LOWEST if quick else _HIGHEST
    machine = _machine(level)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=level)
    options.loop_vectorization = options.slp_vectorization = not quick
    if quick:
        options.loop_unrolling = False
    run_llvm_passes(module, machine, options)
    functions = [
        function.name
        for function in module.functions
        if not function.is_declaration and function.linkage == llvm.Linkage.external
    ]
    return ObjectCode(functions, [], machine.emit_object(module))


def kept(key: str, compile_now: Callable[[], ObjectCode]) -> ObjectCode:
    """The code that a process has kept for a key, or what is compiled now."""
    if not is_on():
        return compile_now()
    key = f"{_processor()}\n{key}"
    data = stored("code", key)
    if data is not None:
        head, _, code = data.partition(b"\n")
        functions, types = json.loads(head)
        return ObjectCode(functions, types, code)
    made = compile_now()
    store("code", key, json.dumps([made.functions, made.types]).encode() + b"\n" + made.data)
    return made


def is_code_kept(llvm_ir: str) -> bool:
    """Return whether a process has kept the code of a text, and this one could use it."""
    try:
        return is_on() and is_stored("code", f"{_processor()}\n{text_key(llvm_ir)}")
    except ImportError:
        return False


class Machine:
    """Machine code that can be called, and lives as long as this object."""

    def __init__(self, code: ObjectCode):
        """Link code into this process."""
        import llvmlite.binding as binding

        llvm: Any = binding
        library = llvm.JITLibraryBuilder().add_object_img(code.data)
        for function in code.functions:
            library.export_symbol(function)
        for name, address in PROVIDED.items():
            if name.encode() in code.data:
                library.import_symbol(name, address())
        self._code = library.add_current_process().link(_linker(), f"code {next(_numbers)}")

    def __del__(self) -> None:
        code = getattr(self, "_code", None)
        if code is not None:
            _let_go.append(code)

    def address(self, name: str) -> int:
        """Return where a function is."""
        return self._code[name]


class Entry:
    """A function of machine code, which returns nothing.

    `pack` makes the bytes of its arguments, `size` of them, and `run` takes these, as does the
    machine code at `address`.
    """

    __slots__ = ("__weakref__", "_machine", "_types", "address", "pack", "run", "size")

    def __init__(self, machine: Machine, name: str, types: Sequence[str]):
        self._machine = machine
        self._types = types
        layout = struct.Struct("".join(_FORMATS[type] for type in types))
        self.pack: Any = layout.pack
        self.size = layout.size
        self.address = machine.address(name)
        self.run: Any = _PROTOTYPE(self.address)

    def __call__(self, *arguments: Any) -> None:
        """Call the function."""
        self.run(self.packed(arguments))

    def packed(self, arguments: Sequence[Any]) -> bytes:
        """The bytes of arguments; integers wrap around."""
        return self.packed_calls([arguments])

    def packed_calls(self, calls: Sequence[Sequence[Any]]) -> bytes:
        """The bytes of the arguments of several calls, one after the other."""
        pack = self.pack
        try:
            return b"".join([pack(*arguments) for arguments in calls])
        except struct.error:
            wrapped = [map(_wrapped, self._types, arguments) for arguments in calls]
            return b"".join([pack(*arguments) for arguments in wrapped])


def _wrapped(type: str, argument: Any) -> Any:
    """An integer as `struct` takes it: an unsigned one has the bits of one with a sign."""
    wrap = _WRAPPING.get(type)
    return argument if wrap is None else wrap(int(argument)).value


def machine_code(
    key: Hashable, llvm_ir: str | Callable[[], str], *, quick: bool = False
) -> Entry | None:
    """The only function that a text defines, compiled; None if llvmlite cannot be loaded.

    Parameters
    ----------
    key : tells this text from others; a string does so in other processes as well
    llvm_ir : the text of an LLVM module, or what gives it if there is no machine code for the key;
        its target is replaced by this machine
    quick : whether to compile in a tenth of the time what will run for less; the same for a key
    """
    with COMPILER:
        _let_go.clear()
        entry = _living.get(key)
        if entry is None:
            try:
                entry = _entry(key, llvm_ir, quick)
            except ImportError:
                return None
            _living[key] = entry
        _recent[key] = entry
        _recent.move_to_end(key)
        while len(_recent) > _MOST_KEPT:
            _recent.popitem(last=False)
        return entry


def _entry(key: Hashable, llvm_ir: str | Callable[[], str], quick: bool) -> Entry:
    try:
        import llvmlite.binding  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except OSError as error:  # A worker of Spark may have no room for LLVM within its bound.
        raise ImportError("llvmlite cannot be loaded") from error

    if callable(llvm_ir) and isinstance(key, str):
        code = kept(f"kernel {key}", lambda: _compile(llvm_ir(), quick))
    else:
        text = llvm_ir() if callable(llvm_ir) else llvm_ir
        code = kept(text_key(text), lambda: _compile(text, quick))
    return Entry(Machine(code), code.functions[0], code.types)


def text_key(llvm_ir: str) -> str:
    """The key of the code of a text."""
    return f"text {hashlib.sha256(llvm_ir.encode()).hexdigest()}"


def _compile(llvm_ir: str, quick: bool) -> ObjectCode:
    import llvmlite.binding as binding

    llvm: Any = binding
    module = llvm.parse_assembly(llvm_ir)
    function = next(f for f in module.functions if not f.is_declaration)
    types = [str(argument.type) for argument in function.arguments]
    name = f"{function.name}.packed"
    module.link_in(llvm.parse_assembly(_unpacking(name, function.name, types)))
    return optimised(module, quick=quick)._replace(functions=[name], types=types)


def _unpacking(name: str, callee: str, types: Sequence[str]) -> str:
    """A function that calls another with the arguments that lie behind a pointer."""
    lines: list[str] = []
    passed: list[str] = []
    for k, type in enumerate(types):
        stored = "i8" if type == "i1" else type
        lines.append(f"%p{k} = getelementptr i8, ptr %words, i64 {8 * k}")
        lines.append(f"%w{k} = load {stored}, ptr %p{k}, align 1")
        if type == "i1":
            lines.append(f"%v{k} = trunc i8 %w{k} to i1")
        passed.append(f"{type} %{'v' if type == 'i1' else 'w'}{k}")
    body = "".join(f"  {line}\n" for line in lines)
    return (
        f'declare void @"{callee}"({", ".join(types)})\n'
        f'define void @"{name}"(ptr %words) {{\n'
        # Inlined, it would be optimised with less knowledge of what its arguments point at.
        f'{body}  call void @"{callee}"({", ".join(passed)}) noinline\n'
        "  ret void\n}\n"
    )
