"""What runs: blocks, engines, kernels, input and output."""
