"""Conversions from one level of the IR to the next, and emitters."""
