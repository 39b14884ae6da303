"""What kernels need to run."""
