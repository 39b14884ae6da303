"""The IR dialects: `diablo`, `comprehension`, `tensor_block` and `spark`."""
