"""The command line of `diablo-run`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, field

from diablo.runtime.block_sizes import BlockSize, parse_block_size
from diablo.runtime.device.device_names import parse_device


@dataclass
class RunArguments(argparse.Namespace):
    """What the command line says."""

    program: str = "-"
    inputs: dict[str, str] = field(default_factory=dict[str, str])
    settings: dict[str, str] = field(default_factory=dict[str, str])
    outputs: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    engine: str = "auto"
    master: str | None = None
    conf: dict[str, str] = field(default_factory=dict[str, str])
    """Settings of Spark."""
    device: str = "cpu"
    block_size: BlockSize = None
    seed: int = 0
    strict: bool = False
    layout: str | None = None
    fast_math: bool = False
    fast_atomics: bool = False
    memory: str | None = None
    resume: str | None = None
    save_every: int | None = None
    remarks: bool = False
    stats: bool = False
    verbose: bool = False
    run_reproducer: bool = False


def parse_arguments(argv: Sequence[str]) -> RunArguments:
    """Parse the command line; a wrong one ends the process with exit code 2."""
    parser = argparse.ArgumentParser(
        prog="diablo-run",
        description="Run a .diablo program on data from files.",
        epilog="Exit code: 0 success, 1 an error in the program or while it ran, "
        "2 wrong usage or wrong data.",
    )
    add = parser.add_argument
    add("program", help="a .diablo file, or - for stdin")
    add(
        "--input",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="read an input from a file (.csv, .csv.gz, .txt, .npy, .npz, .mtx, .json, .parquet)",
    )
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="give a scalar input")
    add(
        "--output",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help="write a variable of the program to a file (.npy, .npz, .csv, .csv.gz, .mtx, .json, "
        ".txt) instead of printing the result",
    )
    add(
        "--engine",
        choices=("auto", "local", "spark"),
        default="auto",
        help="where to run (default: auto: local while the data fit in memory)",
    )
    add("--master", metavar="URL", help="Spark's master, such as local[4] or spark://host:7077")
    add(
        "--conf",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of Spark, such as spark.executor.memory=2g",
    )
    add(
        "--device",
        type=parse_device,
        default="cpu",
        metavar="NAME",
        help="what runs the kernels in this process: gpu wants CuPy and a GPU, gpu:1 takes the "
        "second one, gpu:0,1 or gpu:all several, auto one where that repays the copies (default: "
        "cpu)",
    )
    add(
        "--block-size",
        type=parse_block_size,
        metavar="N",
        help="the edge of a block on Spark, in every dimension; A=N,B=M for each of some arrays",
    )
    add("--seed", type=int, default=0, metavar="N", help="the seed of random() (default: 0)")
    add("--strict", action="store_true", help="treat warnings as errors")
    add(
        "--layout",
        metavar="TEXT",
        help="how sparse arrays are stored: 'form = compressed, orders = [[1, 0]]' for all, "
        "'E: form = band; form = auto' for E and all others (default: chosen for each)",
    )
    add(
        "--fast-math",
        action="store_true",
        help="compute sums of products as products of matrices also where their terms may cancel",
    )
    add(
        "--fast-atomics",
        action="store_true",
        help="on a GPU, add floats at computed places in any order: equal runs may differ a little",
    )
    add(
        "--memory",
        metavar="SIZE",
        help="how much memory the program may take, such as 2g or 500m (default: 80%% of what is "
        "free)",
    )
    add(
        "--resume",
        metavar="FOLDER",
        help="save the state of loops in a folder, and go on from what is there of a run that was "
        "killed",
    )
    add(
        "--save-every",
        type=int,
        metavar="N",
        help="save the state of a loop after so many iterations (default: now and then)",
    )
    add("--remarks", action="store_true", help="print what the compiler decided, and why")
    add(
        "--stats",
        action="store_true",
        help="print how long each step took, and what Spark was asked for",
    )
    add("-v", "--verbose", action="store_true", help="say what is being done")
    add(
        "--run-reproducer",
        action="store_true",
        help="run a file that an internal error has left, with the options that it names",
    )
    parsed = parser.parse_args(argv)
    conf = _pairs(parser, "--conf", "VALUE", parsed.conf)
    return RunArguments(
        program=parsed.program,
        inputs=_pairs(parser, "--input", "PATH", parsed.input),
        settings=_pairs(parser, "--set", "VALUE", parsed.set),
        outputs=list(_pairs(parser, "--output", "PATH", parsed.output).items()),
        engine=parsed.engine,
        master=parsed.master or conf.get("spark.master"),
        conf=conf,
        device=parsed.device,
        block_size=parsed.block_size,
        seed=parsed.seed,
        strict=parsed.strict,
        layout=parsed.layout,
        fast_math=parsed.fast_math,
        fast_atomics=parsed.fast_atomics,
        memory=parsed.memory,
        resume=parsed.resume,
        save_every=parsed.save_every,
        remarks=parsed.remarks,
        stats=parsed.stats,
        verbose=parsed.verbose,
        run_reproducer=parsed.run_reproducer,
    )


def _pairs(
    parser: argparse.ArgumentParser, option: str, what: str, texts: Sequence[str]
) -> dict[str, str]:
    """`NAME=…` texts as a dictionary."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals or not name or (not value and what == "PATH"):
            parser.error(f"argument {option}: expected NAME={what}, got '{text}'")
        if name in pairs:
            parser.error(f"argument {option}: {name} is given twice")
        pairs[name] = value
    return pairs
