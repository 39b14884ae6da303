"""Whether this machine's GPU computes what the processor does, and how fast it is.

python -m diablo.tools.gpu_check                      # all, into bench/results/gpu
python -m diablo.tools.gpu_check --stand-in           # the same logic without a GPU
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    from diablo.tools.gpu_tool.gpu_driver import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
