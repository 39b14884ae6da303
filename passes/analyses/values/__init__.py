"""Analyses of values: indices as sums, their bounds, what is equal, folded, or free to move."""
