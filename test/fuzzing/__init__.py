"""Random programs and random texts: what writes them, runs them, and makes failures small."""
