"""Analyses of loops and iteration spaces: dependences, products, keys that recur."""
