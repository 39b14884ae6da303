"""From the checked syntax tree to the IR."""
