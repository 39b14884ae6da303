# The fuzz command: what it writes, how it makes failures small, and that it finds them.
import json
import signal
import threading
import time
from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo.diagnostics import RunError, listening
from diablo.environment import VERIFY_EACH, wants_verify_each
from diablo.lowering.multiloop import compile_row_kernel
from diablo.passes.analyses.plans.distribution_plan import JOINS
from diablo.passes.interpreter import interpreted_elements as elements
from diablo.row_kernel_signature import BagSlot, RowSignature
from diablo.runtime.arrays import memory
from diablo.runtime.native.compile_mode import COMPILE, THREADS, compile_mode, given_threads
from diablo.runtime.rows import compiled_rows
from diablo.storage import check_layout
from faults.counts import note_counts
from fuzzing.arguments import parse_arguments
from fuzzing.comparison import difference, plain
from fuzzing.draft import Draft
from fuzzing.fuzz_driver import run, ways
from fuzzing.layouts import FORMS, random_layout
from fuzzing.leaving_out import optional_passes, pipelines_without
from fuzzing.list_reads import list_reads
from fuzzing.long_lists import long_list
from fuzzing.model import FEATURES
from fuzzing.mutation import example_programs, random_texts
from fuzzing.qualifiers import tuple_of
from fuzzing.reports import read_report, write_report
from fuzzing.shrinking import Shrinker
from fuzzing.texts import compile_text
from fuzzing.time_limit import TooSlow, time_limit
from fuzzing.trial import Trial, Way, machine_code
from fuzzing.twins import differing_twins
from fuzzing.writer import FAMILIES, write_program


def test_programs_depend_on_the_seed_alone_and_use_every_part_of_the_language():
    programs = [write_program(seed) for seed in range(200)]
    assert programs[7].text == write_program(7).text
    assert len({program.text for program in programs}) == len(programs)
    features = {f for program in programs for f in program.features}
    assert features == {*FEATURES, "driver loops"}


def test_programs_with_regions_say_what_is_allowed():
    programs = [write_program(seed) for seed in range(400)]
    programs = [program for program in programs if "regions" in program.features]
    text = "\n".join(program.text for program in programs)
    kinds = ["where ?", "where (i", "where B", "where [", " by ", " at (", " && R", " || R", " - R"]
    uses = [" fill 7", "if (R", "twin", ") in R", ") <- R", ".length", "over (*, "]
    missing = [part for part in (*kinds, *uses) if part not in text]
    assert missing == []
    for program in programs[:12]:
        with listening(lambda _: None):
            Trial(program.text, program.inputs).variant().lower("diablo")


@pytest.fixture
def signatures(monkeypatch: pytest.MonkeyPatch) -> list[RowSignature]:
    """What the kernels over rows that are made take and give."""
    made: list[RowSignature] = []
    compile_kernel = compile_row_kernel.compile_row_kernel

    def noted(*arguments: Any) -> Any:
        kernel = compile_kernel(*arguments)
        assert isinstance(kernel.signature, RowSignature)
        made.append(kernel.signature)
        return kernel

    monkeypatch.setattr(compile_row_kernel, "compile_row_kernel", noted)
    monkeypatch.setattr(compiled_rows, "WORTH_LOOKING_AT", 0)
    return made


def _run_part(write: Callable[[Draft], None], seed: int) -> None:
    """Run a program that has one part alone."""
    draft = Draft(Random(seed), [], FAMILIES)
    write(draft)
    results = [*(v.name for v in draft.lists), *(name for name, _ in draft.scalars)]
    diablo.compile("\n".join([*draft.lines, f"{tuple_of(results)};"]))(**draft.inputs)


def test_long_lists_go_through_kernels_over_rows(signatures: list[RowSignature]):
    for seed in range(10):
        _run_part(long_list, seed)
    made = {str(output).split("(")[0] for signature in signatures for output in signature.outputs}
    assert made >= {"placed", "some", "keyed", "groups", "i64", "f64"}


def test_lists_and_strings_are_read_at_positions(signatures: list[RowSignature]):
    failed = 0
    for seed in range(30):
        try:
            _run_part(list_reads, seed)
        except RunError:
            failed += 1
    columns = {
        column
        for signature in signatures
        for bag in signature.arguments
        if isinstance(bag, BagSlot)
        for column in bag.columns
    }
    assert columns >= {"text", "[f64]", "[i64;i64]"}
    assert 0 < failed < 15


def test_twins_are_the_same():
    assert differing_twins("(twin1a,twin1b,A);\n", (1, 1, [2])) is None
    assert differing_twins("(A,twin1a,twin1b);\n", ([2], 1, 2)) is None
    assert differing_twins("(twin1a,twin1b);\n", ([1, 2], [1, 3])) is not None
    text = """region R = (0..3); region Some = R where i => i > 1;
var twin1a = +/[ i | i <- Some ]; var twin1b = +/[ i | i <- 0..3, i > 2 ];
(twin1a,twin1b);
"""
    outcome = Trial(text, {}).run([Way()])
    assert str(outcome) == "wrong: twin1a is not twin1b: 5 instead of 3"


def test_results_are_compared_whatever_the_order_of_rows():
    one, other = [(1, (2.0, "b")), (0, (1.0, "a"))], [(0, 1.0, "a"), (1, 2.0 + 1e-13, "b")]
    assert difference(plain(one), plain(other)) is None
    assert difference(plain({"k": 1}), plain([("k", 1)])) is None
    assert difference(plain(np.array([1.0, 2.0])), plain(np.array([1.0, 3.0]))) is not None
    assert difference(plain([1, 2]), plain([1])) is not None
    assert difference(plain("a"), plain(1)) is not None


def test_a_pass_is_left_out_for_a_while():
    assert "canonicalize" in optional_passes()
    assert "expand-reads" not in optional_passes()
    with pipelines_without("infer-sparsity"):
        assert "infer-sparsity" not in optional_passes()
    assert "infer-sparsity" in optional_passes()


def test_a_report_is_read_back(tmp_path: Path):
    path = tmp_path / "reports" / "one.diablo"
    inputs = {
        "n": 3,
        "A": np.zeros((0, 2)),
        "S": sparse.csr_array(np.eye(2)),
        "L": [(1, "a"), (2, "b")],
    }
    for way in (
        Way("cse", (3,), layout="form = band"),
        Way(None, (None,), compile="always", threads=(2,), whole=True),
        Way(None, (1,), "spark", "local[2]", join="replicate", verified=True),
    ):
        write_report(path, "input n: Int;\nn;\n", inputs, ["wrong: 1\ninstead of 2"], way)
        text, given, found = read_report(path)
        assert text == "input n: Int;\nn;\n"
        assert found == way
    assert given["n"] == 3
    assert given["L"] == inputs["L"]
    assert given["A"].shape == (0, 2)
    assert (given["S"].toarray() == np.eye(2)).all()


def test_every_form_of_a_layout_is_drawn():
    texts = [random_layout(Random(seed)) for seed in range(300)]
    for text in texts:
        check_layout(text)
    counts = [sum(text.startswith(f"form = {form}") for text in texts) for form in FORMS]
    assert min(counts) > 25
    assert sum(counts) == 300
    with_layout = [way for seed in range(100) for way in ways(seed, parse_arguments([]))]
    assert 5 < sum(way.layout is not None for way in with_layout) < 30


def test_some_programs_run_as_machine_code_from_the_first_call_on():
    drawn = [way for seed in range(200) for way in ways(seed, parse_arguments([]))]
    forced = [way for way in drawn if way.compile == "always"]
    assert {threads for way in forced for threads in way.threads} == {1, 2, 3}
    assert 10 < len(forced) < 60
    arguments = parse_arguments(["--compile", "never", "--threads", "1,4"])
    given = [way for seed in range(20) for way in ways(seed, arguments)]
    assert {(way.compile, *way.threads) for way in given} == {("never", 1, 4), ("never", 4, 1)}
    with pytest.raises(SystemExit):
        parse_arguments(["--threads", "0"])


def test_on_spark_programs_run_in_all_block_sizes_with_two_joins_in_turn():
    arguments = parse_arguments(["--engine", "spark", "--master", "local[2]"])
    drawn = [ways(seed, arguments) for seed in range(50)]
    assert all(way.block_sizes == (None, 1, 3, 7) for found in drawn for way in found)
    joins = [tuple(way.join for way in found) for found in drawn]
    assert set(map(len, map(set, joins))) == {2}
    assert {join for pair in joins for join in pair} == set(JOINS)
    forced = parse_arguments(["--engine", "spark", "--join", "reduce"])
    assert [way.join for way in ways(3, forced)] == ["reduce"]


def test_few_runs_of_each_program_are_drawn_from_all_of_its_ways():
    command = ["--compile", "always", "--threads", "1,2,3"]
    arguments = parse_arguments([*command, "--runs", "1"])
    drawn = [way for seed in range(200) for way in ways(seed, arguments)]
    assert len(drawn) == 200
    assert {way.threads for way in drawn} == {(1,), (2,), (3,)}
    assert {way.block_sizes for way in drawn} == {(size,) for size in (None, 1, 3, 7, "each")}
    assert any(way.whole for way in drawn)
    assert any(way.without for way in drawn)
    assert ways(7, arguments) == ways(7, arguments)
    every = [one for way in ways(7, parse_arguments(command)) for one in way.each()]
    assert len(ways(7, parse_arguments([*command, "--runs", "99"]))) == len(every)
    with pytest.raises(SystemExit):
        parse_arguments(["--runs", "0"])


def test_a_plan_that_no_join_changes_is_run_once():
    product = """input A: matrix[Double]; input B: matrix[Double];
tensor*(4,4)[ ((i,j),+/c) | ((i,k),a) <- A, ((kk,j),b) <- B, kk == k, let c = a*b,
                            group by (i,j) ];
"""
    both = [Way(block_sizes=(3,), join=join) for join in ("broadcast", "reduce")]
    matrix = np.arange(16.0).reshape(4, 4)
    joined = Trial(product, {"A": matrix, "B": matrix})
    assert joined.run(both).verdict == "same"
    assert [way.join for way in joined.runs] == ["broadcast", "reduce"]
    alone = Trial("input A: matrix[Double]; +/[ a | ((i,j),a) <- A ];", {"A": matrix})
    assert alone.run(both).verdict == "same"
    assert [way.join for way in alone.runs] == ["broadcast"]


def test_a_table_keeps_the_latest_counts_of_each_run(tmp_path: Path):
    path = tmp_path / "counts.json"
    note_counts(path, "map", {"killed": 1})
    note_counts(path, "loop", {"killed": 2})
    note_counts(path, "map", {"killed": 3})
    assert json.loads(path.read_text()) == {"map": {"killed": 3}, "loop": {"killed": 2}}
    assert run(["--count", "2", "--seed", "7", "--record", str(path)]) == 0
    noted = json.loads(path.read_text())["random programs from 7 on local"]
    assert noted["programs"] == 2
    assert noted["runs"] == sum(noted["runs by join and block size"].values())


def test_a_way_sets_the_environment_for_a_while(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(COMPILE, "never")
    monkeypatch.delenv(THREADS, raising=False)
    with machine_code("always", 3):
        assert (compile_mode(), given_threads(), memory.SMALLEST) == ("always", 3, 1)
    with machine_code(None, None):
        assert (compile_mode(), given_threads()) == ("never", None)
    assert (compile_mode(), given_threads()) == ("never", None)
    assert memory.SMALLEST > 1


def test_a_way_has_the_IR_verified_after_each_pass(monkeypatch: pytest.MonkeyPatch):
    seen: list[bool] = []

    def note(*_arguments: Any) -> Any:
        seen.append(wants_verify_each())
        return 5

    monkeypatch.delenv(VERIFY_EACH, raising=False)
    monkeypatch.setattr("fuzzing.trial.run_main", note)
    for verified in (True, False):
        Trial("2+3;\n", {}).run([Way(block_sizes=(None,), verified=verified)])
    assert seen == [True, False]
    assert not wants_verify_each()


def test_each_block_size_takes_the_next_number_of_threads(monkeypatch: pytest.MonkeyPatch):
    seen: list[tuple[int | None, int | None]] = []

    def note(*arguments: Any) -> Any:
        assert arguments[-1] is None  # The device.
        seen.append((arguments[4], given_threads()))
        return 5

    monkeypatch.setattr("fuzzing.trial.run_main", note)
    outcome = Trial("2+3;\n", {}).run([Way(threads=(2, 3, 1))])
    assert outcome.verdict == "same"
    assert seen == [(None, 2), (1, 3), (3, 1), (7, 2)]


def _compute() -> None:
    while True:
        sum(range(1000))


def test_what_computes_too_long_is_stopped_and_what_waits_is_not():
    with pytest.raises(TooSlow), time_limit(0.05, waiting=1000):
        _compute()
    with time_limit(0.05, waiting=1000):
        time.sleep(0.2)
    with pytest.raises(TooSlow), time_limit(0.05, waiting=2):
        threading.Event().wait()
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_the_threads_of_a_program_count_for_its_time():
    ended = threading.Event()

    def compute() -> None:
        while not ended.is_set():
            sum(range(1000))

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        with pytest.raises(TooSlow), time_limit(0.05, waiting=1000):
            ended.wait()
    finally:
        ended.set()
        thread.join()


def test_a_failure_becomes_small():
    text = """input n: Int;
var A = tensor(n)[ (i, 1.0) | i <- 0..n-1 ];
var B = tensor(n)[ (i, 2.0 / (i+1)) | i <- 0..n-1, i != 3 ];
(A, B);
"""

    def fails(text: str, inputs: Mapping[str, Any]) -> bool:
        return "/" in text

    small, inputs = Shrinker(text, {"n": 4}, fails, seconds=20).shrink()
    assert "/" in small
    assert len(small) < 12
    assert inputs == {}


def test_a_mistake_is_found_made_small_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def wrong_sum(self: elements.Monoid, values: Any) -> Any:
        return original(self, values[:-1])

    original = elements.Monoid.fold
    monkeypatch.setattr(elements.Monoid, "fold", wrong_sum)
    arguments = ["--seed", "5", "--count", "30", "--most", "1", "--shrink", "5"]
    assert run([*arguments, "--out", str(tmp_path)]) == 1
    assert "failures:\n" in capsys.readouterr().out
    (path,) = tmp_path.iterdir()
    assert path.read_text().startswith("// wrong: ")
    assert run(["--replay", str(path)]) == 1
    monkeypatch.undo()
    assert run(["--replay", str(path)]) == 0


def test_a_failure_in_a_value_that_nothing_needs_may_be_left_out():
    text = "var L = [ (x, 1/x) | x <- 0..2 ]; +/[ x | (x,y) <- L ];"
    assert Trial(text, {}).run([Way()]).verdict == "same"
    text = "var L = [ (x, 1/x) | x <- 0..2 ]; +/[ y | (x,y) <- L ];"
    assert Trial(text, {}).run([Way()]).verdict == "failed alike"


def test_negative_dimensions_fail_in_each_way():
    assert (
        Trial("input n: Int; tensor*(n-5)[ (0,1.0) ];", {"n": 2}).run([Way()]).verdict
        == "failed alike"
    )


def test_an_endless_program_is_a_failure():
    outcome = Trial("var x = 0; while (x < 1) { x = 0; }; x;", {}).run([Way()], seconds=0.5)
    assert outcome.verdict == "crash"
    assert "no end after 0.5 seconds" in outcome.message


def test_some_random_texts_are_programs():
    texts = random_texts(0, example_programs())
    verdicts = [compile_text(text).verdict for text in islice(texts, 60)]
    assert set(verdicts) == {"refused", "same"}
    assert verdicts.count("refused") > 30


def test_the_compiler_gives_errors_for_random_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert run(["--grammar", "--count", "150", "--out", str(tmp_path)]) == 0
    assert "150 in" in capsys.readouterr().out
