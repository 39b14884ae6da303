# pytest's set-up: the tree is tested as it stands, and all Spark tests share one session.
import gc
import os
import random
import sys
import zlib
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path

import pytest
from case_numbers import ALL_CASES

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
# Commands that tests start must find the tree too.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
)
# Programs with a block size run as on Spark here; test_joined_tiles.py tests the default.
os.environ.setdefault("DIABLO_TILES", "apart")
# What another run has compiled is no test of what compiles.
os.environ["DIABLO_CACHE"] = "off"
# Sessions of Spark are too short here for what its JVM would compile with more care.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


def _why_no_spark() -> str | None:
    from diablo.diagnostics import Error
    from diablo.runtime.engines.java import java_home

    try:
        import pyspark  # noqa: F401

        java_home()
    except (ImportError, Error) as error:
        return " ".join(str(error).split())
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--all-cases", action="store_true", help="take every case of the tests marked `sampled`"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("all_cases"):
        os.environ[ALL_CASES] = "1"


class FromTheEnd(pytest.Dir):
    """A folder whose files are collected from the last to the first."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        return reversed([*super().collect()])


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Let the second of several processes begin where the others end.

    What pytest makes of a file's text is kept on disk, and takes most of the time of collecting:
    so each process makes half of it.
    """
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":
        return FromTheEnd.from_parent(parent, path=path)
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # All processes have to agree on the order; that of a file's own tests stays.
    items.sort(key=lambda item: item.path)
    is_named = any("::" in argument for argument in config.args)
    if not is_named and not config.getoption("all_cases"):
        taken = _sample(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in taken])
        items[:] = [item for item in items if item in taken]
    # They come first, and so to the first worker: one process starts Spark, and no other.
    items.sort(key=lambda item: item.get_closest_marker("spark") is None)
    spark = [item for item in items if item.get_closest_marker("spark")]
    if spark and (reason := _why_no_spark()) is not None:
        for item in spark:
            item.add_marker(pytest.mark.skip(reason=reason))


def _sample(items: Sequence[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that are run: of the cases of one marked `sampled(n)`, always the same n-th,
    and one at least."""
    taken: set[pytest.Item] = set()
    lots: dict[str, list[tuple[float, pytest.Item]]] = {}
    for item in items:
        marker = item.get_closest_marker("sampled")
        # By its name alone: the parameters of a test may take turns, as a plain n-th would.
        lot = 0.0 if marker is None else random.Random(item.nodeid).random() * marker.args[0]
        lots.setdefault(item.nodeid.partition("[")[0], []).append((lot, item))
    for drawn in lots.values():
        least = min(lot for lot, _ in drawn)
        taken.update(item for lot, item in drawn if lot < 1 or lot == least)
    return taken


def pytest_collection_finish(session: pytest.Session) -> None:
    # What is loaded by now stays: it need not be looked at each time, nor as often as IR is made.
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


@pytest.fixture(autouse=True)
def verify_after_each_pass_of_random_programs(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in four; all others are verified after the last pass, those of lit after each."""
    is_random = "random" in request.path.name or "fuzz" in request.path.name
    if is_random and zlib.crc32(request.node.name.encode()) % 4 == 0:
        monkeypatch.setenv("DIABLO_VERIFY_EACH", "1")


@pytest.fixture(scope="session", autouse=True)
def stop_the_spark_session() -> Generator[None]:
    yield
    if "pyspark" in sys.modules:
        from diablo.runtime.engines.spark import stop_spark

        stop_spark()
