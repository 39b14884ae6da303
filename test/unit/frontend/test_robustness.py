"""Whatever the text, the front end gives a module or a `CompileError`, nothing else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from diablo.diagnostics import CompileError
from diablo.frontend.importer import import_program

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "language.md").read_text()
EXAMPLES = {
    **{path.stem: path.read_text() for path in sorted((ROOT / "examples").glob("*.diablo"))},
    **{
        f"page-{number}": text
        for number, text in enumerate(re.findall(r"```diablo\n(.*?)```", PAGE, flags=re.DOTALL))
    },
}
WORD = re.compile(r"\s+|\w+|[^\w\s]")
SPARE_WORDS = (
    "( ) [ ] { } < > , ; : . | # @ ? <- <= == => -> + - * / % && = += .. for in do if else while "
    "1 2.5 x 'c' \"a\" _1 a length map list var def monoid let group by min inf String toInt é"
)


def mutate(text: str, source: random.Random, spare: list[str]) -> str:
    """Delete, double, exchange or replace a few words of a program."""
    words = WORD.findall(text)
    for _ in range(source.randint(1, 4)):
        place, other = source.randrange(len(words)), source.randrange(len(words))
        match source.randrange(5):
            case 0:
                words[place] = ""
            case 1:
                words[place] += words[place]
            case 2:
                words[place], words[other] = words[other], words[place]
            case 3:
                words[place] = source.choice(spare)
            case _:
                words[place] = words[other]
    return "".join(words)


def error_of(text: str) -> CompileError | None:
    try:
        import_program(text, "test.diablo")
    except CompileError as error:
        return error
    return None


@pytest.mark.sampled(40)
@pytest.mark.parametrize("example", EXAMPLES)
def test_mutated_examples(example: str) -> None:
    source = random.Random(example)
    text = EXAMPLES[example]
    spare = [*SPARE_WORDS.split(), *WORD.findall(text)]
    for _ in range(50):
        mutated = mutate(text, source, spare)
        error = error_of(mutated)
        if error is not None:
            assert error.diagnostics, mutated
            assert "internal error" not in str(error), mutated
            assert all(d.span for d in error.diagnostics), mutated


@pytest.mark.parametrize("text", ["", ";;;", "\ufeff", "\x00", "é = 3", "\r\nvar x = 1\r\n", "\t"])
def test_odd_texts(text: str) -> None:
    error = error_of(text)
    assert error is None or error.diagnostics
