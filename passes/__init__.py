"""Passes that stay on one level of the IR."""
