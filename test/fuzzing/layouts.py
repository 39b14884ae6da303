"""Random layouts of sparse arrays, for programs that must mean the same under each."""

from __future__ import annotations

from random import Random

from diablo.format_table import form_names

FORMS = form_names()

_ORDERS = (
    None,
    None,
    "[[0, 1]]",
    "[[1, 0]]",
    "[[0, 1], [1, 0]]",
    "[[1, 0], [0, 1]]",
    "[[2, 0, 1]]",
    "[[0, 1, 2], [2, 1, 0]]",
)


def random_layout(random: Random) -> str:
    """The text of a layout, each form equally likely; orders are those of some rank."""
    fields = {
        "form": random.choice(FORMS),
        "orders": random.choice(_ORDERS),
        "directory": random.choice((None, None, "none", "array", "hash")),
        "width": random.choice((None, None, "32", "64")),
    }
    return ", ".join(f"{name} = {value}" for name, value in fields.items() if value is not None)
