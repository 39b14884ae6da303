"""What a context variable holds within a `with` block.

    with Holding(variable, value):
        …                                # variable.get() is value

It is a class because calls on small arrays enter several: a generator takes twice the time.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Holding(Generic[T]):
    """A context manager that has a variable hold a value, and gives that to the block."""

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[Any], value: T):
        self._variable = variable
        self._value = value

    def __enter__(self) -> T:
        self._token: Token[Any] = self._variable.set(self._value)
        return self._value

    def __exit__(self, *_: object) -> None:
        self._variable.reset(self._token)
