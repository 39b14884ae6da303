"""The table of `--timing`."""

from __future__ import annotations

from collections.abc import Sequence


def timing_table(seconds: Sequence[tuple[str, float]]) -> str:
    """Return the table, one line per step in the order they ran, and the total."""
    total = sum(time for _, time in seconds)
    width = max([len("total"), *(len(name) for name, _ in seconds)])
    lines = [f"{'step':<{width}}  {'ms':>9}  {'share':>6}"]
    for name, time in [*seconds, ("total", total)]:
        share = time / total if total else 0.0
        lines.append(f"{name:<{width}}  {time * 1e3:9.2f}  {share:6.1%}")
    return "\n".join(lines) + "\n"
