"""From whole-array algebra to RDD operations and kernels."""
