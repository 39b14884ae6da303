"""Compares many random comprehensions with what they mean in plain Python.

    python -m diablo.tools.row_fuzz --seed 7 --count 5000
    python -m diablo.tools.row_fuzz --compile always --threads 2 --seconds 600

A difference is printed with the seed that makes it, and `--seed S --count 1` makes it again.
"""

from __future__ import annotations

import traceback
from random import Random
from time import monotonic
from typing import Any

import diablo
from fuzzing.row_queries import Query, TooLong, draw
from fuzzing.seed_arguments import apply_options, seed_parser

_BLOCK_SIZES = (None, None, None, 2, 3)


def failure(seed: int) -> str | None:
    """Say what is wrong with the query of a seed: an empty text if nothing, None if it is long."""
    random = Random(seed)
    query = draw(random)
    try:
        wanted = query.result()
    except TooLong:
        return None
    block_size = random.choice(_BLOCK_SIZES)
    try:
        program = diablo.compile(query.source, engine="local", block_size=block_size)
        found = _plain(program(**query.inputs), wanted)
    except Exception:
        return _told(query, traceback.format_exc())
    return "" if found == wanted else _told(query, f"{found} instead of {wanted}")


def _plain(result: Any, wanted: Any) -> Any:
    """A result as Python has what is wanted: rows are sorted, as they have no order."""
    if not isinstance(wanted, list):
        return int(result)
    if wanted and isinstance(wanted[0], int):  # A vector has some elements.
        return result.to_numpy().tolist()
    return sorted(tuple(map(int, row)) for row in result)


def _told(query: Query, what: str) -> str:
    return f"{what}\n{query.source}\n{query.inputs}"


def run() -> int:
    """Compare as many queries as the command line says; 1 if one differs."""
    parser = seed_parser(
        "row_fuzz", "Compare random comprehensions with what they mean in plain Python."
    )
    parser.add_argument("--seconds", type=float, help="end after this time")
    options = parser.parse_args()
    apply_options(options)
    count = wrong = 0
    end = None if options.seconds is None else monotonic() + options.seconds
    for seed in range(options.seed, options.seed + options.count):
        if end is not None and monotonic() > end:
            break
        message = failure(seed)
        count += message is not None
        if message:
            wrong += 1
            print(f"seed {seed}: {message}", flush=True)
    print(f"{count} queries, {wrong} wrong")
    return 1 if wrong else 0
