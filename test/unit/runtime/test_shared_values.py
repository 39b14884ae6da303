"""Values that tasks read from files, and how tiles and rows that lie alike come together."""

from __future__ import annotations

import pickle
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from diablo.runtime.engines import shared_values
from diablo.runtime.engines.block_store import Folder, new_folder, remove
from diablo.runtime.engines.shared_values import SharedValue, share

LONG = np.arange(20_000.0)


class FakeContext:
    """Stands for a SparkContext, whose broadcasts are marked."""

    def broadcast(self, value: Any) -> tuple[str, Any]:
        return "broadcast", value


@pytest.fixture
def folder() -> Generator[Folder]:
    made = new_folder()
    yield made
    remove(made)


def read_by_a_task(shared: Any) -> Any:
    return pickle.loads(pickle.dumps(shared))


def test_the_name_of_a_file_travels(folder: Folder):
    shared = share(FakeContext(), (LONG, "x"), folder)
    assert isinstance(shared, SharedValue)
    assert len(pickle.dumps(shared)) < 2_000
    for found in (read_by_a_task(shared), shared.value):
        np.testing.assert_array_equal(found[0], LONG)
        assert found[1] == "x"


def test_short_values_are_a_part_of_what_reads_them(folder: Folder):
    shared = share(FakeContext(), np.arange(3), folder)
    assert isinstance(shared, SharedValue)
    assert not list(Path(folder[0]).iterdir())
    np.testing.assert_array_equal(read_by_a_task(shared), np.arange(3))


def test_without_files_and_where_no_array_is_long_spark_sends_them(folder: Folder):
    words = [f"word {k}" for k in range(10_000)]
    assert share(FakeContext(), words, folder) == ("broadcast", words)
    assert share(FakeContext(), 3, None) == ("broadcast", 3)


def test_what_a_process_has_read_is_there_until_the_file_is_gone(folder: Folder):
    one, other = (share(FakeContext(), LONG + k, folder) for k in (0, 1))
    first = read_by_a_task(one)
    assert read_by_a_task(one) is first
    one.destroy()
    one.destroy()
    assert read_by_a_task(one) is first
    read_by_a_task(other)  # What is gone is let go of when something else is read.
    held = [value for value, _ in shared_values._held.values()]
    assert not any(value is first for value in held)
