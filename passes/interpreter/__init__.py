"""The reference interpreter: the oracle of every level."""

from diablo.passes.interpreter.interpreter import interpret

__all__ = ["interpret"]
