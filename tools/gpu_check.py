"""Compare a GPU with the processor, and measure it: `python -m diablo.tools.gpu_check`.

What does so stands in `test/gpu_checking`, and so in a clone of the repository only.
"""

from __future__ import annotations

from diablo.tools.clone import run_in_clone


def main() -> None:
    """Run the command."""
    run_in_clone("gpu_checking.gpu_driver")


if __name__ == "__main__":
    main()
