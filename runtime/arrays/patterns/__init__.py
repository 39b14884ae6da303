"""Index patterns: the sets of indices that sparse tiles store, in many layouts."""
