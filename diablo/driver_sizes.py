"""How large arrays are that the driver of a distributed program has itself.

The compiler leaves arrays with the driver that are small beside others, and the runtime brings
those there that a program may be given.
"""

from __future__ import annotations

MOST_WITH_DRIVER = 1 << 20
"""How many elements such an array has at most: 8 MB of doubles."""
FEW_ROWS = 10_000
"""How many rows a bag may have that is sent to every worker rather than hashed, or stays with the
driver if nothing else reads it."""
MOST_SENT = 1 << 26
"""How many elements an array has at most of which every worker is sent all, to go through them for
each of its rows: half a gigabyte of doubles. Otherwise there is a row for each pair."""
