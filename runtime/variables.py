"""Variables of the environment that every call looks at.

    variable("DIABLO_THREADS")      ->  "3", or None where it is not set

`os.environ` raises and catches an exception for each variable that is not set, which is most of
them: a microsecond, and many times that with a cold cache. Its dictionary is asked itself where
there is one, as in every CPython so far.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

_held: Any = getattr(os.environ, "_data", None)
"""What `os.environ` holds, by keys that are encoded as the system wants them."""


@cache
def _key(name: str) -> Any:
    return os.environ.encodekey(name)


def variable(name: str) -> str | None:
    """Return the value of a variable, None if it is not set."""
    if isinstance(_held, dict) and _key(name) not in _held:
        return None
    return os.environ.get(name)
