"""Comprehensions over arrays as operations on whole arrays."""
