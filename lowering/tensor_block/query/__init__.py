"""One comprehension as a query: its index space, and how ops are written of it."""
