"""The kernels of an emitted program: NumPy functions, and LLVM IR beside those that it suits.

    def kernel_0(n, A): …
    LLVM["kernel_0"] = "define void @kernel_0(…"
    kernel_0 = compiled(kernel_0, LLVM["kernel_0"], "i64 f64[0] -> f64[0] rows 0")

A program that runs beside the compiler is given what tells a kernel from others, what it takes, and
what can write its IR:

    kernel_0 = compiled(kernel_0, LLVM["kernel_0"])

The loops of the driver that were outlined are Python functions, which machine code takes over:

    loop_0 = compiled_loop(loop_0, loop_code(LLVM["loop_0"], results=(None,), failures=[…]))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from xdsl.dialects import func

from diablo.dialects.encodings import is_sparse
from diablo.kernel_signature import Signature
from diablo.lowering.kernel_types import has_rows
from diablo.lowering.llvm.native_kernel import NativeKernel
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.pyspark.long_statements import statement
from diablo.lowering.python_text import block_literal, string_literal, symbol_name
from diablo.passes.analyses.plans.kernel_identity import kernel_identity
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import RowSignature
from diablo.sparse_kernel_signature import SparseSignature

if TYPE_CHECKING:
    from diablo.lowering.multiloop.compile_kernel import CompiledKernels


@dataclass(frozen=True)
class UnwrittenIR:
    """The LLVM IR of a kernel, which `write` writes; kernels of equal `identity` have equal IR.

    `specialise`, of those over sparse tiles, writes it for other layouts of these, with a
    signature of its own.
    """

    identity: str
    signature: Signature | SparseSignature | RowSignature
    write: Callable[[], str]
    specialise: Callable[..., tuple[str, SparseSignature] | None] | None


@dataclass(frozen=True)
class UncompiledKernel:
    """A kernel over rows, which `compile` compiles; it returns None for one that has no IR.

    Rows are mostly few where a program is first run, and its first call should not wait.
    """

    identity: str
    compile: Callable[[], UnwrittenIR | None]


InProcess = dict[str, UnwrittenIR | UncompiledKernel]
"""What is known of the kernels of a program that runs beside the compiler, by their names."""


def emit_kernels(
    kernels: Sequence[func.FuncOp],
    unwritten: InProcess | None,
    source: AbstractSet[str],
    *,
    llvm: bool = True,
) -> tuple[str, str]:
    """Return the text of the functions, and the text that gives some of them their LLVM IR.

    With `unwritten`, the IR is left to what is put there, and taken from a global `LLVM`.
    Without `llvm` there is none. The names in `source` are of things of the program alone.
    """
    from diablo.lowering.multiloop.compile_kernel import CompiledKernels
    from diablo.lowering.numpy.kernel_to_numpy import emit_numpy_kernel

    compiled = CompiledKernels()
    functions: list[str] = []
    texts: list[str] = []
    wraps: list[str] = []
    names = [symbol_name(kernel.sym_name.data) for kernel in kernels]
    loops: list[str] = []  # They take kernels that are wrapped already.
    for kernel in kernels:
        if loop_of(kernel) is not None:
            within = compiled if llvm else None
            functions.append(_emit_loop(kernel, names, texts, loops, unwritten, within))
            continue
        # Each step makes arrays as long as the data; a text to be read does without.
        releases = unwritten is not None
        functions.append(emit_numpy_kernel(kernel, releases=releases, source=source).rstrip())
        if not llvm:
            continue
        name = symbol_name(kernel.sym_name.data)
        over_rows = has_rows(kernel) and not _has_sparse_arguments(kernel)
        wrap = "compiled_rows" if over_rows else "compiled"
        arguments = [name, f'LLVM["{name}"]']
        if unwritten is not None and over_rows:
            unwritten[name] = UncompiledKernel(kernel_identity(kernel), partial(_compiled, kernel))
            wraps += statement(f"{name} = ", f"{wrap}({', '.join(arguments)})", 0)
            continue
        try:
            native = compiled.of(kernel)
        except Refused:
            continue
        if unwritten is None:
            texts.append(f'LLVM["{name}"] = {block_literal(native.llvm_ir.strip())}')
            arguments.append(string_literal(str(native.signature)))
        else:
            unwritten[name] = _unwritten(kernel, native)
        if isinstance(native.signature, Signature) and native.signature.own_monoids:
            monoids = [symbol_name(monoid) for monoid in sorted(native.signature.own_monoids)]
            arguments.append(f"monoids=[{', '.join(monoids)}]")
        wraps += statement(f"{name} = ", f"{wrap}({', '.join(arguments)})", 0)
    wraps += loops
    if not functions:
        return "", ""
    title = "# The kernels: what is done with each tile, or with each batch of rows.\n\n"
    text = title + "\n\n\n".join(functions)
    if not wraps:
        return text, ""
    natives = ["# The same as LLVM IR, which each process compiles when it pays.\n"]
    if unwritten is None:
        natives += ["LLVM = {}", *texts]
    return text, "\n".join([*natives, *wraps])


def _emit_loop(
    function: func.FuncOp,
    names: Sequence[str],
    texts: list[str],
    wraps: list[str],
    unwritten: InProcess | None,
    compiled: CompiledKernels | None,
) -> str:
    """The text of an outlined loop; `texts` and `wraps` get what gives it its LLVM IR.

    `compiled` are the kernels that it may call; with none, there is no LLVM IR.
    """
    from diablo.lowering.native_loops.compile_native_loop import compile_native_loop
    from diablo.lowering.pyspark.counted_loops import code_arguments, emit_loop

    if compiled is None:
        return emit_loop(function, names, counted=False)
    name = symbol_name(function.sym_name.data)
    codes: list[str] = []
    rank = 0
    for with_jobs in (False, True):
        try:
            native = compile_native_loop(function, with_jobs=with_jobs, compiled=compiled)
        except Refused:
            codes.append("None")
            continue
        key = f"{name} of jobs" if with_jobs else name
        arguments = [f'LLVM["{key}"]']
        if unwritten is None:
            texts.append(f'LLVM["{key}"] = {block_literal(native.llvm_ir.strip())}')
            arguments.append(string_literal(str(native.signature)))
        else:
            unwritten[key] = _unwritten(function, native, " of jobs" if with_jobs else "")
        codes.append(f"loop_code({', '.join([*arguments, *code_arguments(native)])})")
        rank = max(rank, native.rank)
    given = [
        name,
        *(codes if codes[1] != "None" else codes[:1]),
        *([f"rank={rank}"] if rank else []),
    ]
    wraps += statement(f"{name} = ", f"compiled_loop({', '.join(given)})", 0)
    return emit_loop(function, names, counted=True)


def _compiled(kernel: func.FuncOp) -> UnwrittenIR | None:
    from diablo.lowering.multiloop.compile_kernel import compile_kernel

    try:
        return _unwritten(kernel, compile_kernel(kernel))
    except Refused:
        return None


def _unwritten(kernel: func.FuncOp, native: NativeKernel, kind: str = "") -> UnwrittenIR:
    from diablo.lowering.multiloop.specialise import specialise

    return UnwrittenIR(
        kernel_identity(kernel) + kind,
        native.signature,
        native.write,
        partial(specialise, kernel) if _has_sparse_arguments(kernel) else None,
    )


def _has_sparse_arguments(kernel: func.FuncOp) -> bool:
    return any(is_sparse(argument.type) for argument in kernel.args)
