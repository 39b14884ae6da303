"""A limit on rewriting: patterns that undo each other end in an error, not in a hang.

xDSL's greedy driver rewrites until nothing changes and takes no limit, and each pass makes
its own driver. So the listener that every driver makes for itself gets one more handler,
which counts, for as long as the `with` block runs.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from xdsl.pattern_rewriter import PatternRewriterListener, PatternRewriteWalker
from xdsl.utils.exceptions import PassFailedException


class TooManyRewritesError(PassFailedException):
    """A pass has changed the IR more often than allowed."""


@contextmanager
def rewrite_limit(limit: int) -> Generator[None]:
    """Raise `TooManyRewritesError` once the drivers inside have made `limit` changes."""
    changes = 0

    def count(*_: object) -> None:
        nonlocal changes
        changes += 1
        if changes > limit:
            raise TooManyRewritesError(
                f"more than {limit} changes: its patterns seem to undo each other "
                "(--max-rewrites raises the limit)"
            )

    original = PatternRewriteWalker._get_rewriter_listener  # pyright: ignore[reportPrivateUsage]

    def counting_listener(self: PatternRewriteWalker) -> PatternRewriterListener:
        listener = original(self)
        listener.operation_insertion_handler.append(count)
        listener.operation_removal_handler.append(count)
        listener.operation_modification_handler.append(count)
        listener.operation_replacement_handler.append(count)
        return listener

    PatternRewriteWalker._get_rewriter_listener = counting_listener  # pyright: ignore[reportPrivateUsage]
    try:
        yield
    finally:
        PatternRewriteWalker._get_rewriter_listener = original  # pyright: ignore[reportPrivateUsage]
