"""Reading the input of `diablo-opt`: files, chunks, and a parser that keeps places."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import AttributeInvT, Operation, SSAValue, TypeAttribute
from xdsl.parser import Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import (
    DiagnosticException,
    ParseError,
    UnregisteredConstructException,
)
from xdsl.utils.lexer import Input
from xdsl.utils.lexer import Span as TextSpan
from xdsl.utils.mlir_lexer import MLIRLexer

from diablo.diagnostics import CompileError, Diagnostic, Span

SEPARATOR = "// -----"

_INTEGER = re.compile(r"[su]?i(\d+)")
_WIDEST_INTEGER = 2**24 - 1


@dataclass(frozen=True)
class Source:
    """One input: `text` starts with as many empty lines as stand before it in its file."""

    name: str
    text: str
    language: str


def language_of(path: str) -> str:
    """The language that a file's extension says."""
    return "diablo" if os.path.splitext(path)[1] == ".diablo" else "mlir"


def split_chunks(text: str) -> list[str]:
    """The parts between separator lines, each padded so that its line numbers are the file's."""
    chunks: list[str] = []
    current: list[str] = []
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.startswith(SEPARATOR):
            chunks.append("".join(current))
            current = ["\n"] * (number + 1)
        else:
            current.append(line)
    return [*chunks, "".join(current)]


def parse_source(source: Source, ctx: Context) -> ModuleOp:
    """Return the module for a source; what is wrong with it raises `CompileError`."""
    if source.language == "diablo":
        from diablo.frontend.importer import import_program

        return import_program(source.text, source.name)
    try:
        return _LocatingParser(ctx, source.text, source.name).parse_module()
    except ParseError as error:
        raise CompileError([_diagnostic(error)], {source.name: source.text}) from error


class _LinearLexer(MLIRLexer):
    """xDSL's lexer, but a string that is not closed is found out in linear time.

    The original expression has a repetition inside a repetition, and tries every way to cut
    the rest of the line.
    """

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*"')


_UNREGISTERED = re.compile(r"Operation (\S+) is not registered")
_BEHIND_NAME = '" \t\n\r'


class _LocatingParser(Parser):
    """A parser that gives each op without `loc(…)` the place where it is written.

    So errors found after parsing have a place too.
    """

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(_LinearLexer(Input(text, name)))
        self._file = StringAttr(name)
        self._text = text
        self._first_uses: dict[str, TextSpan] = {}
        self._line_starts = [0]
        position = text.find("\n")
        while position >= 0:
            self._line_starts.append(position + 1)
            position = text.find("\n", position + 1)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse a module; an input without any op is an empty one, as in MLIR."""
        if not self._current_token.text:
            return ModuleOp([])
        try:
            module = super().parse_module(allow_implicit_module)
        except ParseError as error:
            name = next(iter(self.forward_ssa_references), None)
            if name is None or not error.msg.startswith("values used but not defined"):
                raise
            self.raise_error(f"value %{name} is used but not defined", self._first_uses[name])
        if isinstance(module.location, UnknownLoc):
            module.location = self._location(0)
        return module

    def parse_operation(self) -> Operation:
        """Parse one operation."""
        start = self._current_token.span.start
        try:
            op = super().parse_operation()
        except ParseError as error:
            unknown = _UNREGISTERED.fullmatch(error.msg)
            if unknown is None:
                raise
            # xDSL gives the place behind the name. Ops around this one find another one before it.
            end = len(self._text[: error.span.start].rstrip(_BEHIND_NAME))
            if not self._text.endswith(unknown[1], start, end):
                raise
            self.raise_error(error.msg, end - len(unknown[1]), end)
        except (DiagnosticException, UnregisteredConstructException, ValueError) as error:
            self.raise_error(str(error) or type(error).__name__, start)
        except (MemoryError, OverflowError):
            self.raise_error("this operation does not fit in memory", start)
        except (AssertionError, TypeError, IndexError, KeyError, AttributeError) as error:
            # A constructor that trusts its arguments, called with what was written here.
            self.raise_error(
                f"this operation cannot be built ({type(error).__name__}: {error})", start
            )
        if isinstance(op.location, UnknownLoc):
            op.location = self._location(start)
        return op

    def parse_optional_type(self) -> TypeAttribute | None:
        """Parse a type; integers are as wide as MLIR's at most."""
        width = _INTEGER.fullmatch(self._current_token.text)
        if width is not None and (len(width[1]) > 9 or int(width[1]) > _WIDEST_INTEGER):
            self.raise_error(f"an integer has at most {_WIDEST_INTEGER} bits")
        return super().parse_optional_type()

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        """Look a value up, and remember where it is named first."""
        self._first_uses.setdefault(operand.operand_name, operand.span)
        return super().resolve_operand(operand, type)

    def _location(self, position: int) -> FileLineColLoc:
        line = bisect_right(self._line_starts, position)
        column = position - self._line_starts[line - 1] + 1
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))


def _diagnostic(error: ParseError) -> Diagnostic:
    place = error.span.get_location()
    width = max(1, error.span.end - error.span.start)
    span = Span(place.file, place.line, place.col, place.col + width)
    return Diagnostic("error", error.msg.strip(), span)
