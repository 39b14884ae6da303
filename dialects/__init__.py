"""The IR dialects, a package each, and beside them the types that several of them share."""
