"""Names and types."""
