"""What every part of the parser does with tokens: look, take, expect, fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn, TypeVar

from diablo.diagnostics import Diagnostic, Span
from diablo.frontend.parsing import syntax
from diablo.frontend.parsing.idioms import IN_COMPREHENSIONS, STATEMENTS
from diablo.frontend.parsing.tokens import RESERVED, Source, Token

Item = TypeVar("Item")

# Bounds the parser's own recursion, so that no input exhausts the Python stack.
MAX_NESTING = 100
# Bounds the nesting of statements alone: Python, which they become, has 100 levels at most.
MAX_STATEMENT_NESTING = 80
# Bounds the depth of the tree of `a + b + …`, which the parser makes without recursion.
MAX_CHAIN = 100


class SyntaxFailure(Exception):
    """Carries a syntax error from where it is found to the statement that recovers."""

    def __init__(self, diagnostic: Diagnostic):
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class TokenStream:
    """A position in the program's tokens, which all functions of the parser are handed.

    What the program declares may decide how the rest of it reads: `monoids` are the names that a
    `/` may follow, `typemaps` those that stand before a list that they store. `diagnostics` holds
    the errors from which the parser recovered.
    """

    def __init__(self, source: Source, tokens: list[Token], monoids: Iterable[str]):
        self.source = source
        self.tokens = tokens
        self.monoids = set(monoids)
        self.typemaps: set[str] = set()
        self.diagnostics: list[Diagnostic] = []
        self.position: int = 0
        self.brackets: int = 0
        self.nesting: int = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    @property
    def previous(self) -> Token:
        """The token taken last."""
        return self.tokens[max(0, self.position - 1)]

    def peek(self, distance: int = 1) -> Token:
        """The token `distance` after the next one."""
        return self.tokens[min(self.position + distance, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Take the next token."""
        token = self.token
        if token.kind != "end":
            self.position += 1
        return token

    def accept(self, *texts: str) -> Token | None:
        """Take the next token if it is one of the operators or words `texts`."""
        if self.token.kind in ("op", "name") and self.token.text in texts:
            return self.take()
        return None

    def expect(self, text: str, after: str, hint: str | None = None) -> Token:
        """Take the operator or word `text`, which must come `after` something."""
        token = self.accept(text)
        if token is None:
            # `not a` and `a and b` end an expression too early.
            words = (self.token, self.previous) if self.position else (self.token,)
            found = next((w for w in words if w.is_name("and", "or", "not")), None)
            if found is not None:
                hint = STATEMENTS[found.text]
            elif hint is None and self.token.text == "=":
                hint = IN_COMPREHENSIONS["="]
            self.fail(f"expected `{text}` {after}, found {self.describe()}", hint=hint)
        return token

    def adjacent(self) -> bool:
        """Return whether the next token follows the previous one on the same line, or in brackets.

        A statement need not end with `;`, so a bracket on a new line begins a new one.
        """
        return self.brackets > 0 or self.token.line == self.previous.line

    def describe(self) -> str:
        """The next token in words."""
        return "the end of the program" if self.token.kind == "end" else f"`{self.token.text}`"

    def span_from(self, first: Token) -> Span:
        """The span from `first` to the token taken last."""
        return self.source.span(first, self.previous)

    def fail(self, message: str, token: Token | None = None, hint: str | None = None) -> NoReturn:
        """Raise a syntax error at `token`, or at the next one."""
        self.fail_at(self.source.span(token or self.token), message, hint)

    def fail_at(self, span: Span, message: str, hint: str | None = None) -> NoReturn:
        """Raise a syntax error at `span`."""
        raise SyntaxFailure(Diagnostic("error", message, span, hint))

    def enter(self, limit: int = MAX_NESTING) -> None:
        """Go one level deeper; the caller takes one off `nesting` when it is done."""
        self.nesting += 1
        if self.nesting > limit:
            self.fail("the program is nested too deeply here")

    def parse_items(
        self, close: str, after: str, parse: Callable[[TokenStream], Item]
    ) -> list[Item]:
        """Parse `item, item, … close`; the opening bracket has been taken."""
        items: list[Item] = []
        self.brackets += 1
        while not self.token.is_op(close):
            items.append(parse(self))
            if not self.accept(","):
                break
        self.brackets -= 1
        self.expect(close, after)
        return items

    def parse_new_name(self, what: str) -> syntax.NamePattern:
        """Parse the name of something that is declared."""
        token = self.token
        if token.kind != "name":
            self.fail(f"expected the name of {what}, found {self.describe()}")
        if token.text in RESERVED:
            self.fail(f"`{token.text}` is a word of the language and cannot name {what}")
        self.take()
        return syntax.NamePattern(self.source.span(token), token.text)
