"""Passes on the comprehension level."""
