"""Runs random comprehensions beside plain Python: `python -m diablo.tools.row_fuzz`.

What it runs stands with the tests, in `test/fuzzing`, and so in a clone of the repository only.
"""

from __future__ import annotations

from diablo.tools.clone import run_in_clone


def main() -> None:
    """Run the command."""
    run_in_clone("fuzzing.row_fuzz_driver", "run")


if __name__ == "__main__":
    main()
