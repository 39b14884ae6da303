# diablo.compile and Program: results, levels, and every error a caller can make.
import math
import os
import warnings
from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo import compilations, openings
from diablo.call import Call
from diablo.frontend.emission.bindings import ScalarBinding
from fuzzing.comparison import difference, plain
from fuzzing.trial import Trial

SUM = "input n: Int; var s = +/[ i*i | i <- 1..n ]; s;"
ROW_SUMS = """
input A: matrix[Double];
input n: Int;
input m: Int = 3;
tensor*(n)[ (i,+/a) | ((i,j),a) <- A, group by i ];
"""
DEGREES = (
    "input G: list[(Int,Int)]; input n: Int; tensor*(n)[ (i,j.length) | (i,j) <- G, group by i ];"
)


WINDOW = """
input r: Int; input V: vector[Double];
tensor(V.length)[ (i, +/[ V[(i+k+V.length)%V.length] | k <- -r..r ]) | i <- 0..V.length-1 ];
"""


def test_a_scalar_result():
    program = diablo.compile(SUM)
    assert program(n=10) == 385
    assert program(n=3) == 14


def test_a_program_describes_itself():
    assert repr(diablo.compile(SUM)) == "<diablo program <program>(n: Int)>"


def test_inputs_are_described():
    assert diablo.compile(ROW_SUMS).inputs == {"A": "matrix[Double]", "n": "Int", "m": "Int"}


@pytest.mark.parametrize(
    "kind", [np.asarray, sparse.csr_array, sparse.coo_matrix, np.ndarray.tolist]
)
def test_arrays_of_several_kinds(kind):
    a = np.arange(12.0).reshape(4, 3)
    result = diablo.compile(ROW_SUMS)(A=kind(a), n=4)
    np.testing.assert_allclose(result.to_numpy(), a.sum(axis=1))


@pytest.mark.parametrize("kind", [np.asarray, list, lambda e: [tuple(row) for row in e]])
def test_lists_of_rows_of_several_kinds(kind):
    edges = np.array([[0, 1], [0, 2], [3, 0]])
    result = diablo.compile(DEGREES)(G=kind(edges), n=4)
    assert result.to_numpy().tolist() == [2, 0, 0, 1]


def test_a_tuple_result():
    first, second = diablo.compile("input n: Int; var a = n+1; var b = 2.5*n; (a,b);")(n=4)
    assert (first, second) == (5, 10.0)


@pytest.fixture
def nothing_known() -> Generator[None]:
    """As if no program had been called before."""
    compilations.forget()
    openings.forget()
    yield
    openings.forget()


@pytest.mark.usefixtures("nothing_known")
def test_compiled_variants_are_kept():
    program = diablo.compile(SUM)
    first = program.variant(program.check({"n": 3}))
    assert program.variant(program.check({"n": 3})) is first
    # That n varies is known no sooner than from its second value on.
    other = program.variant(program.check({"n": 4}))
    assert other is not first
    assert program.variant(program.check({"n": 5})) is other
    assert program.variant(program.check({"n": 3})) is first


RATE = (
    "input A: matrix[Double]; input r: Double; tensor(A.rows)[ (i,r*A[i,0]) | i <- 0..A.rows-1 ];"
)


@pytest.mark.parametrize(
    ("source", "values"),
    [
        (RATE, [{"r": 0.5}, {"r": math.inf}, {"r": math.nan}, {"r": -0.0}]),
        (
            "input A: matrix[Double]; input r: Float; +/[ r*a | ((i,j),a) <- A ];",
            [{"r": 0.1}, {"r": 1e38}],
        ),
        (
            "input L: list[String]; input s: String; +/[ 1 | w <- L, w == s ];",
            [{"s": "a"}, {"s": ""}],
        ),
        (
            "input A: matrix[Double]; input eps: Double; input k: Int;"
            "var x = 1.0; var i = 0; while (i < k && x > eps) { x = x/2.0; i += 1 }; (x,i);",
            [{"eps": 0.1, "k": 100}, {"eps": 0.0, "k": 3}, {"eps": math.nan, "k": 5}],
        ),
        ("input r: Double; (1.0/r, pow(r,2), if (r > 0.0) 1 else 2);", [{"r": 0.0}, {"r": -2.0}]),
    ],
)
def test_what_decides_nothing_compiles_once(source, values):
    program = diablo.compile(source)
    given = {"A": np.arange(4.0).reshape(2, 2), "L": ["a", "b", "a"]}
    given = {name: value for name, value in given.items() if name in program.inputs}
    variants = [program.variant(program.check({**given, **value})) for value in values]
    assert all(variant is variants[0] for variant in variants)
    for value in values:
        # Bound to its value, the program gives the same.
        trial = Trial(source, {**given, **value})
        bound = {name: ScalarBinding(v) for name, v in value.items()}
        trial.call = Call(trial.call.values, {**trial.call.bindings, **bound})
        found = program(**given, **value)
        found = found if isinstance(found, tuple) else (found,)
        assert difference(plain(found), trial.expected()) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("input n: Int; tensor(n)[ (i,1.0) | i <- 0..n-1 ];", [{"n": 2}, {"n": 3}]),
        ("input b: Boolean; if (b) 1 else 2;", [{"b": True}, {"b": False}]),
        ("input k: Int; var i = k; while (i < k) i += 1; i;", [{"k": 2}, {"k": 3}]),
        (
            "input A: matrix[Double]; input p: Double; +/[ pow(a,p) | ((i,j),a) <- A ];",
            [{"p": 2.0}, {"p": 0.5}],
        ),
        (
            "input S: matrix[Double]; input r: Double;"
            "tensor(2)(2)[ ((i,j),s/r) | ((i,j),s) <- S ];",
            [{"r": 2.0}, {"r": 0.5}],
        ),
        (
            "input S: matrix[Double]; input r: Double; +/[ s/r | ((i,j),s) <- S ];",
            [{"r": 2.0}, {"r": 0.5}],
        ),
    ],
)
def test_what_decides_compiles_for_each_value(source, values):
    program = diablo.compile(source)
    given = {"A": np.ones((2, 2)), "S": sparse.csr_array(np.eye(2))}
    given = {name: value for name, value in given.items() if name in program.inputs}
    one, other = (program.variant(program.check({**given, **value})) for value in values)
    assert one is not other


def test_what_was_not_used_for_longest_is_let_go(monkeypatch):
    monkeypatch.setattr("diablo.api._MOST_VARIANTS", 2)
    program = diablo.compile(WINDOW)

    def variant(r):
        return program.variant(program.check({"r": r, "V": np.ones(50)}))

    first, second = variant(1), variant(2)
    assert variant(1) is first
    assert variant(3) is not first
    assert variant(1) is first
    assert variant(2) is not second
    assert len(program._variants) == 2


def test_the_seed():
    source = "input n: Int; tensor*(n)[ (i,random()) | i <- 0..n-1 ];"
    default, same, other = (diablo.compile(source, seed=s)(n=5).to_numpy() for s in (0, 0, 1))
    assert (default == same).all()
    assert (default != other).any()


@pytest.mark.parametrize(
    ("level", "text"),
    [
        ("diablo", "diablo.var"),
        ("comprehension", "comprehension.aggregate"),
        ("tensor_block", "tensor_block."),
        ("spark", "spark."),
        ("pyspark", "def main("),
    ],
)
def test_every_level_can_be_printed(level, text):
    assert text in diablo.compile("input A: vector[Double]; var s = +/[ a | (i,a) <- A ]; s;").ir(
        level
    )


def test_the_plan():
    program = diablo.compile(DEGREES)
    program(G=[(0, 1)], n=2)
    plan = program.explain()
    assert "Steps of the driver:" in plan
    assert "spark.parallelize" in plan
    assert "kernel_0: tensor_block." in plan


def test_a_program_from_a_file(tmp_path: Path):
    path = tmp_path / "sum.diablo"
    path.write_text(SUM)
    assert diablo.compile(path)(n=2) == 5
    assert diablo.compile(os.fspath(path))(n=2) == 5


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "n: this input is missing (Int)"),
        ({"n": 2.5}, "n: 2.5 where"),
        ({"n": "2"}, "n: '2' where"),
        ({"n": True}, "n: True where"),
        ({"n": 2**70}, "does not fit in 64 bits"),
        ({"n": None}, "n: None where"),
        ({"n": [1]}, "n: a list where"),
        ({"N": 3}, "N: the program has no such input; did you mean `n`?"),
        ({"n": 3, "xyz": 1}, "xyz: the program has no such input; it has n"),
    ],
)
def test_wrong_scalars(inputs, message: str):
    with pytest.raises(diablo.InputError) as error:
        diablo.compile(SUM)(**inputs)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("a", "message"),
    [
        (np.ones(3), "A: 1 dimension (3) where matrix[Double] is wanted"),
        (np.ones((2, 3, 4)), "A: 3 dimensions (2 x 3 x 4)"),
        ([[1.0, 2.0], [3.0]], "A: the rows are of different lengths"),
        ([["x", "y"]], "A"),
        (7, "A: 7 where matrix[Double] is wanted"),
    ],
)
def test_wrong_arrays(a, message: str):
    with pytest.raises(diablo.InputError) as error:
        diablo.compile(ROW_SUMS)(A=a, n=2)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("edges", "message"),
    [
        ([(1, 2, 3)], "3 columns"),
        ([(1, 2), (3,)], "row 2"),
        ([(1, 2.5)], "G"),
        (5, "G: 5 where"),
        (np.ones((2, 2, 2)), "G: 3 dimensions (2 x 2 x 2)"),
    ],
)
def test_wrong_rows(edges, message: str):
    with pytest.raises(diablo.InputError) as error:
        diablo.compile(DEGREES)(G=edges, n=2)
    assert message in str(error.value)


def test_every_error_of_a_program_is_reported():
    with pytest.raises(diablo.CompileError) as error:
        diablo.compile("var a = nothing;\nvar b = nowhere;\n")
    text = str(error.value)
    assert "<program>:1:9: error:" in text
    assert "<program>:2:9: error:" in text
    assert "var b = nowhere;" in text


def test_errors_are_of_one_family():
    for kind in (diablo.CompileError, diablo.InputError, diablo.RunError):
        assert issubclass(kind, diablo.Error)


def test_failures_while_running():
    program = diablo.compile("input n: Int; input d: Int; +/[ i / d | i <- 1..n ];")
    with pytest.raises(diablo.RunError):
        program(n=3, d=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "flink"}, "engine 'flink'"),
        ({"device": "tpu"}, "device 'tpu'"),
        ({"block_size": 0}, "block size is 0"),
        ({"seed": 2**64}, "seed"),
        ({"block_size": "x"}, "the block size is 'x', and must be an integer"),
        ({"block_size": {"A": 0}}, "the block size of A is 0, and must be at least 1"),
        ({"block_size": {"Q": 5}}, "block size: the program has no array Q"),
        ({"seed": 1.5}, "the seed is 1.5, and must be an integer"),
        ({"master": "local[2]"}, "master 'local[2]' is for Spark, but the engine is 'local'"),
    ],
)
def test_wrong_options(options, message: str):
    with pytest.raises(diablo.InputError) as error:
        diablo.compile(SUM, **options)
    assert message in str(error.value)


def test_a_missing_program():
    with pytest.raises(diablo.InputError, match=r"no-such\.diablo: there is no such file"):
        diablo.compile("no-such.diablo")


def test_a_program_that_is_not_utf8(tmp_path: Path):
    path = tmp_path / "latin.diablo"
    path.write_bytes(b"// caf\xe9\n1;")
    with pytest.raises(
        diablo.CompileError, match=r"latin\.diablo:1:7: error: the input is not UTF-8"
    ):
        diablo.compile(path)


def test_a_wrong_level():
    with pytest.raises(diablo.InputError, match="there is no level 'llvm'"):
        diablo.compile(SUM).ir("llvm")  # pyright: ignore[reportArgumentType]


def test_block_sizes_agree():
    a = np.random.default_rng(0).random((7, 5))
    expected = a.sum(axis=1)
    for size in (1, 2, 3, 100, None):
        result = diablo.compile(ROW_SUMS, block_size=size)(A=a, n=7, m=5)
        np.testing.assert_allclose(result.to_numpy(), expected)


def test_importing_is_light():
    import subprocess
    import sys

    code = "import sys, diablo; print('numpy' in sys.modules, 'xdsl' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.stdout.split() == ["False", "False"]


def test_no_warning_for_a_fine_program():
    with warnings.catch_warnings():
        warnings.simplefilter("error", diablo.CompileWarning)
        diablo.compile(SUM)(n=2)


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """As if a pass had warned of something."""
    from diablo.diagnostics import Diagnostic, Span, report
    from diablo.pass_manager import PassManager

    run = PassManager.run

    def run_and_warn(self, ctx, module):
        run(self, ctx, module)
        report(Diagnostic("warning", "this is odd", Span("<program>", 1, 7, 8)))

    monkeypatch.setattr(PassManager, "run", run_and_warn)
    compilations.forget()
    yield
    compilations.forget()


@pytest.mark.usefixtures("warned")
def test_warnings_are_given_once():
    program = diablo.compile(SUM)
    with pytest.warns(diablo.CompileWarning, match="<program>:1:7: warning: this is odd") as given:
        assert [program(n=n) for n in (2, 3)] == [5, 14]
    assert len(given) == 1
    assert given[0].filename == __file__


@pytest.mark.usefixtures("warned")
def test_strict_makes_warnings_errors():
    with pytest.raises(diablo.CompileError, match="<program>:1:7: error: this is odd"):
        diablo.compile(SUM, strict=True)(n=2)


def test_scalar_results_are_those_of_python():
    program = diablo.compile("input L: list[(Int,Double)]; (+/[ x | (i,x) <- L ], L.length)")
    result = program(L=[(1, 2.0), (2, 0.5)])
    assert result == (2.5, 2)
    assert [type(part) for part in result] == [float, int]


def test_the_plan_says_in_words_what_is_known_of_the_inputs():
    program = diablo.compile(
        "input A: matrix[Double]; input L: list[(Int,Double)]; input b: Boolean;"
        "(A.rows, L.length, b)"
    )
    program(A=sparse.csr_array(np.eye(2)), L=[(1, 2.0)], b=True)
    assert (
        "Known of the inputs, for which alone this is compiled:\n"
        "  A: 2 x 2 of f64, the last 1 sparse\n"
        "  L: rows of i64, f64\n"
        "  b: true\n"
    ) in program.explain()


def test_a_program_that_is_no_text():
    with pytest.raises(diablo.InputError, match="as its text or its path, not as b'x'"):
        diablo.compile(b"x")


def test_a_byte_order_mark_is_no_part_of_a_program(tmp_path: Path):
    path = tmp_path / "sum.diablo"
    path.write_text(SUM, encoding="utf-8-sig")
    assert diablo.compile(str(path))(n=10) == 385


def test_a_long_line_is_cut_around_the_place_of_an_error():
    with pytest.raises(diablo.CompileError) as caught:
        diablo.compile("var x = " + "1 *\t" * 50 + "yy" + " + 1" * 40)
    message = str(caught.value).splitlines()
    assert message[0] == "<program>:1:209: error: `yy` is not declared"
    assert max(map(len, message)) < 170
    start = message[2].index("^")
    assert message[1][start : start + message[2].count("^")] == "yy"
    assert message[1].startswith("  …")
    assert message[1].endswith("…")


def test_many_statements_on_one_variable():
    program = diablo.compile("input n: Int; var x = n;" + "x = 2*x - n;" * 1000 + "x")
    assert program(n=3) == 3
    program = diablo.compile("input n: Int; var x = n;" + "x = 2*x - n;" * 100 + "x")
    lines = program.ir("pyspark").splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) < 200


# -- Strings, records, lists and maps -----------------------------------------------------------


def test_the_result_is_not_the_callers_array():
    a = np.arange(4.0).reshape(2, 2)
    result = diablo.compile("input A: matrix[Double]; A;")(A=a)
    result.to_numpy()[0, 0] = 9
    assert a[0, 0] == 0
    a[1, 1] = 9
    assert result.to_numpy()[1, 1] == 3
    words = np.array(["a", "b"], object)
    back = diablo.compile("input L: list[String]; L;")(L=words)
    words[0] = "changed"
    assert back.to_list() == ["a", "b"]


def test_words_are_counted():
    program = diablo.compile("""
        input L: list[String];
        var C: map[String,Int] = map();
        for line in L do for w in split(line, " ") do C[w] += 1;
        C;
    """)
    counts = program(L=["to be or", "not to be"])
    assert counts == {"be": 2, "not": 1, "or": 1, "to": 2}
    assert counts.to_dict()["to"] == 2


def test_records_in_and_out():
    text = "input L: list[<a: Int, b: String>]; [ <x = r.b, y = (r.a, r.a+1)> | r <- L ];"
    (row,) = diablo.compile(text)(L=[{"a": 1, "b": "s"}])
    assert row == ("s", (1, 2))
    assert (row.x, row.y) == ("s", (1, 2))


def test_nested_tuples_and_scalars_have_the_shape_of_their_type():
    program = diablo.compile(
        'input n: Int; input c: Char; input s: String = "d";'
        "var t = (n, (c, <a = s, b = (n > 1)>)); t;"
    )
    result = program(n=3, c="x")
    assert result == (3, ("x", ("d", True)))
    assert result[1][1].a == "d"
    assert program(n=0, c="y", s="") == (0, ("y", ("", False)))


def test_lists_of_lists_and_maps_of_tuples():
    text = "input L: list[(Int,list[Int])]; [ (k, +/l, l) | (k,l) <- L ];"
    assert diablo.compile(text)(L=[(1, [1, 2]), (2, [])]).to_list() == [(1, 3, [1, 2]), (2, 0, [])]
    text = "input M: map[(Int,String),(Int,Double)]; M;"
    given = {(1, "a"): (2, 0.5), (0, "b"): (3, 1.5)}
    assert diablo.compile(text)(M=given) == given


def test_arrays_of_strings_and_of_tuples():
    assert diablo.compile("input V: vector[String]; V;")(V=["a", "bc"])[1] == "bc"
    pairs = diablo.compile("tensor*(3)[ (i, (i, i*0.5)) | i <- 0..2 ];")().to_numpy()
    assert pairs.tolist() == [(0, 0.0), (1, 0.5), (2, 1.0)]


def test_variables_of_several_parts_are_outputs():
    program = diablo.compile('var t = (1, "a"); var n = 2; n;')
    assert program.run(program.check({}), ["n", "t"]) == (2, (1, "a"))


def test_what_is_known_of_lists_and_maps_is_explained():
    program = diablo.compile("input L: list[(Int,list[String])]; input M: map[String,Double]; M;")
    program(L=[(1, ["a"])], M={"a": 0.5})
    plan = program.explain()
    assert "L: rows of i64, (rows of string)" in plan
    assert "M: map from string to f64" in plan


@pytest.mark.parametrize(
    ("text", "given", "message"),
    [
        ("input c: Char; c;", {"c": "ab"}, "c: 'ab' where a character is wanted"),
        ("input L: list[String]; L;", {"L": [1]}, "L: 1 in row 1 is not a string"),
        (
            "input M: map[String,Int]; M;",
            {"M": {"a": "b"}},
            "M: 'b' in the value of entry 1 is not an integer",
        ),
    ],
)
def test_wrong_values_of_every_type(text: str, given: dict, message: str):
    with pytest.raises(diablo.InputError) as caught:
        diablo.compile(text)(**given)
    assert str(caught.value) == message


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", ["self", "main", "kernel_0", "sc", "np", "__debug__", "_2_3"])
def test_names_that_the_implementation_has(name):
    text = f"input {name}: Int; var s = +/[ i*i | i <- 1..{name} ]; while (s < 0) s += 1; s;"
    assert diablo.compile(text)(**{name: 10}) == 385
    text = f"input n: Int; var {name} = n; while ({name} < 9) {name} += 2; {name};"
    assert diablo.compile(text)(n=4) == 10
    text = f"input L: list[Int]; monoid {name}(Int) = (0, (x,y) => x+y); {name}/[ x*x | x <- L ];"
    assert diablo.compile(text)(L=[1, 2, 3]) == 14
    assert diablo.compile(text, block_size=2)(L=[1, 2, 3]) == 14


@pytest.mark.parametrize("block_size", [None, 1, 2])
def test_lists_over_the_same_rows_are_results_like_others(block_size: int | None) -> None:
    text = "input L: list[(Int,Double)]; ([ (k, 2.0*v) | (k,v) <- L ], [ k+1 | (k,v) <- L ])"
    doubled, next_keys = diablo.compile(text, block_size=block_size)(L=[(1, 2.0), (2, 3.5)])
    assert doubled == [(1, 4.0), (2, 7.0)]
    assert next_keys == [2, 3]
