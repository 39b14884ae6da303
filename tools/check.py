"""The test command: `python -m diablo.tools.check` runs every check of the repository.

What it runs stands with the tests, in `test/run_checks.py`, and so in a clone only.
"""

from __future__ import annotations

from diablo.tools.clone import run_in_clone


def main() -> None:
    """Run the command."""
    run_in_clone("run_checks")


if __name__ == "__main__":
    main()
