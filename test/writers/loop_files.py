"""Writes `runtime/native/loops/*.ll` from the loops in `*.mlir` beside them.

`python -m diablo.tools.loop_code` writes the files; with `--check` it writes nothing, names the
files that are out of date and exits with 1. `runtime/` compiles these texts in every process, and
has no compiler of its own.

Each function of a source becomes a file. A source may leave a type open: it names the one that it
is written with, and those that it is written for as well. If that is a float, what is done with it
is said as of integers where one of these is. A source may also leave open how two values are
combined, and say for which monoids it is written.

    !place = i32  // or i64         =>      rows_times_vector.i32.ll, rows_times_vector.i64.ll

    !element = f64  // or i64
    func.func private @combine(!element, !element) -> !element  // of add, min
                                    =>      scan.add.f64.ll, scan.add.i64.ll, scan.min.f64.ll, …

What a call that says `any_order` combines may be combined in any order. Where a source combines
nothing, `diablo-opt FILE.mlir -p PIPELINE -t llvm-ir`, with the `PIPELINE` below, prints what is
written.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from xdsl.dialects import func, llvm
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

from diablo.lowering.llvm.llvm_text import llvm_text
from diablo.lowering.llvm.monoid_folds import FREE_ORDER
from diablo.monoid_table import MONOIDS, Domain
from diablo.pass_manager import PassManager
from diablo.pass_pipeline import load_steps, parse_pass_pipeline
from diablo.registry import available_passes, new_context

FOLDER = Path(__file__).resolve().parents[2] / "runtime" / "native" / "loops"
PIPELINE = "convert-multiloop-to-loops,convert-kernel-to-llvm{bare-pointers=true}"

_COMBINE = "combine"
_OPEN_MONOID = re.compile(
    rf"^func\.func private @{_COMBINE}\((\S+), \S+\) -> \S+  // of (\w+(?:, \w+)*)$", re.MULTILINE
)
_OF_INTEGERS = {
    "arith.mulf": "arith.muli",
    "arith.addf": "arith.addi",
    "arith.cmpf une": "arith.cmpi ne",
    "arith.constant 0.0": "arith.constant 0",
}
"""How what a source says of floats is said of integers."""
_OPEN_TYPE = re.compile(r"^!(\w+) = (\w+)  // or (\w+(?:, \w+)*)$", re.MULTILINE)


def files() -> dict[str, str]:
    """The text of each file by its name."""
    found: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.mlir")):
        for name, text in written(path.name, path.read_text(encoding="utf-8")):
            assert name not in found, f"{name} is written twice"
            found[name] = text
    return found


def written(source: str, text: str) -> Iterator[tuple[str, str]]:
    """The names and texts of the files that are written from a source."""
    for opened, variant in variants(text).items():
        ctx = new_context()
        module = Parser(ctx, variant, source).parse_module()
        _write_combined(module)
        steps = load_steps(parse_pass_pipeline(PIPELINE, anchored=False), available_passes(), {})
        PassManager(steps).run(ctx, module)
        for function in module.ops:
            assert isinstance(function, llvm.FuncOp), f"{source}: a function has no machine code"
            name = ".".join([function.sym_name.data, *([opened] if opened else []), "ll"])
            head = f"; Written by `python -m diablo.tools.loop_code` from {source}: change that."
            yield name, f"{head}\n{llvm_text(ModuleOp([function.clone()]))}"


def variants(text: str) -> dict[str, str]:
    """The source for each monoid and type that it is written for, by what their names have."""
    found = _OPEN_TYPE.search(text)
    if found is None:
        return {"": text}
    name, first, others = found.groups()
    result: dict[str, str] = {}
    for type in (first, *others.split(", ")):
        variant = _OPEN_TYPE.sub(f"!{name} = {type}", text, count=1)
        if first.startswith("f") and type.startswith("i"):
            for float_op, integer_op in _OF_INTEGERS.items():
                variant = variant.replace(float_op, integer_op)
        monoids = _OPEN_MONOID.search(variant)
        if monoids is None:
            result[type] = variant
            continue
        element, names = monoids.groups()
        for monoid in names.split(", "):
            step = _definition(monoid, element, "floating" if type.startswith("f") else "integer")
            result[f"{monoid}.{type}"] = _OPEN_MONOID.sub(step, variant, count=1)
    return result


def _definition(monoid: str, element: str, domain: Domain) -> str:
    """The function that combines two values, as the table of monoids says."""
    return (
        f"func.func private @{_COMBINE}(%x: {element}, %y: {element}) -> {element} {{\n"
        f"  %z = arith.{MONOIDS[monoid].operations[domain]} %x, %y : {element}\n"
        f"  func.return %z : {element}\n}}"
    )


def _write_combined(module: ModuleOp) -> None:
    """Write what combines two values where it is called, and drop its function."""
    functions = {f.sym_name.data: f for f in module.ops if isinstance(f, func.FuncOp)}
    if (combine := functions.get(_COMBINE)) is None:
        return
    step, _ = combine.body.block.ops
    for call in [op for op in module.walk() if isinstance(op, func.CallOp)]:
        values: dict[SSAValue, SSAValue] = dict(
            zip(combine.body.block.args, call.operands, strict=True)
        )
        op = step.clone(values)
        if "any_order" in call.attributes and "fastmath" in op.properties:
            op.properties["fastmath"] = FREE_ORDER
        Rewriter.replace_op(call, op)
    combine.detach()
    combine.erase()


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files, or check them; the exit code."""
    parser = argparse.ArgumentParser(prog="loop_code", description="Write runtime/native/loops.")
    parser.add_argument("--check", action="store_true", help="only say which files are old")
    check: bool = parser.parse_args(arguments).check
    wanted = files()
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.ll")}
    old = sorted(n for n in wanted.keys() | present.keys() if wanted.get(n) != present.get(n))
    for name in old:
        if check:
            print(f"runtime/native/loops/{name} is out of date", file=sys.stderr)
        elif name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    if check and old:
        print("run: python -m diablo.tools.loop_code", file=sys.stderr)
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
