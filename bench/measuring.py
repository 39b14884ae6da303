"""Time and memory of one case: the program and its peers, which take turns.

    measure(case, Settings(scale=0.1))            in this process
    measure_apart("add", Settings(scale=0.1))     in a process of its own

`first` is the first call in a process that has loaded the compiler (or the peer) and has its
inputs: for a program that is compiling it and running it, for Numba compiling too. `later` are
calls after that. Every first result is compared before later calls are timed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Collection
from dataclasses import asdict, dataclass, field
from functools import cache
from time import perf_counter, process_time, sleep
from typing import Any

import peers
from answers import difference
from case_table import Call, Case, Way, Work, all_cases
from memory_peaks import peaks_in_child

import diablo

DIABLO = "diablo"
LEAST_REPEATS = 3
"""How many later calls there are however long they take, if as many are asked for."""
_PAUSE = 0.025
"""How long threads are watched before they count as asleep."""
_LONGEST_PAUSE = 1.0
"""No contender is waited for longer."""
MOST_IN_A_ROW = 30
"""How many calls of one round there are at most."""


@dataclass
class Settings:
    """How a case is measured."""

    scale: float = 1.0
    repeats: int = 5
    threads: int = field(default_factory=peers.thread_count)
    memory: bool = True
    seconds: float = 0.5
    """There are no more later calls of one contender when as many of the shortest take so long."""
    spell: float = 0.05
    """For how long short calls follow one another in a round: a thread that has slept through the
    pause begins late, a virtual processor that has idled takes some 20 ms to come to its speed, and
    whoever computes in a loop finds both awake."""
    limit: float = 120.0
    """How long a case of scale 1 or less may take altogether; larger ones take as much longer.

    Beyond it, a case counts as failed.
    """
    without: tuple[str, ...] = ()
    """Peers that are left out."""


@dataclass
class Figures:
    """What one contender took."""

    first: float | None = None
    later: list[float] = field(default_factory=list[float])
    processors: list[float] = field(default_factory=list[float])
    """The seconds of all processors in each later call, which a busy machine disturbs less."""
    first_peak: int | None = None
    later_peak: int | None = None
    wrong: str | None = None
    """Why there are no figures, or what is wrong about the result."""


def program_way(work: Work) -> Way:
    """The program, whose first call compiles it."""

    def prepare() -> Call:
        compiled: list[Any] = []

        def call() -> Any:
            if compiled:
                return complete(compiled[0](**work.inputs))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", diablo.CompileWarning)
                source = work.source
                compiled.append(source if callable(source) else diablo.compile(source))
                return complete(compiled[0](**work.inputs))

        return call

    return prepare


def complete(result: Any) -> Any:
    """A result with nothing of it still to be computed or put together."""
    if isinstance(result, tuple):
        for part in result:
            complete(part)
    elif hasattr(result, "collect"):
        result.collect()
    elif hasattr(result, "to_numpy"):
        len(result)
    return result


def contenders(work: Work, without: Collection[str] = ()) -> dict[str, Way]:
    """The program and whoever is installed."""
    absent = {*peers.missing(), *without}
    return {
        DIABLO: program_way(work),
        **{who: way for who, way in work.ways.items() if who not in absent},
    }


def measure(case: Case, settings: Settings) -> dict[str, Any]:
    """The figures of a case, as they are written into a file."""
    _load_compiler()
    work = case.make(settings.scale)
    ways = contenders(work, settings.without)
    found = {who: Figures() for who in ways}
    if settings.memory:
        peers.load(ways)
        for who, way in ways.items():
            one = found[who]
            one.first_peak, one.later_peak = peaks_in_child(way, settings.limit / 2)
    calls = _first_calls(work, ways, found)
    for _ in range(settings.repeats):
        for who, call in calls.items():
            later_calls(call, found[who], settings)
    return {
        "name": case.name,
        "field": case.field,
        "size": work.size,
        "contenders": {who: asdict(one) for who, one in found.items()},
    }


@cache
def _load_compiler() -> None:
    """Compile something, so that loading the compiler is not taken for compiling a program."""
    diablo.compile("input n: Int; n + 1")(n=1)


def _first_calls(work: Work, ways: dict[str, Way], found: dict[str, Figures]) -> dict[str, Call]:
    """Call each once and compare; gives those that are right, and so worth timing."""
    expected: Any = None
    calls: dict[str, Call] = {}
    # The answer comes first: that of the first way that is no program.
    for who in sorted(ways, key=lambda who: who == DIABLO):
        try:
            call = ways[who]()
            started = perf_counter()
            result = call()
            found[who].first = perf_counter() - started
            if expected is None:
                if who == DIABLO:
                    raise ValueError("there is nothing to compare with")
                expected = result
            else:
                read = work.read if who == DIABLO and work.read is not None else lambda r: r
                found[who].wrong = difference(expected, read(result))
        except Exception as error:
            found[who].wrong = f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
            if expected is None:
                break
        if found[who].wrong is None:
            calls[who] = call
    return {who: calls[who] for who in ways if who in calls}


def later_calls(call: Call, figures: Figures, settings: Settings) -> None:
    """One more round of later calls: a few in a row if they are short."""
    # Those of these calls that still compile, which the first one of all did not repay, are longer.
    count = len(figures.later)
    if count >= LEAST_REPEATS and count * min(figures.later) > settings.seconds:
        return
    _let_threads_fall_asleep()
    begun = perf_counter()
    for _ in range(MOST_IN_A_ROW):
        processors, started = process_time(), perf_counter()
        result = call()
        figures.later.append(perf_counter() - started)
        figures.processors.append(process_time() - processors)
        del result
        if perf_counter() - begun > settings.spell:
            break


def _let_threads_fall_asleep() -> None:
    """Wait until no thread of this process computes.

    Those of BLAS look for work after a call for as long as it was built to, 25 ms on some machines
    and 130 ms on others, in the way of whoever is next.
    """
    latest = perf_counter() + _LONGEST_PAUSE
    while perf_counter() < latest:
        before = process_time()
        sleep(_PAUSE)
        if process_time() - before < 0.1 * _PAUSE:
            return


def measure_apart(name: str, settings: Settings) -> dict[str, Any]:
    """The figures of a case, measured in a process of its own."""
    command = [sys.executable, __file__, name, json.dumps(asdict(settings))]
    limit = settings.limit * max(1.0, settings.scale)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            env=peers.environment(settings.threads),
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return _failed(name, f"took longer than {limit:.0f} s")
    if done.returncode != 0 or not done.stdout.strip():
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return _failed(name, lines[-1])
    return json.loads(done.stdout.splitlines()[-1])


def _failed(name: str, why: str) -> dict[str, Any]:
    figures = {DIABLO: asdict(Figures(wrong=why))}
    return {"name": name, "field": all_cases()[name].field, "size": "", "contenders": figures}


def main() -> None:
    """Measure the case that the command names, and print its figures."""
    name, settings = sys.argv[1:]
    figures = measure(all_cases()[name], Settings(**json.loads(settings)))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
