"""What kernels need of a GPU: `python -m diablo.tools.ptx_report FILE`.

    diablo-opt program.diablo -p diablo-to-gpu -t ptx | python -m diablo.tools.ptx_report -

assembles them with `ptxas`, for which no GPU is needed, and prints how many registers each takes,
how much shared memory, and what does not fit into registers. Exits with 1 if something does not.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from diablo.diagnostics import CompileError, InputError
from diablo.source_text import read_source

if TYPE_CHECKING:
    from diablo.lowering.gpu.ptx_assembly import KernelUse


def main() -> None:
    """Run the command."""
    from diablo.lowering.gpu.ptx_assembly import PROCESSORS

    parser = argparse.ArgumentParser(prog="ptx_report", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", help="PTX, or - for the standard input")
    parser.add_argument(
        "--processor",
        action="append",
        help=f"which one to assemble for, as sm_90; several times for several ({PROCESSORS})",
    )
    given = parser.parse_args()
    sys.exit(report(given.file, given.processor or PROCESSORS))


def report(path: str, processors: list[str] | tuple[str, ...]) -> int:
    """Print what the kernels of a file need; return the exit code."""
    from diablo.lowering.gpu.ptx_assembly import UnknownProcessorError, assemble

    uses: list[KernelUse] = []
    try:
        name, text = read_source(path)
        for processor in processors:
            try:
                uses += assemble(text, processor, name)
            except UnknownProcessorError as error:
                print(f"ptx_report: note: {error}", file=sys.stderr)
    except CompileError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"ptx_report: error: cannot read '{path}': {error.strerror}", file=sys.stderr)
        return 2
    except InputError as error:
        print(f"ptx_report: error: {error}", file=sys.stderr)
        return 2
    width = max((len(use.kernel) for use in uses), default=6)
    print(f"{'kernel':{width}}  processor  registers  shared  stack  spilled")
    for use in sorted(uses, key=lambda use: (use.kernel, use.processor)):
        print(
            f"{use.kernel:{width}}  {use.processor:9}  {use.registers:9}  {use.shared:6}  "
            f"{use.stack:5}  {use.spilled:7}"
        )
    return 1 if any(use.spilled for use in uses) else 0 if uses else 2


if __name__ == "__main__":
    main()
