"""Writes `runtime/native/loops/*.ll`: `python -m diablo.tools.loop_code`.

What writes them stands in `test/writers`, and so in a clone of the repository only.
"""

from __future__ import annotations

from diablo.tools.clone import run_in_clone


def main() -> None:
    """Run the command."""
    run_in_clone("writers.loop_files")


if __name__ == "__main__":
    main()
