"""Conversions to the `multiloop` level, and from there to loops over buffers."""
