# The same program gives the same text in every process, whatever its hash seed.
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
COMMANDS = [
    ["examples/pagerank.diablo", "-t", "pyspark"],
    ["examples/factorization.diablo", "-p", "diablo-to-kernels"],
]
# What a process is started for is paid once for all of them.
CODE = f"""
from diablo.tools.opt_tool.opt_driver import run
for command in {COMMANDS}:
    assert run(command) == 0
"""


def test_the_hash_seed_does_not_matter():
    texts = {
        subprocess.run(
            [sys.executable, "-c", CODE],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    (text,) = texts
    assert text.count("def main(sc") == 1
    assert text.count("func.func @main") == 1
