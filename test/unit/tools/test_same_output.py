# The same program gives the same text in every process, whatever its hash seed.
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("program", ["factorization", "pagerank"])
@pytest.mark.parametrize("arguments", ["-t pyspark", "-p diablo-to-kernels"])
def test_the_hash_seed_does_not_matter(program: str, arguments: str):
    command = [sys.executable, "-m", "diablo.tools.opt", f"examples/{program}.diablo"]
    texts = {
        subprocess.run(
            [*command, *arguments.split()],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
