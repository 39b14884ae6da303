# Machine code behind a Python callable: what it takes, falls back on, ships and shares.
import gc
import pickle
import re
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from importlib.abc import MetaPathFinder
from typing import Any

import numpy as np
import pytest

from diablo.diagnostics import RunError
from diablo.kernel_signature import Dimension, Signature, Slot
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.kernels.kernel_code import KernelCode
from diablo.runtime.native import machine_code as machine_code_module
from diablo.runtime.native import thread_team, work_seen
from diablo.runtime.native.machine_code import Entry, machine_code
from diablo.sparse_kernel_signature import SparseSignature

# out[i] = a[i] + s for begin <= i < end.
ADD = """
define void @add(ptr noalias %a, i64 %na, double %s, i64 %n, ptr noalias %out, i64 %no,
                 i64 %begin, i64 %end) {
entry:
  br label %head
head:
  %i = phi i64 [%begin, %entry], [%next, %body]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %body, label %done
body:
  %pa = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %pa
  %y = fadd double %x, %s
  %po = getelementptr inbounds double, ptr %out, i64 %i
  store double %y, ptr %po
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""
SIGNATURE = "f64[2] f64 i64 -> f64[2] rows 2"
# The sum of begin, begin + 1, …, end - 1.
FOLD = """
define void @fold(i64 %n, ptr noalias %out, i64 %begin, i64 %end) {
entry:
  br label %head
head:
  %i = phi i64 [%begin, %entry], [%next, %body]
  %sum = phi i64 [0, %entry], [%total, %body]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %body, label %done
body:
  %total = add i64 %sum, %i
  %next = add i64 %i, 1
  br label %head
done:
  store i64 %sum, ptr %out
  ret void
}
"""


def numpy_add(a: Any, s: float, n: int) -> Any:
    return "numpy", a[:n] + s


def must_not_run(*_: Any) -> Any:
    raise AssertionError("fell back to NumPy")


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)


def test_signatures_are_read():
    signature = Signature.parse("f64[1,0.1,=5,?] i64 i1 -> ~f32[1] f64(add) rows 1*=2")
    one, two = Dimension(None, 1), Dimension(2)
    assert signature.arguments[0].dimensions == (one, Dimension(None, 0, 1), Dimension(5), None)
    assert signature.outputs == (Slot("f32", (one,), True), Slot("f64", monoid="add"))
    assert signature.work == (one, two)
    assert signature.shared
    assert Signature.parse("i64 -> f64[] whole =1").outputs == (Slot("f64", ()),)
    assert Signature.parse("i64>0 -> f64[] whole =1").arguments == (Slot("i64", positive=True),)
    for text in (
        "f64[1,0.1,=5,?] i64 i1 -> ~f32[1] f64(add) rows 1*=2",
        "i64>0 i64 -> f64[] whole =1",
        "(f64,i64)[1] i64 (f32,i1) -> (f64,i64)(@least) ~(f64,i64)[1] (i64,i64)() f64(@far) rows 1",
    ):
        assert str(Signature.parse(text)) == text
    for wrong in ("f16 -> f64() rows 1", "f64 -> f64()"):
        with pytest.raises(ValueError, match=re.escape(wrong.split(" rows")[0][:3])):
            Signature.parse(wrong)


def test_signatures_with_tuples():
    signature = Signature.parse(
        "(f64,i64)[1] i64 f64 -> (f64,i64)(@least) f64(@far) i64(add) rows 1"
    )
    pairs, _, number = signature.arguments
    assert (pairs.is_tuple, pairs.elements) == (True, ("f64", "i64"))
    assert (number.is_tuple, number.elements) == (False, ("f64",))
    assert signature.outputs[0] == Slot("(f64,i64)", monoid="@least")
    assert signature.own_monoids == {"least", "far"}
    with pytest.raises(ValueError, match="no argument"):
        Signature.parse("(f64,str)[1] i64 -> f64[1] rows 1")


def test_signatures_of_sparse_kernels_are_read():
    text = "f64{1}[1,2] i64 i64 f64[2] -> f64[1,=2]=@3 f64[=3]=0 f64[=4] f64(add) rows @0*2 of 1*2"
    signature = SparseSignature.parse(text)
    one, two = Dimension(None, 1), Dimension(None, 2)
    outputs = [Slot("f64", (one, Dimension(2))), Slot("f64", (Dimension(3),))]
    assert signature.outputs == (*outputs, Slot("f64", (Dimension(4),)), Slot("f64", monoid="add"))
    assert signature.beginnings == ("@3", "0", "", "")
    assert (signature.source, signature.factors, signature.space) == (0, (two,), (one, two))
    assert signature.shared
    assert str(signature) == text
    for text in (
        "f64{1;bitmap;1.0;64}[1,2] i64 i64 f64{1}[1,?]~@0 -> f64{1}@0 ~f64[1] whole @0",
        "i1{0;hypersparse;;32}[=4] -> i64() rows @0",
        "i64 f64{1}[0,?] f64{1}[0,?] -> f64{1}|@1|@2 rows @1",
        "i64 f64{1}[0,?] f64{1}[0,?] -> f64{1}&@1&@2 rows @1",
    ):
        assert str(SparseSignature.parse(text)) == text


def test_small_kernels_are_not_worth_compiling(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 10)
    monkeypatch.setattr(work_seen, "LEAST_OF_CALL", 0)
    run = compiled(numpy_add, ADD.replace("@add", "@tiered"), SIGNATURE)
    a = np.zeros(4)
    assert run(a, 1.0, 4)[0] == "numpy"
    assert run(a, 1.0, 4)[0] == "numpy"
    assert isinstance(run(a, 1.0, 4), np.ndarray)
    # Another task of the same process goes on counting.
    assert isinstance(pickle.loads(pickle.dumps(run))(a, 1.0, 1), np.ndarray)


def test_points_with_many_reads_count_several_times(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 10)
    monkeypatch.setattr(work_seen, "LEAST_OF_CALL", 0)
    assert Signature.parse(f"{SIGNATURE} reads 3").reads == 3
    run = compiled(numpy_add, ADD.replace("@add", "@weighed"), f"{SIGNATURE} reads 3")
    assert run(np.zeros(4), 1.0, 3)[0] == "numpy"
    assert isinstance(run(np.zeros(4), 1.0, 1), np.ndarray)


def test_a_number_that_divides_is_above_zero():
    divides = SIGNATURE.replace("f64 i64", "f64>0 i64")
    assert divides != SIGNATURE
    run = compiled(numpy_add, ADD.replace("@add", "@dividing"), divides)
    for _ in range(2):  # The second call is a direct one.
        assert isinstance(run(np.zeros(4), 1.0, 4), np.ndarray)
        assert run(np.zeros(4), 0.0, 4)[0] == "numpy"
        assert run(np.zeros(4), -1.0, 4)[0] == "numpy"


def test_a_kernel_runs_and_survives_pickling():
    kernel = compiled(must_not_run, ADD, SIGNATURE)
    a = np.arange(4.0)
    for run in (kernel, pickle.loads(pickle.dumps(kernel))):
        np.testing.assert_array_equal(run(a, 1.5, 4), a + 1.5)
        np.testing.assert_array_equal(run(a, np.float64(1), np.int64(2)), [1.0, 2.0])


@pytest.mark.parametrize("order", [slice(None, None, 2), slice(None, None, -1)])
def test_scattered_arrays_are_made_contiguous(order: slice):
    a = np.arange(6.0)[order]
    run = compiled(must_not_run, ADD, SIGNATURE)
    np.testing.assert_array_equal(run(a, 1.0, len(a)), a + 1)


@pytest.mark.parametrize("a", [np.arange(4), np.zeros((4, 1)), np.zeros(4, np.float32)])
def test_other_arguments_go_to_numpy(a: Any):
    name, _ = compiled(numpy_add, ADD, SIGNATURE)(a, 1.0, 4)
    assert name == "numpy"


def test_arrays_that_are_too_small_go_to_numpy():
    name, _ = compiled(numpy_add, ADD, SIGNATURE)(np.zeros(3), 1.0, 4)
    assert name == "numpy"


def test_arrays_of_fewer_than_no_elements_are_no_slices(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", "never")

    def numpy_slice(a: Any, s: float, n: int) -> Any:
        return a[:n] + s

    kernel = compiled(numpy_slice, ADD, SIGNATURE)
    with pytest.raises(RunError, match="cannot have -"):
        kernel(np.arange(4.0), 1.0, -3)


def test_without_llvmlite_numpy_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    different = ADD.replace("@add", "@never_compiled")
    name, _ = compiled(numpy_add, different, SIGNATURE)(np.zeros(4), 1.0, 4)
    assert name == "numpy"


def test_without_room_for_llvm_numpy_runs(monkeypatch: pytest.MonkeyPatch):
    class Full(MetaPathFinder):
        def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:
            if fullname == "llvmlite.binding":
                raise OSError("cannot load a shared object file")

    monkeypatch.delitem(sys.modules, "llvmlite.binding")
    monkeypatch.setattr(sys, "meta_path", [Full(), *sys.meta_path])
    different = ADD.replace("@add", "@never_compiled_either")
    name, _ = compiled(numpy_add, different, SIGNATURE)(np.zeros(4), 1.0, 4)
    assert name == "numpy"


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_threads_share_rows_and_folds(threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OMP_NUM_THREADS", threads)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 2)
    a = np.arange(11.0)
    np.testing.assert_array_equal(compiled(must_not_run, ADD, SIGNATURE)(a, 2.0, 11), a + 2)
    fold = compiled(must_not_run, FOLD, "i64 -> i64(add) rows 0")
    for n in (0, 1, 2, 11):
        assert fold(n) == sum(range(n))
        assert isinstance(fold(n), np.int64)


def test_kernels_may_be_called_from_many_threads():
    kernel = compiled(must_not_run, ADD.replace("@add", "@shared"), SIGNATURE)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda k: kernel(np.full(100, k + 0.5), 1.0, 100)[0], range(40)))
    assert results == [k + 1.5 for k in range(40)]


def test_the_text_of_a_kernel_is_written_once_when_it_is_worth_it(monkeypatch: pytest.MonkeyPatch):
    written: list[str] = []

    def write() -> str:
        written.append("add")
        return ADD

    add = compiled(numpy_add, KernelCode("add, deferred", Signature.parse(SIGNATURE), write))
    a = np.arange(3.0)
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 10)
    monkeypatch.setattr(work_seen, "LEAST_OF_CALL", 0)
    assert add(a, 1.0, 3)[0] == "numpy"
    assert not written
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 1)
    for _ in range(2):
        np.testing.assert_array_equal(add(a, 1.0, 3), a + 1)
    assert written == ["add"]


def test_a_kernel_travels_as_text(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 1)
    code = KernelCode("add, sent", Signature.parse(SIGNATURE), lambda: ADD)
    there = pickle.loads(pickle.dumps(compiled(numpy_add, code)))
    assert there.code.llvm_ir == ADD
    assert there.signature == code.signature
    np.testing.assert_array_equal(there(np.arange(3.0), 1.0, 3), np.arange(3.0) + 1)


def test_integers_wrap_around():
    entry = machine_code("integers that wrap", FOLD.replace("@fold", "@wrapping"))
    assert entry is not None
    total = np.zeros(1, np.int64)
    entry(0, total.ctypes.data, (1 << 64) + 1, 3)
    assert total[0] == 3


def test_what_nobody_holds_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code_module, "_MOST_KEPT", 2)

    def fold(name: str) -> Entry:
        entry = machine_code(name, FOLD.replace("@fold", f"@{name}"))
        assert entry is not None
        return entry

    held = fold("held")
    seen = [weakref.ref(held), *[weakref.ref(fold(f"passing_{k}")) for k in range(20)]]
    gc.collect()
    living = [number for number, ref in enumerate(seen) if ref() is not None]
    assert living == [0, 19, 20]
    # What is held stays callable, and is not compiled a second time.
    assert machine_code("held", "no LLVM IR") is held
    total = np.zeros(1, np.int64)
    held(0, total.ctypes.data, 1, 4)
    assert total[0] == 6
