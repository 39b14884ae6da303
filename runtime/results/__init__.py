"""What callers get of a program, and see of its values."""

from diablo.runtime.results.result_types import DistributedArray, Map, Rows

__all__ = ["DistributedArray", "Map", "Rows"]
