"""Analyses of plans: which kernel is which, what reads a value, and how long it lives."""
