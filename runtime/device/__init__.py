"""A GPU, or what stands in for one: its memory, its kernels, and when they are used."""
