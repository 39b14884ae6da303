"""From comprehensions to whole-array and row algebra."""
