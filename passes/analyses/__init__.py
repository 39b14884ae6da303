"""Analyses: what passes and conversions ask about the IR."""
