"""The command line of an emitted program.

    python prog.py --input A=a.npy --set n=10 --output P=ranks.npy
    spark-submit prog.py --input A=a.npy --set n=10

A program given `--master` or started by spark-submit runs on Spark, else in this process.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, cast

from diablo.diagnostics import Diagnostic, Error, InputError, listening
from diablo.runtime.block_sizes import parse_block_size
from diablo.runtime.io.arguments import Wanted, WantedScalar, check_argument, parse_scalar
from diablo.runtime.io.inputs import load_for
from diablo.runtime.io.kind_texts import parse_kind
from diablo.runtime.io.outputs import check_output_path, saving_together
from diablo.runtime.io.standard_output import keep_logs_quiet, print_whole
from diablo.runtime.memory_limit import parse_size
from diablo.runtime.program.run_identity import RunIdentity, digest
from diablo.runtime.program.run_main import run_main
from diablo.runtime.program.saved_state import SavedState
from diablo.runtime.results.shaped_results import named_results
from diablo.runtime.termination import ending_on_signals


def run_as_script(
    main: Callable[..., Any],
    inputs: Mapping[str, Wanted],
    results: Sequence[str],
    defaults: Mapping[str, Any] | None = None,
    arguments: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
) -> int:
    """Run `main` with the inputs that the command line names; returns the exit code.

    `inputs` says what each input must be, in the order of the parameters of `main` behind the
    first, which may be called otherwise; `defaults` what it is if it is not given, and `results`
    names what `main` returns. `kinds` has the types of results that their columns do not tell; of a
    tuple `main` returns the parts.
    """
    keep_logs_quiet()
    options = _parse(main, inputs, results, arguments)
    try:
        on_spark = options.master is not None or "PYSPARK_GATEWAY_PORT" in os.environ
        values = {**(defaults or {}), **_read_inputs(options, inputs, on_spark)}
        missing = [name for name in inputs if name not in values]
        if missing:
            raise InputError(f"the program needs a value for {', '.join(missing)}")
        outputs = dict(_split(text, results, "output", "output") for text in options.output)
        for path in outputs.values():
            check_output_path(path)
        state = _state(main, options, values, "spark" if on_spark else "local")
        saving = nullcontext() if state is None else state.held()
        with ending_on_signals(), listening(_warn), saving:
            result = run_main(
                main,
                dict(zip(_parameters(main), [values[name] for name in inputs], strict=False)),
                "spark" if on_spark else "local",
                options.master,
                options.block_size,
                None if options.memory is None else parse_size(options.memory),
                state=state,
                inputs_stay=True,
            )
            seen_as = {name: parse_kind(text) for name, text in (kinds or {}).items()}
            named = named_results(result, results, seen_as)
            with saving_together() as save:
                for name, path in outputs.items():
                    save(named[name], path)
            for name, value in named.items():
                if name not in outputs:
                    if hasattr(value, "collect"):
                        value.collect()  # Who prints it wants to see it, however large it is.
                    print_whole(f"{name} = {value}\n" if len(results) > 1 else f"{value}\n")
            if state is not None:
                state.discard()
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"error: out of memory: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 1  # The reader has gone, as after `| head`.
    except KeyboardInterrupt:
        return 130
    return 0


def _parameters(main: Callable[..., Any]) -> Sequence[str]:
    """The names of what `main` takes behind its first argument, of which the inputs come first."""
    return main.__code__.co_varnames[1 : main.__code__.co_argcount]


def _warn(diagnostic: Diagnostic) -> None:
    if diagnostic.severity == "warning":
        print(diagnostic.render({}), file=sys.stderr)


def _state(
    main: Callable[..., Any], options: argparse.Namespace, values: Mapping[str, Any], engine: str
) -> SavedState | None:
    """Return where the run saves the state of its loops, if it does."""
    if getattr(options, "resume", None) is None:
        return None
    if options.save_every is not None and options.save_every < 1:
        raise InputError(f"--save-every is {options.save_every}, and must be at least 1")
    text = Path(main.__code__.co_filename).read_bytes()
    how = {"engine": engine, "block size": str(options.block_size)}
    given = {name: digest(value) for name, value in values.items()}
    identity = RunIdentity(digest(text), "", how, given)
    return SavedState(options.resume, options.save_every, identity)


def _parse(
    main: Callable[..., Any],
    inputs: Mapping[str, Wanted],
    results: Sequence[str],
    arguments: Sequence[str] | None,
) -> argparse.Namespace:
    wanted = ", ".join(f"{name}: {kind}" for name, kind in inputs.items()) or "none"
    parser = argparse.ArgumentParser(description=main.__doc__ or "", epilog=f"inputs: {wanted}")
    add = parser.add_argument
    add("--input", action="append", default=[], metavar="NAME=PATH", help="a file for an input")
    add("--set", action="append", default=[], metavar="NAME=VALUE", help="a value for an input")
    add(
        "--output",
        action="append",
        default=[],
        metavar="NAME=PATH",
        help=f"a file for a result ({', '.join(results)})",
    )
    add("--master", metavar="URL", help="run on Spark there, such as local[2]")
    add(
        "--block-size",
        type=parse_block_size,
        metavar="N",
        help="the extent of a tile in each dimension, on Spark; A=N,B=M for each of some arrays",
    )
    add("--memory", metavar="SIZE", help="how much memory it may take, such as 2g or 500m")
    if "Checkpoint" in main.__globals__:
        more = "save the state of loops in a folder, and go on from what is there"
        add("--resume", metavar="FOLDER", help=more)
        add("--save-every", type=int, metavar="N", help="save after so many iterations")
    return parser.parse_args(arguments)


def _split(
    text: str, names: Sequence[str] | Mapping[str, Any], what: str, option: str
) -> tuple[str, str]:
    """NAME=VALUE as a pair; a name that is not known is an error."""
    name, separator, value = text.partition("=")
    if not separator:
        raise InputError(f"--{option} takes NAME=VALUE, not {text!r}")
    if name not in names:
        known = f"; there are {', '.join(names)}" if names else ""
        raise InputError(f"there is no {what} {name!r}{known}")
    return name, value


def _read_inputs(
    options: argparse.Namespace, inputs: Mapping[str, Wanted], on_spark: bool
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for text in cast("list[str]", options.input):
        name, path = _split(text, inputs, "input", "input")
        given = load_for(path, inputs[name], on_spark, options.master)
        values[name] = check_argument(given, inputs[name], name, on_spark)
    for text in cast("list[str]", options.set):
        name, value = _split(text, inputs, "input", "set")
        wanted = inputs[name]
        if not isinstance(wanted, WantedScalar):
            raise InputError(f"{name} is a {wanted}: give it with --input {name}=PATH")
        values[name] = parse_scalar(value, wanted, name)
    return values
