"""The comparison of random comprehensions with plain Python."""

from random import Random
from typing import Any

import pytest

import diablo
from fuzzing import row_fuzz_driver
from fuzzing.row_fuzz_driver import failure
from fuzzing.row_queries import draw


def test_queries_mean_what_plain_python_says() -> None:
    found = [failure(seed) for seed in range(20)]
    assert not any(found), next(filter(None, found))


def test_a_query_is_that_of_its_seed() -> None:
    first, again = draw(Random(5)), draw(Random(5))
    assert first.source == again.source
    assert first.result() == again.result()


def test_all_forms_are_drawn() -> None:
    sources = [draw(Random(seed)).source for seed in range(300)]
    forms = ["group by", "tensor*", "for k1 = ", "let t", "<- S", "<- L", "var n", "input n"]
    # Variables of iterations, of loops in any order and of those that run in order.
    forms += [
        "var N",
        "var U",
        "{ var t2",
        "t2 += ",
        "{ t2 = ",
        "t2 max= ",
        " z = (3*z",
        "} else {",
    ]
    for form in forms:
        assert any(form in source for source in sources), form


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile(source: str, **options: Any) -> Any:
        def program(**inputs: Any) -> list[tuple[int, int]]:
            return [(7, 7)]

        return program

    monkeypatch.setattr(diablo, "compile", compile)
    sources = {seed: draw(Random(seed)).source for seed in range(60)}
    rows = next(seed for seed, text in sources.items() if text.splitlines()[-1].startswith("[ (g"))
    told = failure(rows)
    assert told is not None
    assert sources[rows] in told


def test_what_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def compile(source: str, **options: Any) -> Any:
        raise ValueError("not today")

    monkeypatch.setattr(diablo, "compile", compile)
    assert "ValueError: not today" in (failure(1) or "")


def test_the_command_counts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def told(seed: int) -> str | None:
        return {3: "this differs", 4: None}.get(seed, "")

    monkeypatch.setattr(row_fuzz_driver, "failure", told)
    monkeypatch.setenv("DIABLO_COMPILE", "auto")  # It is set, and set back after the test.
    monkeypatch.setattr("sys.argv", ["row_fuzz", "--count", "6"])
    assert row_fuzz_driver.run() == 1
    assert capsys.readouterr().out.splitlines() == ["seed 3: this differs", "5 queries, 1 wrong"]
