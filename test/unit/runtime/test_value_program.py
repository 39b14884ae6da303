"""What emitted programs call, on rows and tiles that are not numbers."""

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from row_models import batch_of, rows_of, tables

from diablo.diagnostics import RunError
from diablo.runtime.engines.local import LocalContext
from diablo.runtime.program import batch as batch_group
from diablo.runtime.program import (
    cogroup,
    distribute,
    distribute_rows,
    gather,
    gather_rows,
    hash_rows,
    index_rows,
    number_rows,
    on_groups,
    probe_element,
    probe_local,
    route,
)
from diablo.runtime.rows import group_reduce


@given(tables())
def test_rows_are_distributed_and_gathered(table: Any):
    _, codes, content = table
    sc = LocalContext(2)
    rdd = distribute_rows(sc, batch_of(content, codes), 1)
    assert rows_of(gather_rows(rdd, *codes), codes) == content
    numbered = rdd.mapPartitionsWithIndex(number_rows)
    *_, numbers = gather_rows(numbered, *codes, "i8")
    assert len(set(numbers.tolist())) == len(content)


@given(tables(keys=1))
def test_rows_meet_in_buckets(table: Any):
    _, codes, content = table
    sc = LocalContext(2)
    rdd = distribute_rows(sc, batch_of(content, codes), 1).flatMap(hash_rows((0,), 3))
    kernel = on_groups(
        lambda rows: group_reduce(rows, 1, ["any"] * (len(codes) - 1)),
        [batch_group(*codes)],
        to_keys=(),
    )
    kept = rows_of(gather_rows(cogroup(3, rdd).map(kernel), *codes), codes)
    assert sorted(row[0] for row in kept) == sorted({row[0] for row in content})
    assert all(row in content for row in kept)


@given(tables(keys=0))
def test_rows_are_routed_with_all_their_columns(table: Any):
    _, codes, content = table
    codes, content = ["i8", *codes], [(i - 1, *row) for i, row in enumerate(content)]
    found: list[Any] = []
    for (tile,), part in route((0,), (4,), 2)(batch_of(content, codes)):
        rows = rows_of(part, codes)
        assert all(row[0] // 2 == tile for row in rows)
        found += rows
    assert found == [row for row in content if 0 <= row[0] < 4]


def test_elements_that_may_be_missing():
    sc = LocalContext(1)
    strings = np.array(["a", "b", "c"], object)
    rdd = distribute(sc, strings, 2)
    assert probe_element(rdd, (2,), (3,), 2, "U") == ("c", True)
    assert probe_element(rdd, (3,), (3,), 2, "U") == ("", False)
    assert probe_element(rdd, (-1,), (3,), 2, "U") == ("", False)
    pairs = np.array([(1, "a")], [("f0", int), ("f1", object)])
    code = ("tuple", "i8", "U")
    value, found = probe_local(pairs, (0,), code)
    assert (value.item(), found) == ((1, "a"), True)
    value, found = probe_local(pairs, (1,), code)
    assert (value.item(), found) == ((0, ""), False)
    assert gather(rdd, (3,), 2, "U").tolist() == ["a", "b", "c"]
    some = rdd.filter(lambda record: record[0] == (1,))
    assert gather(some, (3,), 2, "U").tolist() == ["", "", "c"]


def test_a_range_has_a_step():
    with pytest.raises(RunError, match="the step of a range is zero"):
        index_rows(LocalContext(1), 0, 3, 0, 1)


def test_strings_have_the_same_bucket_in_every_process():
    code = (
        "import numpy as np\n"
        "from diablo.runtime.program import hash_rows\n"
        "words = np.array([f'w{i}' for i in range(20)], object)\n"
        "print([(k, p[0].tolist()) for (k,), p in hash_rows((0,), 4)((words,))])\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert "w7" in outputs.pop()
