"""From loops over buffers to kernels for a GPU, their PTX, and the same kernels on the CPU."""
