"""The passes that choose how the index sets of sparse arrays are stored."""
