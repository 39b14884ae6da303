"""The fuzz command: `python -m diablo.tools.fuzz --count 20000` runs random programs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    from diablo.tools.fuzz_tool.fuzz_driver import run

    sys.exit(run())


if __name__ == "__main__":
    main()
