"""From the source level to comprehensions."""
