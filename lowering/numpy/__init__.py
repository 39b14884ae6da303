"""From kernels to NumPy functions."""
