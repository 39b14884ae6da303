"""The test command: `python -m diablo.tools.check` runs every check of the repository.

What it runs stands with the tests, in `test/run_checks.py`, and so in a clone only.
"""

from __future__ import annotations

import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "test"


def main() -> None:
    """Run the command."""
    if not (TESTS / "run_checks.py").is_file():
        sys.exit("the tests are not installed; run this in a clone of the repository")
    sys.path.insert(0, str(TESTS))
    import run_checks

    run_checks.main()


if __name__ == "__main__":
    main()
