# Random loops of the driver: what is drawn, how it is called, and that it is machine code.
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

import diablo
from diablo.frontend.checking.declarations import program_interface
from fuzzing.arguments import parse_arguments
from fuzzing.driver_model import KINDS, Amount
from fuzzing.fuzz_driver import run, ways
from fuzzing.inputs import changed_input, copied_inputs, longer_inputs
from fuzzing.native_calls import native_calls
from fuzzing.reports import read_report
from fuzzing.trial import Trial, Way
from fuzzing.writer import write_program

CALLED = Way(None, (None, None), compile="always", threads=(1, 2), whole=True, again=3)


def test_programs_are_well_typed_and_have_all_that_is_to_be_drawn() -> None:
    programs = [write_program(seed, "loops") for seed in range(250)]
    for program in programs:
        program_interface(program.text, "random.diablo").results()
        assert program.features == ("driver loops",)
    text = "\n".join(program.text for program in programs)
    wanted = [
        *(r"\(A\d+ @ x\d+\)", r"A\d+\.t @ x\d+", r"\(X\d+ @ A\d+\)", r" @ A\d+\.t", r"\.t @ X\d+"),
        *(r"S\d+ @ ", r"S\d+\.t @ ", r"conj\([AX]\d+\)", r"a\d+\*\(.* @ .*\) [+-] a\d+\*"),
        *(r"i\d+\+p\d+-1", r"\[i\d+,q\d+,i\d+\+q\d+-1", r"group by", r"/h\d+", r"h\d+ = h\d+ - 1"),
        *(r"var (c\d+) = X\d+;\n +X", r"if \(.*\) \{ u\d+ = ", r"    while \(", r"\} else \{"),
        *(r"while \(.*(sqrt|max/)", r"while \(.*\|\|/", r"\+= "),
        *(rf"(vector|matrix)\[{kind}\]" for kind in KINDS),
    ]
    assert [part for part in wanted if not re.search(part, text)] == []
    twice = re.compile(r"var X\d+ = (\w+);\nvar X\d+ = \1;")
    assert sum(bool(twice.search(program.text)) for program in programs) > 25


def test_some_programs_of_all_are_such_loops() -> None:
    families = [write_program(seed).features == ("driver loops",) for seed in range(160)]
    assert sum(families) == 20
    assert write_program(8).text == write_program(8, "others").text
    assert not any("driver loops" in write_program(seed, "others").features for seed in range(16))


def test_what_is_rounded_is_not_written() -> None:
    double, single = KINDS["Double"], KINDS["Float"]
    element = Amount(1, 2)
    product = (element * element).summed
    assert product == Amount(9, 4)
    assert single.holds(product)
    assert double.holds((product * product).summed)
    assert not single.holds((product * product).summed)
    assert KINDS["Int8"].holds(Amount(100, 0))


def test_they_are_called_again_with_longer_inputs() -> None:
    arguments = parse_arguments(["--family", "loops", "--compile", "always", "--threads", "1,2,3"])
    for seed in range(40):
        first, *_ = ways(seed, arguments, ["driver loops"])
        assert first.again > 1
        assert (first.compile, sorted(map(str, first.threads))) == ("always", ["1", "2", "3"])
    given: dict[str, Any] = {
        "n": 2,
        "steps": 5,
        "x": np.arange(2.0),
        "S": csr_array(np.eye(2, dtype=np.int8)),
    }
    longer = longer_inputs(given, 3, 1)
    assert (longer["n"], longer["steps"]) == (6, 5)
    assert set(longer["x"]) <= {0.0, 1.0}
    assert (longer["S"].shape, longer["S"].dtype) == ((6, 6), np.int8)
    assert given["x"].shape == (2,)


def test_an_input_that_is_written_to_is_found() -> None:
    given: dict[str, Any] = {"n": 2, "x": np.array([1.0, np.nan]), "S": csr_array(np.eye(2))}
    before = copied_inputs(given)
    assert changed_input(before, given) is None
    given["S"].data[0] = 3.0
    assert changed_input(before, given) == "S"
    given["S"].data[0], given["x"][0] = 1.0, 4.0
    assert changed_input(before, given) == "x"


DOUBLED = """input x: vector[Double]; input n: Int;
var v = x; var k = 0;
while (k < 3) { v = tensor*(n)[ (i, 2.0*v[i]) | i <- 0..n-1 ]; k += 1; };
v;
"""


@pytest.mark.parametrize("wrong", ["result", "argument", "earlier"])
def test_what_a_call_does_wrong_is_told(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    call, kept = diablo.Program.__call__, list[Any]()

    def changed(program: diablo.Program, **inputs: Any) -> Any:
        result = call(program, **inputs)
        if len(inputs["x"]) == 6:
            if wrong == "result" and kept:
                return np.asarray(result) + 1
            if wrong == "argument" and len(kept) == 2:
                inputs["x"][1] = 7.0
            if wrong == "earlier" and len(kept) == 3:
                kept[2][0] = 11.0
            kept.append(np.asarray(result))
        return result

    given = {"x": np.arange(2.0), "n": 2}
    assert Trial(DOUBLED, given).run([CALLED]).verdict == "same"
    monkeypatch.setattr(diablo.Program, "__call__", changed)
    outcome = Trial(DOUBLED, given).run([CALLED])
    assert outcome.verdict == "wrong"
    told = {"result": "instead of", "argument": "its argument x", "earlier": "by a later call"}
    assert told[wrong] in outcome.message


def test_most_of_them_are_machine_code() -> None:
    kinds: Counter[str] = Counter()
    for seed in range(300, 306):
        program = write_program(seed, "loops")
        with native_calls() as calls:
            outcome = Trial(program.text, program.inputs).run([replace(CALLED, open="related")])
        assert not outcome.is_failure, f"{outcome}\n{program.text}"
        kinds.update(calls.kinds)
    assert kinds["jobs"] >= 3, kinds
    assert kinds["alone"] >= 1, kinds
    assert kinds["none"] <= 2, kinds


def test_the_command_draws_them_and_makes_failures_small(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["--family", "loops", "--count", "1", "--seed", "300", "--compile", "always"]
    assert run(command) == 0
    assert "programs with loops of machine code: " in capsys.readouterr().out
    wrong_in_call = Trial._wrong_in_call  # pyright: ignore[reportPrivateUsage]

    def failing(trial: Trial, *results: Any, is_plain: bool) -> str | None:
        is_wrong = "settled" in trial.text
        return "a mistake" if is_wrong else wrong_in_call(trial, *results, is_plain=is_plain)

    monkeypatch.setattr(Trial, "_wrong_in_call", failing)
    options = ["--most", "1", "--shrink", "5", "--out", str(tmp_path)]
    assert run([*command, "--threads", "2", *options]) == 1
    (report,) = tmp_path.iterdir()
    text, *_ = read_report(report)
    assert len(text.splitlines()) < len(write_program(300, "loops").text.splitlines())
    assert "'again': " in report.read_text()
