"""`diablo-run`: run a `.diablo` program on data from files."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    from diablo.tools.run_tool.run_driver import run

    sys.exit(run(sys.argv[1:], own_process=True))


if __name__ == "__main__":
    main()
