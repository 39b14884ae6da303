"""What `gpu_check` does: compare a GPU with the processor, and measure it."""
