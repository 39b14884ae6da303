"""Breaking long statements over several lines, as a person would.

  C = A.flatMap(rekey((0, -1), (n, m), block_size)).cogroup(B, partitions)
=>
  C = (
      A
      .flatMap(rekey((0, -1), (n, m), block_size))
      .cogroup(B, partitions)
  )
"""

from __future__ import annotations

from diablo.lowering.numpy.numpy_lines import broken, outside_strings

WIDTH = 100
_MODULES = (
    *(
        "np",
        "sc",
        "special",
        "arithmetic",
        "dot_products",
        "matrix_products",
        "sparse_points",
        "sparse_products",
        "window_products",
        "windows",
    ),
    *("rows", "rows.strings"),
)
_STEP = 4
_OPEN, _CLOSE = "([{", ")]}"


def statement(prefix: str, text: str, indent: int, tail: str = "") -> list[str]:
    """`prefix` + `text` + `tail` as lines that are `indent` deep."""
    pad = " " * indent
    whole = f"{pad}{prefix}{text}{tail}"
    if len(whole) <= WIDTH:
        return [whole]
    values = top_level(text, ",")
    if len(values) > 1:
        text = f"({', '.join(values)})"
    links = method_calls(text)
    if len(links) > 1:
        lines = [f"{pad}{prefix}("]
        for link in links:
            lines += _broken(link, indent + _STEP, "")
        return [*lines, f"{pad}){tail}"]
    if _last_bracket(text) is None and len(_literals(text, WIDTH - indent)) == 1:
        return broken(prefix, text, indent, tail)
    first, *rest = _broken(text, indent, tail, len(prefix))
    return [f"{pad}{prefix}{first.lstrip()}", *rest]


def _broken(text: str, indent: int, tail: str, before: int = 0) -> list[str]:
    """An expression within brackets; `tail` follows it, `before` characters stand before it."""
    pad = " " * indent
    if indent + before + len(text) + len(tail) <= WIDTH:
        return [pad + text + tail]
    links = method_calls(text)
    if len(links) > 2 or (len(links) == 2 and len(links[0]) > WIDTH // 2):
        lines: list[str] = []
        for link in links[:-1]:
            lines += _broken(link, indent, "")
        return [*lines, *_broken(links[-1], indent, tail)]
    start = _last_bracket(text)
    if start is None:
        return [pad + part for part in _literals(text + tail, WIDTH - indent)]
    arguments = top_level(text[start + 1 : -1], ",")
    lines = [pad + text[: start + 1]]
    one_line = ", ".join(arguments)
    if indent + _STEP + len(one_line) <= WIDTH and not any("(lambda" in a for a in arguments):
        lines.append(" " * (indent + _STEP) + one_line)
    elif _is_grouping(text, start):
        lines += _broken(arguments[0], indent + _STEP, "")
    else:
        for argument in arguments:
            lines += _broken(argument, indent + _STEP, ",")
    return [*lines, pad + text[-1] + tail]


def _literals(text: str, width: int) -> list[str]:
    """A string literal as several that follow each other, cut after words; others as they are."""
    quote = text[0]
    inside = text.rpartition(quote)[0]
    if (
        quote not in "\"'"
        or len(text) <= width
        or any(p < len(inside) for p, _ in outside_strings(text))
    ):
        return [text]
    end = inside.rfind(" ", 1, width - 1) + 1
    if end == 0:
        return [text]
    return [text[:end] + quote, *_literals(quote + text[end:], width)]


def _is_grouping(text: str, start: int) -> bool:
    """Whether a comma before the last bracket would make a tuple: of an operand, or an index."""
    before = text[start - 1] if start > 0 else " "
    follows = before.isalnum() or before in "_)]"
    if text[start] != ("[" if follows else "("):
        return False
    inner = text[start + 1 : -1]
    return not any(character == "," and depth == 0 for _, character, depth in _scan(inner))


def _scan(text: str) -> list[tuple[int, str, int]]:
    """Position, character and bracket depth of what stands outside of string literals."""
    found: list[tuple[int, str, int]] = []
    depth = 0
    for position, character in outside_strings(text):
        if character in _CLOSE:
            depth -= 1
        found.append((position, character, depth))
        if character in _OPEN:
            depth += 1
    return found


def top_level(text: str, separator: str) -> list[str]:
    """`text` cut at the separators that are outside of brackets."""
    cuts = [p for p, character, depth in _scan(text) if character == separator and depth == 0]
    parts = [text[a + 1 : b] for a, b in zip([-1, *cuts], [*cuts, len(text)], strict=True)]
    return [part.strip() for part in parts if part.strip()]


def method_calls(text: str) -> list[str]:
    """`head`, `.link(…)`, `.link(…)`: the text itself if it is no chain of calls."""
    if not text.endswith(")"):
        return [text]
    scanned = _scan(text)
    if any(character == " " and depth == 0 for _, character, depth in scanned):
        return [text]
    cuts = [p for p, character, depth in scanned if character == "." and depth == 0 and p > 0]
    # A dot before the first bracket may belong to a module's or a context's function.
    called = [p for p in cuts if "(" in text[p:]]
    while called and text[: called[0]] in _MODULES:
        called = called[1:]
    return [text[a:b] for a, b in zip([0, *called], [*called, len(text)], strict=True)]


def _last_bracket(text: str) -> int | None:
    """Return where the bracket opens that the last character closes."""
    if not text or text[-1] not in _CLOSE:
        return None
    opened: list[int] = []
    for position, character, _ in _scan(text):
        if character in _OPEN:
            opened.append(position)
        elif character in _CLOSE:
            start = opened.pop()
            if position == len(text) - 1:
                return start
    return None
