"""Loops of the driver as machine code, with the kernels that they call."""
