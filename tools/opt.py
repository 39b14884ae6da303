"""`diablo-opt`: read a program or IR, run passes over it, print it at some level."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    from diablo.tools.opt_tool.opt_driver import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
