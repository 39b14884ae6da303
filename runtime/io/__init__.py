"""Data from and to the caller: files and Python values."""
