"""Random texts for the front end: programs with words changed, and words in any order.

Whatever the text is, the compiler gives a program or a `CompileError`, and not for long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from fuzzing.writer import write_program

_WORD = re.compile(r'"(?:\\.|[^"\\\n])*"|\d+\.\d+|\w+|\s+|[^\w\s]')

_WORDS = r"""
( ) [ ] { } , ; : . .. | # @ ? < > <= >= <- == != + - * / % && || ! = += *= min= => ->
for in do while if else var def let group by input monoid typemap region tensor tensor* list
map true false inf Int Double Boolean String Char vector[Double] matrix[Int] list[Int]
map[Int,Double] 0 1 2 2.5 9223372036854775807 1e308 'c' "text" i j x A V n f random()
length rows cols t _1 _2 max/ +/ &&/ abs sqrt view store \ ` é /* */ //
"""


def example_programs() -> list[str]:
    """The texts that are changed: the examples, and random programs."""
    folder = Path(__file__).resolve().parents[2] / "examples"
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.diablo"))]
    return texts + [write_program(seed).text for seed in range(40)]


def random_texts(seed: int, examples: Sequence[str]) -> Iterator[str]:
    """Texts without end, the same ones for each seed."""
    random = Random(seed)
    spare = _WORDS.split()
    words = [_WORD.findall(text) for text in examples]
    while True:
        if random.randrange(10) == 0:
            yield " ".join(random.choices(spare, k=random.randrange(1, 40)))
        else:
            yield mutated(random, random.choice(words), random.choice(words), spare)


def mutated(
    random: Random, words: Sequence[str], others: Sequence[str], spare: Sequence[str]
) -> str:
    """A program with a few words dropped, doubled, exchanged, or taken from elsewhere."""
    result = list(words)
    for _ in range(random.choice((1, 1, 1, 2, 3, 5))):
        place, other = random.randrange(len(result)), random.randrange(len(result))
        length = random.choice((1, 1, 1, 2, 5))
        match random.randrange(8):
            case 0:
                del result[place : place + length]
            case 1:
                result[place:place] = result[place : place + length]
            case 2:
                result[place], result[other] = result[other], result[place]
            case 3:
                result[place] = random.choice(spare)
            case 4:
                result.insert(place, random.choice(spare))
            case 5:
                result[place] = result[other]
            case 6:
                start = random.randrange(len(others))
                result[place:place] = others[start : start + random.randrange(1, 12)]
            case _:
                del result[max(place, 1) :]
        if not result:
            return ""
    return "".join(result)
