"""What the fuzz command does: draw, run, count, and keep what failed."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, islice
from random import Random
from time import perf_counter
from typing import Any

from tqdm import tqdm

from diablo.passes.analyses.plans.distribution_plan import JOINS
from faults.counts import note_counts
from fuzzing.arguments import FuzzArguments, parse_arguments
from fuzzing.layouts import random_layout
from fuzzing.leaving_out import force_strips, optional_passes
from fuzzing.mutation import example_programs, random_texts
from fuzzing.native_calls import native_calls
from fuzzing.reports import read_report, write_report
from fuzzing.shrinking import Fails, Shrinker
from fuzzing.stages import first_wrong_pass
from fuzzing.texts import compile_text
from fuzzing.time_limit import TooSlow, time_limit
from fuzzing.trial import Outcome, Size, Trial, Way
from fuzzing.writer import write_program

_PATIENCE = 5.0
"""How many seconds a smaller program may take."""

_SPARK_PATIENCE = 600.0
"""How many seconds even a smaller program may take on Spark, whose connection does not outlive
an alarm: it runs some eight times, in tens of jobs each."""

_RECORDED_EACH = 10
"""After how many programs the counts are written down."""

_VERIFIED_EACH = 4
"""The IR of every fourth program is verified after each pass, of the others after the last one."""

_BLOCK_SIZES: tuple[Size, ...] = (None, 1, 3, 7, "each")
_SPARK_SIZES = _BLOCK_SIZES[:4]


def run(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 1 if something failed."""
    arguments = parse_arguments(argv)
    # No program is met again, and what other processes have compiled is no test of what compiles.
    os.environ.setdefault("DIABLO_CACHE", "off")
    if arguments.strips:
        force_strips()
    if arguments.replay is not None:
        return _replay(arguments)
    session = Session(arguments)
    try:
        session.fuzz_texts() if arguments.grammar else session.fuzz_programs()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    session.summarize()
    return 1 if session.failures else 0


def ways(seed: int, arguments: FuzzArguments, features: Collection[str] = ()) -> list[Way]:
    """The ways in which a program is run, or as many runs of them as the arguments want.

    Most of the time goes into compiling, which each way does once: for a number of programs few
    runs of each are the cheapest.
    """
    of_loops = "driver loops" in features and arguments.engine == "local" and not arguments.device
    found = (loop_ways if of_loops else _all_ways)(seed, arguments)
    if arguments.runs is None:
        return found
    single = [one for way in found for one in way.each()]
    return Random(seed).sample(single, min(arguments.runs, len(single)))


def loop_ways(seed: int, arguments: FuzzArguments) -> list[Way]:
    """The ways in which a program of loops of the driver is run.

    Always it is called again and again, as from a library, which compiles it anew for what turns
    out to vary, or as it is for all extents, which is faster; most of the time with machine code
    from the first call on. Some are compiled once more: for the inputs alone, without a pass, or
    for arrays in tiles.
    """
    random = Random(seed)
    threads = arguments.threads or (random.randint(1, 3),)
    mode = arguments.compile or random.choice(("always", "always", "always", "auto"))
    threads = random.sample(threads, len(threads))
    called = Way(None, (None,) * len(threads), compile=mode, threads=threads, whole=True)
    times = random.choice((2, 3, 5, 7, 11))
    opened = random.choice(("bound", "related", "related", "related"))
    result = [replace(called, again=times, open=opened)]
    kind = random.randrange(100)
    if kind < 12:
        result.append(replace(called, without=random.choice(optional_passes())))
    elif kind < 35:
        result.append(called)
    elif kind < 45:
        result.append(Way(None, (random.choice(_BLOCK_SIZES),), compile=mode, threads=threads[:1]))
    return result


def _all_ways(seed: int, arguments: FuzzArguments) -> list[Way]:
    """All ways in which a program is run.

    On Spark in blocks of every size, with two joins forced in turn; a plan that is the same with
    both is run once. Here in blocks of every size, and in most cases once more: whole, without a
    pass, stored so, or ended in the middle of a loop and gone on with.
    Compiling is nearly all of the time, and another program finds more than another way. Some
    programs run with machine code from the first call on; if the arguments say how it is used,
    all are run so.
    """
    random = Random(seed)
    mode, threads = arguments.compile, arguments.threads or (None,)
    if arguments.engine != "local":
        layout = random_layout(random) if random.randrange(100) < 40 else None
        # Of workers that run already the threads are given.
        way = Way(None, _SPARK_SIZES, arguments.engine, arguments.master, layout, mode, threads[:1])
        joins = random.sample(JOINS, 2) if arguments.join is None else [arguments.join]
        return [replace(way, join=join) for join in joins]
    if arguments.device:
        sizes = (None,) if arguments.device == "gpu" else _BLOCK_SIZES
        return [Way(None, sizes, compile=mode, threads=threads[:1], device=arguments.device)]
    result = [Way(None, _BLOCK_SIZES, join=arguments.join)]
    kind = random.randrange(100)
    if kind < 40:
        result.append(Way(None, (None,), whole=True))
    elif kind < 55:
        result.append(Way(random.choice(optional_passes()), (random.choice(_BLOCK_SIZES),)))
    elif kind < 70:
        result.append(Way(None, (random.choice(_BLOCK_SIZES),), layout=random_layout(random)))
    elif kind < 80:
        result.append(Way(None, (None,), whole=True, interrupted=random.randint(1, 4)))
    elif kind < 85:
        size = random.choice(_BLOCK_SIZES)
        result.append(Way(None, (size,), interrupted=random.randint(1, 4)))
    if random.randrange(100) < 40:
        drawn = random.choice(result)
        # Where arrays are whole there is no block size.
        sizes = drawn.block_sizes if drawn.whole else (random.choice(_BLOCK_SIZES),)
        opened = random.choice(("open", "related"))
        result.append(replace(drawn, block_sizes=sizes, open=opened))
    if mode is not None or arguments.threads:
        return [
            replace(way, compile=mode, threads=random.sample(threads, len(threads)))
            for way in result
        ]
    if random.randrange(100) < 15:
        drawn = replace(random.choice(result), threads=(random.randint(1, 3),))
        result.append(replace(drawn, compile="always"))
    return result


def _replay(arguments: FuzzArguments) -> int:
    assert arguments.replay is not None
    text, inputs, way = read_report(arguments.replay)
    outcome = Trial(text, inputs).run([Way()] if way is None else [way])
    print(outcome)
    return 1 if outcome.is_failure else 0


def _size(way: Way) -> str:
    (size,) = way.block_sizes
    return "default" if size is None else str(size)


def _kind(outcome: Outcome) -> str:
    """Return what an outcome has in common with others of the same cause."""
    if outcome.verdict == "wrong":
        return "wrong"
    words = re.sub(r"%?\b\w*\d\w*\b", "_", outcome.message)
    return f"{outcome.verdict}: {words}"


@dataclass
class Session:
    """The programs so far."""

    arguments: FuzzArguments
    outcomes: Counter[str] = field(default_factory=Counter[str])
    reasons: Counter[str] = field(default_factory=Counter[str])
    failures: Counter[str] = field(default_factory=Counter[str])
    runs: Counter[str] = field(default_factory=Counter[str])
    """How often a program was run with each join and block size."""
    loops: Counter[str] = field(default_factory=Counter[str])
    """How many programs had calls of loops in machine code, of each kind."""
    started: float = field(default_factory=perf_counter)

    def fuzz_programs(self) -> None:
        """Run random programs."""
        gc.set_threshold(50_000)  # Levels of programs are large, and few of them are cycles.
        numbered = (
            (seed, write_program(seed, self.arguments.family))
            for seed in count(self.arguments.seed)
        )
        wanted = (found for found in numbered if self.arguments.having in found[1].text)
        for seed, program in self._counted(islice(wanted, self.arguments.count), "programs"):
            found = ways(seed, self.arguments, program.features)
            is_verified = seed % _VERIFIED_EACH == 0
            chosen = [replace(w, verified=is_verified) for w in found]
            trial = Trial(program.text, program.inputs)
            with native_calls() as calls:
                outcome = trial.run(chosen, self._patience(60.0))
            self.loops.update(calls.kinds)
            self.runs.update(f"{way.join or 'chosen'}, {_size(way)}" for way in trial.runs)
            self._note(outcome)
            if outcome.is_failure:
                self._keep_program(seed, program.text, program.inputs, outcome)
                if self._is_enough():
                    return

    def fuzz_texts(self) -> None:
        """Give the compiler random texts."""
        texts = random_texts(self.arguments.seed, example_programs())
        for text in self._counted(islice(texts, self.arguments.count), "texts"):
            outcome = compile_text(text)
            self._note(outcome)
            if outcome.is_failure:
                self._keep_text(text, outcome)
                if self._is_enough():
                    return

    def _patience(self, seconds: float) -> float:
        """Return how many seconds a program may take that would take so many in this process."""
        return seconds if self.arguments.engine == "local" else _SPARK_PATIENCE

    def _counted(self, items: Iterator[Any], unit: str) -> Iterator[Any]:
        """The items while there is time, with a progress bar on a terminal."""
        total = self.arguments.count
        for item in tqdm(items, total=total, unit=f" {unit}", disable=None, leave=False):
            if perf_counter() - self.started > self.arguments.seconds:
                return
            yield item

    def _note(self, outcome: Outcome) -> None:
        self.outcomes[outcome.verdict] += 1
        if outcome.verdict == "refused" and not self.arguments.grammar:
            self.reasons[outcome.message] += 1
        if sum(self.outcomes.values()) % _RECORDED_EACH == 0:
            self._record()

    def _record(self) -> None:
        """Write the counts where the command line says."""
        given = self.arguments
        if given.record is not None:
            where = given.master or given.engine
            note_counts(
                given.record,
                f"random programs from {given.seed} on {where}",
                {
                    "programs": sum(self.outcomes.values()),
                    "runs": sum(self.runs.values()),
                    "seconds": round(perf_counter() - self.started),
                    "outcomes": dict(self.outcomes),
                    "runs by join and block size": dict(sorted(self.runs.items())),
                    "failures": dict(self.failures),
                },
            )

    def _is_enough(self) -> bool:
        return len(self.failures) >= max(1, self.arguments.most)

    # ---- failures --------------------------------------------------------------------------

    def _keep_program(
        self, seed: int, text: str, inputs: Mapping[str, Any], outcome: Outcome
    ) -> None:
        kind = _kind(outcome)
        if outcome.verdict == "wrong":
            kind = f"{kind} {_place(text, inputs, outcome)}"
        self.failures[kind] += 1
        if self.failures[kind] > 1:
            return
        way = outcome.way
        ways_tried = [way] if way is not None else []

        def fails(text: str, inputs: Mapping[str, Any]) -> bool:
            found = Trial(text, inputs).run(ways_tried, self._patience(_PATIENCE))
            return _kind(found) == _kind(outcome)

        text, inputs, outcome = self._shrunk(text, inputs, fails, outcome)
        place = f"\nfirst {_place(text, inputs, outcome)}" if outcome.verdict == "wrong" else ""
        self._report(f"program {seed}", f"{outcome}{place}", text, inputs, way)

    def _shrunk(
        self, text: str, inputs: Mapping[str, Any], fails: Fails, outcome: Outcome
    ) -> tuple[str, Mapping[str, Any], Outcome]:
        shrinker = Shrinker(text, inputs, fails, self.arguments.shrink_seconds)
        text, inputs = shrinker.shrink()
        if outcome.way is not None:
            outcome = Trial(text, inputs).run([outcome.way])
        return text, inputs, outcome

    def _keep_text(self, text: str, outcome: Outcome) -> None:
        kind = _kind(outcome)
        self.failures[kind] += 1
        if self.failures[kind] > 1:
            return

        def fails(text: str, _inputs: Mapping[str, Any]) -> bool:
            return _kind(compile_text(text)) == kind

        text, _ = Shrinker(text, {}, fails, self.arguments.shrink_seconds).shrink()
        self._report("text", str(outcome), text, {}, None)

    def _report(
        self, name: str, message: str, text: str, inputs: Mapping[str, Any], way: Way | None
    ) -> None:
        path = self.arguments.out / f"{name.replace(' ', '-')}-{len(self.failures)}.diablo"
        command = f"python -m diablo.tools.fuzz --replay {path}"
        write_report(path, text, inputs, [message, command], way)
        tqdm.write(f"{path}: {message}", file=sys.stderr)

    def summarize(self) -> None:
        """Print what happened."""
        self._record()
        seconds = perf_counter() - self.started
        total = sum(self.outcomes.values())
        counts = ", ".join(f"{times} {name}" for name, times in self.outcomes.most_common())
        print(f"{total} in {seconds:.0f} s ({total / max(seconds, 1e-9):.1f} a second): {counts}")
        if set(self.loops) - {"none"}:
            words = {
                "alone": "as a whole",
                "jobs": "with jobs",
                "refused": "that were left to Python",
                "none": "that were Python's",
            }
            kinds = [f"{self.loops[kind]} {word}" for kind, word in words.items()]
            print(f"programs with loops of machine code: {', '.join(kinds)}")
        for title, counter in (("refused", self.reasons), ("failures", self.failures)):
            if counter:
                print(f"{title}:")
            for reason, times in counter.most_common(30):
                print(f"{times:>7}  {reason}")


def _place(text: str, inputs: Mapping[str, Any], outcome: Outcome) -> str:
    """Return where a program first means something else."""
    if outcome.way is None:
        return "in the front end"
    try:
        with time_limit(_PATIENCE):
            return first_wrong_pass(Trial(text, inputs), outcome.way)
    except (Exception, TooSlow) as error:
        return f"at an unknown place ({type(error).__name__})"
