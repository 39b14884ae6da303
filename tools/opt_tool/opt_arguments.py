"""The command line of `diablo-opt`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class OptArguments(argparse.Namespace):
    """What the command line says."""

    input_file: str = "-"
    output_file: str | None = None
    frontend: str | None = None
    target: str = "mlir"
    pass_pipeline: str | None = None
    passes: str | None = None
    list_passes: bool = False
    print_ir_before: list[str] = field(default_factory=list[str])
    print_ir_after: list[str] = field(default_factory=list[str])
    print_ir_before_all: bool = False
    print_ir_after_all: bool = False
    print_ir_after_change: bool = False
    print_op_generic: bool = False
    print_debuginfo: bool = False
    verify_diagnostics: bool = False
    split_input_file: bool = False
    disable_verify: bool = False
    allow_unregistered_dialect: bool = False
    timing: bool = False
    remarks: bool = False
    max_rewrites: int = 0
    reproducer: str | None = None
    run_reproducer: bool = False


def parse_arguments(argv: Sequence[str], max_rewrites: int) -> OptArguments:
    """Parse the command line; a wrong one ends the process with exit code 2."""
    parser = _Parser(
        prog="diablo-opt",
        description="Read a .diablo program or .mlir text, run passes, print the result.",
        epilog="Exit code: 0 success, 1 an error in the program or in a pass, 2 wrong usage.",
    )
    add = parser.add_argument
    add("input_file", nargs="?", default="-", help="a .diablo or .mlir file; - or nothing: stdin")
    add("-o", "--output-file", metavar="PATH", help="write there instead of to stdout")
    add(
        "-f",
        "--frontend",
        choices=("diablo", "mlir"),
        help="what the input is (default: by the file's extension, else mlir)",
    )
    add("-t", "--target", default="mlir", metavar="NAME", help="what to print: mlir, pyspark, …")
    add(
        "--pass-pipeline",
        metavar="TEXT",
        help="passes in MLIR's spelling: 'builtin.module(a,b{x=1},func.func(c))'",
    )
    add("-p", "--passes", metavar="LIST", help="passes as a plain list: a,b{x=1}")
    add("--list-passes", action="store_true", help="print every pass and pipeline, and exit")
    group = parser.add_argument_group("looking at the IR (on stderr)")
    for when in ("before", "after"):
        group.add_argument(
            f"--print-ir-{when}",
            action="append",
            default=[],
            metavar="PASS",
            help=f"print the IR {when} every run of this pass (may be repeated)",
        )
        group.add_argument(
            f"--print-ir-{when}-all", action="store_true", help=f"print the IR {when} each pass"
        )
    group.add_argument(
        "--print-ir-after-change",
        action="store_true",
        help="print the IR after passes that changed it: after those named, or else after any",
    )
    group.add_argument(
        "--timing", "--mlir-timing", action="store_true", help="print a table of times"
    )
    group.add_argument("--remarks", action="store_true", help="print what passes decided, and why")
    group = parser.add_argument_group("the printed form")
    group.add_argument(
        "--print-op-generic",
        "--mlir-print-op-generic",
        action="store_true",
        help="print every op in the generic form",
    )
    group.add_argument(
        "--print-debuginfo",
        "--mlir-print-debuginfo",
        action="store_true",
        help="print the location of every op",
    )
    group = parser.add_argument_group("testing")
    group.add_argument(
        "--split-input-file",
        action="store_true",
        help="treat the parts between '// -----' lines as inputs of their own",
    )
    group.add_argument(
        "--verify-diagnostics",
        action="store_true",
        help="compare the diagnostics with the input's expected-error, -warning, -remark comments",
    )
    group.add_argument("--disable-verify", action="store_true", help="do not verify the IR")
    group.add_argument(
        "--allow-unregistered-dialect", action="store_true", help="accept ops of any dialect"
    )
    group.add_argument(
        "--max-rewrites",
        type=int,
        metavar="N",
        help=f"end a pass with an error after N changes to the IR (default: {max_rewrites})",
    )
    group.add_argument(
        "--reproducer",
        metavar="PATH",
        help="where a failing pass leaves its input (default: a new temporary file)",
    )
    group.add_argument(
        "--run-reproducer",
        action="store_true",
        help="run the file that a failing pass left, with the passes and options it names",
    )
    add("--version", action=_Version, nargs=0, help="print the version, and exit")
    arguments = parser.parse_args(argv, namespace=OptArguments(max_rewrites=max_rewrites))
    if arguments.pass_pipeline is not None and arguments.passes is not None:
        parser.error("give the passes by --pass-pipeline or by -p, not by both")
    if arguments.max_rewrites < 0:
        parser.error(f"argument --max-rewrites: {arguments.max_rewrites} is less than 0")
    return arguments


class _Parser(argparse.ArgumentParser):
    """Adds the passes to the help, which reads their source files, only when it is asked for."""

    def format_help(self) -> str:
        from diablo.tools.opt_tool.pass_list import pass_help

        return f"{super().format_help()}\n{pass_help()}"


class _Version(argparse.Action):
    """Looks the version up only when it is asked for (importlib.metadata is slow)."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"diablo-opt {version('diablo')} (xdsl {version('xdsl')})")
        parser.exit()
