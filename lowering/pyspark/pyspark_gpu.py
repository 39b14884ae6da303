"""The kernels of an emitted program as PTX, for the GPUs of those who run it.

    PTX["kernel_0"] = ".version 7.0 …"
    LAUNCHES["kernel_0"] = "def launches(launch, empty, look, …"
    kernel_0 = on_gpus(kernel_0, PTX["kernel_0"], LAUNCHES["kernel_0"], "f64[0] -> f64", […])

What is behind these, of each kernel of the GPU, is its name and the types of what it takes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func

from diablo.diagnostics import unheard
from diablo.lowering.gpu.compile_device_kernel import DeviceKernel, compile_device_kernel
from diablo.lowering.outlined_loops import loop_of
from diablo.lowering.pyspark.long_statements import statement
from diablo.lowering.python_text import block_literal, string_literal, symbol_name
from diablo.passes.analyses.refused import Refused


def emit_gpu_kernels(kernels: Sequence[func.FuncOp]) -> str:
    """Return the text that gives kernels their PTX; nothing for those that no GPU runs."""
    texts: list[str] = []
    wraps: list[str] = []
    for kernel in kernels:
        made = None if loop_of(kernel) is not None else _compiled(kernel)
        if made is None:
            continue
        name = symbol_name(kernel.sym_name.data)
        text = launches = '""'  # Of a library's product there is none.
        if made.launches:
            text, launches = f'PTX["{name}"]', f'LAUNCHES["{name}"]'
            ptx = made.write_ptx(64).expandtabs(4)
            texts.append(f"{text} = {block_literal(ptx.strip())}")
            texts.append(f"{launches} = {block_literal(made.launches.strip())}")
        taken = [f"({string_literal(str(k))}, {tuple(types)!r})" for k, types in made.kernels]
        signature = string_literal(str(made.signature))
        arguments = [name, text, launches, signature, f"[{', '.join(taken)}]"]
        if made.multiplies:
            arguments.append("multiplies=True")
        wraps += statement(f"{name} = ", f"on_gpus({', '.join(arguments)})", 0)
    if not wraps:
        return ""
    title = "# The same for GPUs: tasks run it on those that their workers have, where it pays.\n"
    return "\n".join([title, "PTX = {}", "LAUNCHES = {}", *texts, *wraps])


def _compiled(kernel: func.FuncOp) -> DeviceKernel | None:
    try:
        with unheard():
            return compile_device_kernel(kernel)
    except Refused:
        return None
