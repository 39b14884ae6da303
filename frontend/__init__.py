"""Front ends: the `.diablo` language."""
