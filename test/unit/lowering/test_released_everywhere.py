"""Functions that let go of every variable where it is used last."""

from typing import Any

import pytest

from diablo.lowering.pyspark.releases import released_everywhere

ROWS = """\
def kernel(L, n):
    with quiet():
        # a.diablo:1
        i, j = L
        batch = extend(L, (i,))
        if n:
            result = first(batch, j)
        else:
            result = second(batch)
        n += 1
        last = third(result, n)
        return last
"""


def test_variables_go_at_their_last_use():
    lines = released_everywhere(ROWS).splitlines()
    assert lines[3:] == [
        "        i, j = L",
        "        batch = extend(L, (i,))",
        "        del i",
        "        if n:",
        "            result = first(batch, j)",
        "            del batch, j",
        "        else:",
        "            del j",
        "            result = second(batch)",
        "            del batch",
        "        n += 1",
        "        last = third(result, n)",
        "        return last",
    ]


@pytest.mark.parametrize("n", [0, 1])
def test_the_function_gives_the_same(n: int):
    class quiet:
        def __enter__(self) -> None: ...
        def __exit__(self, *_: object) -> None: ...

    def call(source: str) -> Any:
        names: dict[str, Any] = {
            "quiet": quiet,
            "extend": lambda L, more: L + more,
            "first": lambda batch, j: (batch, j),
            "second": lambda batch: batch,
            "third": lambda result, n: (result, n),
        }
        exec(source, names)
        return names["kernel"]((1, 2), n)

    assert call(released_everywhere(ROWS)) == call(ROWS)


@pytest.mark.parametrize("line", ["x = [i for i in L]", "x = fold(lambda a: a, L)"])
def test_scopes_within_are_left_alone(line: str):
    source = f"def kernel(L):\n    {line}\n    y = x\n    return y + L\n"
    assert released_everywhere(source) == source
