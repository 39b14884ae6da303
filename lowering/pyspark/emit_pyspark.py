"""One readable PySpark program from a module at the spark level.

    func.func @main(%A: tensor<…tiles…>) { … spark.map @kernel_0 … }
    func.func private @kernel_0(…)
  ==>
    def main(sc, A, *, block_size=None):
        A = distribute(sc, A, block_size)
        # sums.diablo:2: tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
        s = A.map(on_tiles(kernel_0, (n, m), block_size, to_keys=(0,)))
        …
    def kernel_0(i_origin, j_origin, i_extent, j_extent, A): …

The same file runs under a SparkContext and under diablo's in-process context.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from symtable import SymbolTable, symtable

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import (
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.dialects.complex import ComplexNumberAttr
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from diablo.diagnostics import CompileError, Diagnostic, emitted_name
from diablo.dialects.comprehension import BagType
from diablo.dialects.encodings import as_array
from diablo.dialects.locations import span_of
from diablo.dialects.scalar_types import is_numpy
from diablo.dialects.string_functions import StringType
from diablo.lowering.kernel_types import element_name
from diablo.lowering.numpy.expressions import dtype_of, tuple_text
from diablo.lowering.numpy.monoid_definitions import emit_monoid
from diablo.lowering.numpy.numpy_monoids import monoid_names, monoids_near
from diablo.lowering.pyspark.driver import Driver
from diablo.lowering.pyspark.long_statements import WIDTH
from diablo.lowering.pyspark.long_statements import statement as layout
from diablo.lowering.pyspark.names import Names
from diablo.lowering.pyspark.pyspark_kernels import InProcess, emit_kernels
from diablo.lowering.pyspark.pyspark_scalars import Scalar, constant_text
from diablo.lowering.python_text import docstring, string_literal, symbol_name
from diablo.lowering.reserved_names import IMPORTS
from diablo.lowering.source_names import source_names

_MOST_ELEMENTS = 2**63 - 1


def emit_pyspark(
    module: ModuleOp, source_name: str, *, llvm: bool = True, gpu: bool = False
) -> str:
    """Return the program as Python source, with the LLVM IR of its kernels unless not `llvm`.

    With `gpu` it has their PTX as well.

    Raises
    ------
    CompileError
        If an op has no PySpark spelling; the diagnostic is located.
    """
    return _emit(module, source_name, None, llvm=llvm, gpu=gpu)


def emit_in_process(module: ModuleOp, source_name: str) -> tuple[str, InProcess]:
    """Return the program without the LLVM IR of its kernels, and what writes that, by name.

    It is to be run with the global `LLVM`, from these names to what they stand for. Raises like
    `emit_pyspark`. It lets go of RDDs and of what kernels make of rows where they are used last:
    on the local engine these are the data.
    """
    unwritten: InProcess = {}
    return _emit(module, source_name, unwritten), unwritten


def _emit(
    module: ModuleOp,
    source_name: str,
    unwritten: InProcess | None,
    *,
    llvm: bool = True,
    gpu: bool = False,
) -> str:
    _check_extents(module)
    functions = [f for f in module.walk() if isinstance(f, func.FuncOp)]
    kernels = [f for f in functions if _is_private(f)]
    mains = [f for f in functions if not _is_private(f)]
    if len(mains) != 1:
        message = f"a program has one public function, and here are {len(mains)}"
        raise CompileError([Diagnostic("error", message)])
    main = mains[0]
    monoids = monoids_near(main)
    taken = [*[symbol_name(k.sym_name.data) for k in kernels], *monoid_names(main)]
    source = source_names(main)
    names = Names(taken, source)
    head, script = _signature(main, names, everywhere=unwritten is not None)
    body = "\n".join(head)
    kernel_text, llvm_text = emit_kernels(kernels, unwritten, source, llvm=llvm)
    gpu_text = ""
    if gpu:
        from diablo.lowering.pyspark.pyspark_gpu import emit_gpu_kernels

        gpu_text = emit_gpu_kernels(kernels)
    title = "# The monoids of the program: how two columns of values are joined.\n\n"
    monoid_text = title + "\n\n\n".join(map(emit_monoid, monoids)) if monoids else ""
    parts = [body, monoid_text, kernel_text, llvm_text, gpu_text, script]
    code = "\n\n\n".join(part.strip("\n") for part in parts if part.strip())
    return f"{_docstring(source_name)}\n\n{_imports(code)}\n\n\n{code}\n"


def _check_extents(module: ModuleOp) -> None:
    """Raise a `CompileError` if a constant extent does not fit in 64 bits: it would wrap around."""
    for op in module.walk():
        if isinstance(op, arith.ConstantOp) and isinstance(op.value, IntegerAttr):
            index = isinstance(op.value.type, IndexType)
            if index and not -_MOST_ELEMENTS - 1 <= op.value.value.data <= _MOST_ELEMENTS:
                span = next((s for use in op.result.uses if (s := span_of(use.operation))), None)
                message = f"a range or an array here has more than {_MOST_ELEMENTS} elements"
                raise CompileError([Diagnostic("error", message, span)])


def _is_private(function: func.FuncOp) -> bool:
    visibility = function.sym_visibility
    return visibility is not None and visibility.data == "private"


def _docstring(source_name: str) -> str:
    name = emitted_name(source_name)
    program = re.sub(r"\W", "_", Path(source_name).stem) + ".py"
    return docstring(
        [
            f"{name}, compiled to PySpark by diablo.",
            "",
            f"    spark-submit {program} --help",
            f"    python {program} --master 'local[2]' …     # Spark",
            f"    python {program} …                         # in this process",
        ]
    )


def _attributes(function: func.FuncOp, which: str, index: int) -> dict[str, Attribute]:
    attributes = function.arg_attrs if which == "arg" else function.res_attrs
    if attributes is None:
        return {}
    entry = attributes.data[index]
    assert isinstance(entry, DictionaryAttr)
    return dict(entry.data)


def _signature(main: func.FuncOp, names: Names, everywhere: bool) -> tuple[list[str], str]:
    """The lines of `main`, and the lines that run it as a script.

    Arrays are let go of at their last use, RDDs and inputs too if that is to be `everywhere`.
    """
    inputs: list[str] = []
    defaults: list[str] = []
    parameters: list[str] = []
    result_names = _result_names(main)
    driver = Driver(main, names, result_names, everywhere=everywhere)
    last_required = -1
    found: list[tuple[str, str, Attribute | None]] = []
    for k, arg in enumerate(main.args):
        attributes = _attributes(main, "arg", k)
        name = attributes.get("diablo.name")
        named = name.data if isinstance(name, StringAttr) else arg.name_hint
        python = names.unique(named, "input")
        # Of the command line the program's own name is known, whatever Python calls it.
        is_taken = any(named == shown for _, shown, _ in found)
        shown = python if named is None or is_taken else named
        default = attributes.get("diablo.default")
        driver.scalars[arg] = Scalar(python)
        driver.variables.hold(arg, python)
        found.append((python, shown, default))
        if default is None:
            last_required = k
        inputs.append(f"{string_literal(shown)}: {_wanted(arg.type, attributes)}")
    for k, ((python, shown, default), arg) in enumerate(zip(found, main.args, strict=True)):
        if default is None:
            parameters.append(python)
            continue
        text = _default_text(default, arg.type)
        defaults.append(f"{string_literal(shown)}: {text}")
        parameters.append(f"{python}={text}" if k > last_required else python)
    for (python, *_), arg in zip(found, main.args, strict=True):
        if is_numpy(arg.type) and arg.first_use is not None:
            driver.lines.add(f"{python} = {dtype_of(arg.type)}({python})")
            driver.scalars[arg] = Scalar(python, is_numpy=True)
    driver.write_block(main.body.block)
    driver.write_return()
    taken = f"({', '.join(['sc', *parameters, '*', 'block_size=None'])})"
    lines = [*layout("def main", taken, 0, ":"), *driver.lines.lines]
    whole = _whole_results(main)
    results = [
        name or ("result" if len(whole) == 1 else f"result{i}") for i, (name, _) in enumerate(whole)
    ]
    kinds = [
        f"{string_literal(name)}: {string_literal(type)}"
        for name, (_, type) in zip(results, whole, strict=True)
        if type is not None
    ]
    script = [
        'if __name__ == "__main__":',
        "    raise SystemExit(",
        "        run_as_script(",
        "            main,",
        *layout("inputs=", f"{{{', '.join(inputs)}}}", 12, ","),
        *layout("results=", _list_text(results), 12, ","),
        *(layout("kinds=", f"{{{', '.join(kinds)}}}", 12, ",") if kinds else []),
        *(layout("defaults=", f"{{{', '.join(defaults)}}}", 12, ",") if defaults else []),
        "        )",
        "    )",
    ]
    return lines, "\n".join(script)


def _list_text(names: list[str]) -> str:
    return "[" + ", ".join(map(string_literal, names)) + "]"


def _default_text(default: Attribute, type: Attribute) -> str:
    if any(isa(default, kind) for kind in (IntegerAttr, FloatAttr, ComplexNumberAttr)):
        return constant_text(default)
    if isinstance(default, StringAttr) and isinstance(type, StringType):
        return string_literal(default.data)
    raise CompileError([Diagnostic("error", f"the default value {default} is not supported")])


def _result_names(main: func.FuncOp) -> list[str | None]:
    names: list[str | None] = []
    for k in range(len(main.function_type.outputs.data)):
        name = _attributes(main, "res", k).get("diablo.name")
        names.append(name.data if isinstance(name, StringAttr) else None)
    return names


def _whole_results(main: func.FuncOp) -> list[tuple[str | None, str | None]]:
    """The name and the type of each result, as far as they are known, where tuples are one."""
    found: list[tuple[str | None, str | None]] = []
    position = 0
    while position < len(main.function_type.outputs.data):
        attributes = _attributes(main, "res", position)
        name, type = attributes.get("diablo.name"), attributes.get("diablo.type")
        parts = attributes.get("diablo.parts")
        found.append(
            (
                name.data if isinstance(name, StringAttr) else None,
                type.data if isinstance(type, StringAttr) else None,
            )
        )
        position += parts.value.data if isinstance(parts, IntegerAttr) else 1
    return found


def _wanted(type: Attribute, attributes: Mapping[str, Attribute]) -> str:
    text = attributes.get("diablo.type")
    if isinstance(text, StringAttr):
        return f"wanted({string_literal(text.data)})"
    if isinstance(type, BagType):
        columns = tuple_text([element_name(column) for column in type.columns])
        if type.is_map:
            return f"WantedMap({type.keys.data}, {columns})"
        return f"WantedRows({columns})"
    array = as_array(type)
    if array is not None:
        return f"WantedArray({array.get_num_dims()}, {element_name(array.get_element_type())})"
    return f"WantedScalar({element_name(type)})"


def _global_names(table: SymbolTable) -> frozenset[str]:
    """The names that code uses and that no function of it makes its own."""
    top = table.get_type() == "module"
    names = {s.get_name() for s in table.get_symbols() if top or s.is_global()}
    return frozenset(names).union(*map(_global_names, table.get_children()))


def _imports(code: str) -> str:
    """The imports that the code needs."""
    read = _global_names(symtable(code, "<program>", "exec"))
    of_others = {"np": "import numpy as np", "sp": "import scipy.sparse as sp"}
    of_others["special"] = "from scipy import special"
    third = [line for name, line in of_others.items() if name in read]
    own: list[str] = []
    for module, names in IMPORTS.items():
        used = [name for name in names if name in read]
        line = f"from {module} import {', '.join(used)}"
        if len(line) > WIDTH:
            listed = "".join(f"    {name},\n" for name in used)
            line = f"from {module} import (\n{listed})"
        own += [line] if used else []
    return "\n\n".join("\n".join(block) for block in (third, own) if block)
