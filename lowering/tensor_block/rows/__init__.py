"""Comprehensions as operations on rows: joins, lookups, groups, loops."""
