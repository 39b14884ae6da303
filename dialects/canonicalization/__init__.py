"""Canonicalisation patterns of the dialects' ops, one module per dialect."""
