"""Index patterns: the sets of indices that sparse tiles store, in many layouts."""

from diablo.runtime.arrays.patterns.requests import with_layout

__all__ = ["with_layout"]
