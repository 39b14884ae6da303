"""Garbage collection that waits, and that does not look at what stays."""

import gc

import pytest

from diablo import compile
from diablo.diagnostics import CompileError
from diablo.runtime import collection
from diablo.runtime.collection import freeze_survivors, without_collection


def test_it_waits_and_goes_on():
    assert gc.isenabled()
    with without_collection():
        assert not gc.isenabled()
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_the_process_has_switched_off_stays_off():
    gc.disable()
    try:
        with without_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_it_goes_on_after_compiling_and_after_errors():
    assert compile("input n: Int; n+1;")(n=1) == 2
    assert gc.isenabled()
    with pytest.raises(CompileError):
        compile("n+;")
    assert gc.isenabled()


@pytest.fixture
def unfrozen():
    callbacks = list(gc.callbacks)
    gc.unfreeze()
    yield
    gc.callbacks[:] = callbacks
    gc.unfreeze()


@pytest.mark.usefixtures("unfrozen")
def test_what_survives_is_left_out_a_few_times(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(collection, "_MOST_FREEZES", 2)
    freeze_survivors()
    gc.collect(1)
    assert gc.get_freeze_count() == 0
    gc.collect()
    frozen = gc.get_freeze_count()
    assert frozen > 5000
    gc.collect()  # There is little to leave out.
    assert gc.get_freeze_count() < frozen + 1000
    kept = [[] for _ in range(10_000)]
    gc.collect()
    assert gc.get_freeze_count() > frozen + len(kept) - 1000
    more = [[] for _ in range(10_000)]
    frozen = gc.get_freeze_count()
    gc.collect()  # For the third time.
    assert gc.get_freeze_count() < frozen + 1000
    assert more
