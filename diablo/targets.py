"""The targets that are emitted from a module: `-t pyspark`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from diablo.diagnostics import CompileError
from diablo.dialects.locations import span_of

_LEVELS_ABOVE_SPARK = ("diablo", "comprehension", "tensor_block")


@dataclass(frozen=True)
class PySparkTarget(Target):
    """A readable PySpark program.

    A module that is not at the spark level yet is first lowered by `diablo-to-spark`. Without
    `llvm`, the text has no LLVM IR of its kernels: these run on NumPy. With `gpu` it has their PTX
    too, for the GPUs of Spark's workers.
    """

    name = "pyspark"
    llvm: bool = True
    gpu: bool = False

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Write the program."""
        from diablo.lowering.pyspark.emit_pyspark import emit_pyspark

        lower_to_spark(ctx, module)
        output.write(emit_pyspark(module, source_name(module), llvm=self.llvm, gpu=self.gpu))


def lower_to_spark(ctx: Context, module: ModuleOp) -> None:
    """Bring a module of any level above to the spark level, in place."""
    if not needs_lowering(module):
        return
    from xdsl.universe import XDSL_UNIVERSE

    from diablo.lowering.pipelines import PIPELINES
    from diablo.pass_manager import PassFailure, PassManager
    from diablo.pass_pipeline import load_passes
    from diablo.universe import DIABLO_UNIVERSE

    available = {**XDSL_UNIVERSE.all_passes, **DIABLO_UNIVERSE.all_passes}
    passes = load_passes(["diablo-to-spark"], available, PIPELINES)
    try:
        PassManager(passes).run(ctx, module)
    except PassFailure as failure:
        raise CompileError(failure.diagnostics) from failure


def needs_lowering(module: ModuleOp) -> bool:
    """Return whether a public function has ops of the levels above, and none of the spark level.

    On that level the driver still goes through lists with ops of the comprehension level.
    """
    from xdsl.dialects.func import FuncOp

    levels = {
        op.dialect_name()
        for function in module.walk()
        if isinstance(function, FuncOp)
        and (function.sym_visibility is None or function.sym_visibility.data != "private")
        for op in function.walk()
    }
    return "spark" not in levels and not levels.isdisjoint(_LEVELS_ABOVE_SPARK)


def source_name(module: ModuleOp) -> str:
    """The file that the module was made from, as its locations have it, or `program`."""
    for op in module.walk():
        if (span := span_of(op)) is not None and not span.file.startswith("<"):
            return span.file
    return "program"
