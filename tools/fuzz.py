"""The fuzz command: `python -m diablo.tools.fuzz --count 20000` runs random programs.

What it runs stands with the tests, in `test/fuzzing`, and so in a clone of the repository only.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "test"


def main() -> None:
    """Run the command."""
    if not (TESTS / "fuzzing").is_dir():
        sys.exit("the fuzzer is not installed; run this in a clone of the repository")
    sys.path.insert(0, str(TESTS))
    from fuzzing.fuzz_driver import run

    sys.exit(run())


if __name__ == "__main__":
    main()
