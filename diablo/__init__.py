"""diablo: a multi-level compiler for array programs."""
