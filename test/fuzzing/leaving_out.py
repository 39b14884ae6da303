"""Pipelines without one of their passes, or with a choice forced.

What a program means must not depend on the passes that are there to make it fast.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager

from diablo.lowering.pipelines import PIPELINES

_PIPELINE = "diablo-to-spark"


_NEEDED = ("expand-reads", "keep-last")
"""Passes that say what a program means before others reorder it."""


def optional_passes() -> list[str]:
    """The passes that the pipeline may do without: those that are there to make it fast."""
    names = dict.fromkeys(
        re.findall(r"[a-z-]+(?=[,{]|$)", re.sub(r"\{.*?\}", "", PIPELINES[_PIPELINE]))
    )
    return [name for name in names if not name.startswith("convert-") and name not in _NEEDED]


@contextmanager
def pipelines_without(name: str) -> Generator[None]:
    """Compile without the pass `name` for a while."""
    whole = PIPELINES[_PIPELINE]
    PIPELINES[_PIPELINE] = re.sub(rf"(^|,){re.escape(name)}(\{{.*?\}})?(?=,|$)", "", whole).strip(
        ","
    )
    try:
        yield
    finally:
        PIPELINES[_PIPELINE] = whole


@contextmanager
def join_forced(name: str) -> Generator[None]:
    """Have distributed arrays come together in one way wherever that is possible, for a while."""
    whole = dict(PIPELINES)
    for pipeline, text in whole.items():
        PIPELINES[pipeline] = text.replace("choose-join", f"choose-join{{force={name}}}")
    try:
        yield
    finally:
        PIPELINES.update(whole)


def force_strips() -> None:
    """Have operations over the same rows computed in strips wherever that is possible."""
    for pipeline, text in PIPELINES.items():
        PIPELINES[pipeline] = text.replace("choose-strips", "choose-strips{force=true}")
