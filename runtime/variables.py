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


@cache
def _key(name: str) -> Any:
    """A name as the system wants it."""
    environment: Any = os.environ
    return environment.encodekey(name)


def variable(name: str) -> str | None:
    """Return the value of a variable, None if it is not set."""
    held: Any = getattr(os.environ, "_data", None)
    if isinstance(held, dict) and _key(name) not in held:
        return None
    return os.environ.get(name)
