"""What LLVM's passes take is given back, and code that nobody holds is let go."""

import gc
import weakref

import pytest

from diablo.runtime.native import machine_code

CODE = "define void @number_{}() {{\n  ret void\n}}"


def test_the_passes_of_a_pipeline_are_freed_once(monkeypatch: pytest.MonkeyPatch):
    managers = pytest.importorskip("llvmlite.binding.newpassmanagers")
    freed: list[object] = []
    free = managers.NewPassManager._dispose

    def noted(passes: object) -> None:
        freed.append(passes)
        free(passes)

    monkeypatch.setattr(managers.NewPassManager, "_dispose", noted)
    monkeypatch.setenv("DIABLO_CACHE", "off")
    for number in range(3):
        machine_code.machine_code(f"passes {number}", CODE.format(number))
    gc.collect()
    assert len(freed) == 3


def test_code_that_nobody_holds_is_kept_for_the_last_ones(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(machine_code, "_MOST_KEPT", 4)
    entries: list[weakref.ref[machine_code.Entry]] = []
    for number in range(10):
        entry = machine_code.machine_code(f"kept {number}", CODE.format(number))
        assert entry is not None
        entries.append(weakref.ref(entry))
    del entry
    gc.collect()
    assert [k for k, entry in enumerate(entries) if entry() is not None] == [6, 7, 8, 9]
