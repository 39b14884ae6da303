# The LLVM IR that the runtime compiles is what our passes make of the loops beside it.
import shutil
from pathlib import Path

import pytest

from writers import loop_files

SOURCE = """\
!place = i32  // or i8, i64

func.func @first(%indices: memref<?x!place>, %k: index, %result: memref<index>) {
  %index = sparse_storage.read_index %indices[%k] : memref<?x!place>
  memref.store %index, %result[] : memref<index>
  func.return
}

func.func @second(%x: f64, %result: memref<f64>) {
  memref.store %x, %result[] : memref<f64>
  func.return
}
"""


def test_the_files_are_up_to_date():
    assert loop_files.main(["--check"]) == 0


def test_a_file_for_each_function_and_type():
    found = dict(loop_files.written("source.mlir", SOURCE))
    names = [f"{name}.{type}.ll" for type in ("i32", "i8", "i64") for name in ("first", "second")]
    assert list(found) == names
    assert "load i8" in found["first.i8.ll"]
    assert "load i64" in found["first.i64.ll"]
    assert all(text.count("\ndefine ") == 1 for text in found.values())
    assert all("from source.mlir" in text.splitlines()[0] for text in found.values())


def test_without_an_open_type_a_name_has_none():
    closed = SOURCE.replace("  // or i8, i64", "")
    assert [name for name, _ in loop_files.written("source.mlir", closed)] == [
        "first.ll",
        "second.ll",
    ]


def test_a_file_for_each_monoid():
    source = """\
!element = f64  // or i64
func.func private @combine(!element, !element) -> !element  // of add, max

func.func @one(%x: !element, %y: !element, %result: memref<!element>) {
  %z = func.call @combine(%x, %y) : (!element, !element) -> !element
  memref.store %z, %result[] : memref<!element>
  func.return
}

func.func @many(%x: !element, %y: !element, %result: memref<!element>) {
  %z = func.call @combine(%x, %y) {any_order} : (!element, !element) -> !element
  memref.store %z, %result[] : memref<!element>
  func.return
}
"""
    found = dict(loop_files.written("source.mlir", source))
    kinds = [f"{monoid}.{type}" for type in ("f64", "i64") for monoid in ("add", "max")]
    assert list(found) == [f"{name}.{kind}.ll" for kind in kinds for name in ("one", "many")]
    assert "fadd double" in found["one.add.f64.ll"]
    assert "fadd contract reassoc double" in found["many.add.f64.ll"]
    assert "add i64" in found["many.add.i64.ll"]
    assert "llvm.maximum.f64" in found["one.max.f64.ll"]
    assert "llvm.smax.i64" in found["one.max.i64.ll"]
    assert not any("combine" in text for text in found.values())


def test_a_loop_that_is_not_converted_is_an_error():
    source = """\
func.func @row(%a: memref<?x?xf64>, %k: index, %result: memref<f64>) {
  %x = memref.load %a[%k, %k] : memref<?x?xf64>
  memref.store %x, %result[] : memref<f64>
  func.return
}
"""
    with pytest.raises(AssertionError, match=r"source\.mlir: a function has no machine code"):
        list(loop_files.written("source.mlir", source))


def test_check_names_old_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("dot.mlir", "dot.ll", "set_bits.mlir"):
        shutil.copy(loop_files.FOLDER / name, tmp_path)
    (tmp_path / "gone.ll").write_text("")
    monkeypatch.setattr(loop_files, "FOLDER", tmp_path)
    assert loop_files.main(["--check"]) == 1
    told = capsys.readouterr().err
    assert "loops/set_bits.ll is out of date" in told
    assert "loops/gone.ll is out of date" in told
    assert "dot.ll" not in told
    assert loop_files.main([]) == 0
    assert loop_files.main(["--check"]) == 0
    assert sorted(path.name for path in tmp_path.glob("*.ll")) == ["dot.ll", "set_bits.ll"]
