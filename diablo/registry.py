"""Everything `diablo-opt` knows: xDSL's universe and ours, ours first.

Other installed universes are not looked for, since reading the metadata of all installed
packages costs more than parsing a program.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.context import Context
from xdsl.passes import ModulePass
from xdsl.universe import XDSL_UNIVERSE
from xdsl.utils.target import Target

from diablo.universe import DIABLO_UNIVERSE

UNIVERSES = (DIABLO_UNIVERSE, XDSL_UNIVERSE)


def new_context(*, allow_unregistered: bool = False) -> Context:
    """Return a context that knows every dialect; each is imported when it is first met."""
    ctx = Context(allow_unregistered=allow_unregistered)
    for universe in UNIVERSES:
        for name, factory in universe.all_dialects.items():
            ctx.register_dialect(name, factory)
    return ctx


def available_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """All passes by name; ours stand for those of xDSL's that have their names."""
    ours = DIABLO_UNIVERSE.all_passes
    xdsl = XDSL_UNIVERSE.all_passes
    return {**ours, **{name: factory for name, factory in xdsl.items() if name not in ours}}


def available_targets() -> dict[str, Callable[[], type[Target]]]:
    """All targets by name."""
    return {name: f for universe in UNIVERSES for name, f in universe.all_targets.items()}
