"""Garbage collection that waits."""

import gc

import pytest

from diablo import compile
from diablo.diagnostics import CompileError
from diablo.runtime.collection import without_collection


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
