"""What comes from outside, as Python text: names, strings, comments and machine code.

File names, the names in a module, strings and the lines of the source may hold anything: quotes,
ends of lines, characters that show nothing or turn the direction of writing, halves of
characters. Whatever of it goes into an emitted program passes here, so that nothing of it
becomes more than one literal, one comment or one name.

    string_literal('a"\n')    =>    "a\\"\\n"
    comment('a\nimport os')   =>    # a\\nimport os
    identifier("x); f(", "t") =>    x___f_
"""

from __future__ import annotations

import builtins
import json
import re
from collections.abc import Sequence

from diablo.lowering.reserved_names import DRIVER_NAMES


def string_literal(text: str) -> str:
    """A Python string literal in double quotes, on one line, that has the value `text`."""
    return _shown(json.dumps(text, ensure_ascii=False))


def comment(text: str, width: int | None = None) -> str:
    """Return a comment of one line, cut after a word to at most `width` characters if given."""
    whole = f"# {_shown(text)}"
    if width is None or len(whole) <= width:
        return whole
    head = whole[: max(width - 2, 1)]
    # A first word that is longer than the line is cut inside.
    words = head if whole[len(head)] == " " else head.rpartition(" ")[0]
    return f"{head if words in ('', '#') else words.rstrip()} …"


def docstring(lines: Sequence[str]) -> str:
    """A module's docstring with these lines."""
    text = "\n".join(_shown(line.replace("\\", "\\\\").replace('"', '\\"')) for line in lines)
    return f'"""{text}\n"""'


def block_literal(text: str) -> str:
    """A literal for the text of another language, as it stands if no character prevents it."""
    shown = all(line.isprintable() for line in text.split("\n"))
    if shown and '"""' not in text:
        return f'r"""\n{text}\n"""'
    return string_literal(f"\n{text}\n")


def _shown(text: str) -> str:
    """`text` with what a file cannot hold, or a reader cannot see, escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def identifier(hint: str, fallback: str) -> str:
    """An ASCII identifier like `hint`, which may be a keyword but no name with a meaning."""
    name = re.sub(r"\W", "_", hint, flags=re.ASCII)
    special = name.startswith("__") and name.endswith("__")
    return f"{fallback}_{name}" if special or not name.isidentifier() else name


def symbol_name(symbol: str) -> str:
    """The name at the top level of a program for what the module defines as `symbol`.

    It is the symbol itself where that is a name that nothing else has. Two symbols never have
    one name, nor does the name of one end in `_combine`, which is added to those of monoids.
    """
    plain = symbol.isascii() and symbol == identifier(symbol, "")
    if not plain or symbol.endswith("_combine"):
        return "symbol_0" + "".join(c if _is_plain(c) else f"_{ord(c):x}_" for c in symbol)
    taken = symbol in DRIVER_NAMES or hasattr(builtins, symbol) or symbol.startswith("symbol_")
    return f"symbol_{symbol}" if taken else symbol


def _is_plain(character: str) -> bool:
    return character.isascii() and character.isalnum()
