# A program that equals one of the last ones is not compiled again, and shares nothing that changes.
import warnings
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo.api import Program
from diablo.diagnostics import Diagnostic
from diablo.frontend.importer import import_program
from diablo.lowering.multiloop import compile_row_kernel
from diablo.lowering.pipelines import PIPELINES
from diablo.variant import Variant

SCALED = "input V: vector[Double]; input c: Double; tensor*(V.length)[ (i,c*v) | (i,v) <- V ];"
GROUPS = "input L: list[(Int, Double)]; [ (k, +/v) | (k, v) <- L, v > 0.25, group by k ];"
COUNTED = "input S: matrix[Double]; +/[ 1 | (_,v) <- S, v != 0.0 ];"
WARNED = """
input n: Int;
var V: vector[Double] = tensor*(n)[ (i,1.0) | i <- 0..n-1 ];
for i = 1, n-1 do V[i] = V[i-1] + 1.0;
V;
"""
V = np.array([1.0, 2.0, 3.0])


pytestmark = pytest.mark.usefixtures("nothing_kept")


def test_an_equal_program_is_compiled_once(lowered: list[str]):
    for _ in range(3):
        assert diablo.compile(SCALED)(V=V, c=2.0).to_numpy().tolist() == [2.0, 4.0, 6.0]
    assert len(lowered) == 1


@pytest.mark.parametrize(("text", "times"), [("var s = 2; s + 1;", 1), ("input n: Int; n + 1;", 2)])
def test_a_program_without_inputs_is_imported_once(
    text: str, times: int, monkeypatch: pytest.MonkeyPatch
):
    imports: list[str] = []

    def noted(*arguments: Any, **options: Any):
        imports.append(arguments[0])
        return import_program(*arguments, **options)

    monkeypatch.setattr("diablo.compiler.import_program", noted)
    inputs = {} if times == 1 else {"n": 2}
    program = diablo.compile(text)
    assert program(**inputs) == 3
    assert len(imports) == times
    if times == 1:
        assert program.ir("diablo") == diablo.compile(text).ir("diablo")


def test_what_the_only_import_reports_is_said_of_the_compilation():
    text = """
        def f(v: vector[Double]): Double = +/[ a | (i,a) <- v ];
        f(tensor(3)[ (i,1.0) | i <- 0..2 ]) + f(tensor(2)[ (i,2.0) | i <- 0..1 ]);
    """
    said: list[Diagnostic] = []
    assert Program(text, listener=said.append)() == 7.0
    assert [d.message for d in said if "version" in d.message] == [
        "f has 1 version for 2 calls: v dense (2)"
    ]


def test_block_sizes_share_what_is_compiled(lowered: list[str]):
    for size in (1, 2, 7):
        program = diablo.compile(SCALED, block_size=size)
        assert program(V=V, c=2.0).to_numpy().tolist() == [2.0, 4.0, 6.0]
    assert len(lowered) == 1


def test_what_is_known_of_the_inputs_is_told_apart(lowered: list[str]):
    # The exponent of a power may be worth to be known, a factor is not: another exponent is
    # compiled for, compared with what is compiled without one, and the latter serves.
    powers = SCALED.replace("c*v", "c*v*pow(1.0,c)")
    assert powers != SCALED
    for text, times in ((SCALED, 1), (powers, 2)):
        lowered.clear()
        for factor in (2.0, -0.0, 0.0, -2.0):
            found = diablo.compile(text)(V=V, c=factor).to_numpy()
            assert np.signbit(found).tolist() == [str(factor)[0] == "-"] * 3
            assert found.tolist() == (V * float(factor)).tolist()
        assert len(lowered) == times


@pytest.mark.parametrize("option", ["layout", "fast_math", "text", "file", "pipeline", "outputs"])
def test_other_options_compile_again(
    lowered: list[str], option: str, monkeypatch: pytest.MonkeyPatch
):
    one = Variant(SCALED, "a.diablo", {})
    two = Variant(
        SCALED + (" " if option == "text" else ""),
        "b.diablo" if option == "file" else "a.diablo",
        {},
        outputs=[] if option == "outputs" else None,
        layout="form = compressed" if option == "layout" else None,
        fast_math=option == "fast_math",
    )
    assert one.spark_module is Variant(SCALED, "a.diablo", {}).spark_module
    if option == "pipeline":
        text = PIPELINES["diablo-to-spark"]
        monkeypatch.setitem(PIPELINES, "diablo-to-spark", text.replace("move-guards,", ""))
    assert one.spark_module is not two.spark_module
    assert len(lowered) == 2


def test_the_programs_are_apart_but_for_what_is_compiled():
    one, two = diablo.compile(COUNTED), diablo.compile(COUNTED)
    few, many = sparse.eye_array(4).tocsr(), sparse.csr_array(np.ones((4, 4)))
    assert (one(S=few), two(S=many)) == (4, 16)
    assert "4 entries" in one.explain()
    assert "16 entries" in two.explain()


def test_each_program_warns():
    for _ in range(2):
        with pytest.warns(diablo.CompileWarning, match="an earlier iteration") as caught:
            diablo.compile(WARNED)(n=3)
        assert {warning.filename for warning in caught} == {__file__}
        with pytest.raises(diablo.CompileError, match="an earlier iteration"):
            diablo.compile(WARNED, strict=True)(n=3)


def test_an_error_is_raised_again(lowered: list[str]):
    for _ in range(2):
        with warnings.catch_warnings(), pytest.raises(diablo.CompileError):
            diablo.compile("input n: Int; var x = y; x;")
    assert lowered == []


def test_few_are_kept_and_no_long_ones(lowered: list[str]):
    texts = [f"input x: Double; x + {number}.0;" for number in range(40)]
    for text in [*texts, *texts]:
        diablo.compile(text)(x=1.0)
    assert len(lowered) == 80
    long = f"input x: Double; x; // {'-' * 30_000}"
    for _ in range(2):
        diablo.compile(long)(x=1.0)
    assert len(lowered) == 82


def test_a_kernel_over_rows_is_lowered_once_for_its_signature_and_its_ir(
    monkeypatch: pytest.MonkeyPatch,
):
    kernels: list[str] = []
    find_row_loop = compile_row_kernel.find_row_loop

    def note(*given: Any) -> Any:
        function, signature = find_row_loop(*given)
        kernels.append(function.sym_name.data)
        return function, signature

    monkeypatch.setattr(compile_row_kernel, "find_row_loop", note)
    monkeypatch.setenv("DIABLO_COMPILE", "always")
    rows = (np.array([1, 2, 1]), np.array([0.5, 1.0, 2.0]))
    assert sorted(diablo.compile(GROUPS)(L=rows)) == [(1, 2.5), (2, 1.0)]
    assert kernels
    assert len(set(kernels)) == len(kernels)
