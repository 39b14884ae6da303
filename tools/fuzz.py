"""The fuzz command: `python -m diablo.tools.fuzz --count 20000` runs random programs.

What it runs stands with the tests, in `test/fuzzing`, and so in a clone of the repository only.
"""

from __future__ import annotations

from diablo.tools.clone import run_in_clone


def main() -> None:
    """Run the command."""
    run_in_clone("fuzzing.fuzz_driver", "run")


if __name__ == "__main__":
    main()
