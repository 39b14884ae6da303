"""The command lines of those that compare what seeds draw, one seed after the other."""

from __future__ import annotations

import os
import warnings
from argparse import ArgumentParser, Namespace


def seed_parser(prog: str, description: str) -> ArgumentParser:
    """A parser of the options that all of them have."""
    parser = ArgumentParser(prog=f"python -m diablo.tools.{prog}", description=description)
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--count", type=int, default=1000, help="how many (default: 1000)")
    parser.add_argument("--compile", choices=("auto", "always", "never"), default="auto")
    parser.add_argument("--threads", type=int, help="how many threads kernels have")
    return parser


def apply_options(options: Namespace) -> None:
    """Set the environment as the options say; warnings of random programs are not shown."""
    os.environ["DIABLO_COMPILE"] = options.compile
    if options.threads:
        os.environ["DIABLO_THREADS"] = str(options.threads)
    warnings.simplefilter("ignore")
