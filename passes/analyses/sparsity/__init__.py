"""Analyses of sparse arrays: where elements are stored, and what may be skipped."""
