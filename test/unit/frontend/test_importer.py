"""Importing whole programs: inputs, bindings, outputs, inference, locations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, StringAttr, UnknownLoc
from xdsl.dialects.func import FuncOp, ReturnOp

from diablo.diagnostics import CompileError
from diablo.dominance import find_dominance_error
from diablo.frontend.checking.declarations import program_inputs
from diablo.frontend.emission.bindings import (
    ArrayBinding,
    Binding,
    OpenBinding,
    RowsBinding,
    ScalarBinding,
)
from diablo.frontend.importer import import_program

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.diablo"))

DENSE = "tensor<?x?xf64, #tensor_block.tiles<dense = 2>>"
ROWS = "tensor<?x?xf64, #tensor_block.tiles<dense = 1>>"


def load(
    text: str,
    bindings: Mapping[str, Binding] | None = None,
    outputs: Sequence[str] | None = None,
) -> ModuleOp:
    module = import_program(text, "test.diablo", bindings, outputs)
    assert find_dominance_error(module) is None
    return module


def main_of(module: ModuleOp) -> FuncOp:
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    return function


def results(module: ModuleOp) -> list[tuple[str, str | None]]:
    """The type and the name of each result."""
    function = main_of(module)
    assert function.res_attrs is not None
    names = [a.data.get("diablo.name") for a in function.res_attrs]
    types = [str(t) for t in function.function_type.outputs]
    return [
        (type, name.data if isinstance(name, StringAttr) else None)
        for type, name in zip(types, names, strict=True)
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples(example: Path) -> None:
    module = load(example.read_text())
    for op in module.walk():
        if not isinstance(op, ModuleOp | FuncOp) and "yield" not in op.name:
            assert not isinstance(op.location, UnknownLoc) or isinstance(op, ReturnOp), op


def test_inputs() -> None:
    text = "input n: Int = 4; input b: Double = 1; input A: matrix[Double]; input f: Boolean; n;"
    inputs = program_inputs(text, "test.diablo")
    assert [(i.name, str(i.type), i.default) for i in inputs] == [
        ("n", "Int", 4),
        ("b", "Double", 1.0),
        ("A", "matrix[Double]", None),
        ("f", "Boolean", None),
    ]
    assert isinstance(inputs[1].default, float)
    function = main_of(load(text))
    assert function.arg_attrs is not None
    assert [str(a) for a in function.arg_attrs] == [
        '{diablo.name = "n", diablo.default = 4 : i64}',
        '{diablo.name = "b", diablo.default = 1.000000e+00 : f64}',
        '{diablo.name = "A"}',
        '{diablo.name = "f"}',
    ]


def test_seed_is_an_input_of_programs_that_draw() -> None:
    text = "tensor*(3)[ (i,random()) | i <- 0..2 ];"
    assert [(i.name, i.default) for i in program_inputs(text, "test.diablo")] == [("seed", 0)]
    function = main_of(load(text))
    assert [a.name_hint for a in function.args] == ["seed"]
    assert not main_of(load(text, {"seed": ScalarBinding(7)})).args


def test_bindings_specialise() -> None:
    text = (
        "input n: Int; input x: Double = 2; input A: matrix[Double]; "
        "input L: list[(Int,Double)]; A;"
    )
    module = load(
        text,
        {
            "n": ScalarBinding(5),
            "x": ScalarBinding(3),
            "A": ArrayBinding(2, 1, "f64"),
            "L": RowsBinding(("i64", "f64")),
        },
    )
    function = main_of(module)
    assert [str(a.type) for a in function.args] == [ROWS, "!comprehension.bag<i64, f64>"]
    assert results(module) == [(ROWS, "A")]
    constants = [str(op) for op in module.walk() if op.name == "arith.constant"]
    assert constants == [
        "%n = arith.constant 5 : i64",
        "%x = arith.constant 3.000000e+00 : f64",
    ]


def test_relations_of_inputs_are_said_of_the_arguments() -> None:
    source = "input n: Int; input k: Int; input A: matrix[Double]; input V: vector[Double]; n+k;"
    text = str(
        load(
            source,
            {
                "n": OpenBinding(None, "rows"),
                "k": OpenBinding(1),
                "A": ArrayBinding(2, 2, "f64", ("rows", 5)),
                "V": ArrayBinding(1, 1, "f64", (None,)),
            },
        )
    )
    assert 'diablo.name = "k", diablo.least = 1 : i64' in text
    assert 'diablo.shape = array<i64: -1, 5>, diablo.sizes = ["rows", ""]' in text
    assert '"n"' not in text  # It is the dimension.
    assert "tensor.dim %A, %" in text
    assert '{diablo.name = "V"}' in text


@pytest.mark.parametrize(
    ("declared", "binding", "message"),
    [
        ("Int", ScalarBinding(2.5), "`x` is Int, and is given a Double"),
        ("Boolean", ScalarBinding(1), "`x` is Boolean, and is given a Int"),
        ("Int", ArrayBinding(1, 1, "i64"), "`x` is Int, and is given an array"),
        ("Int", RowsBinding(("i64",)), "`x` is Int, and is given a list of rows"),
        (
            "matrix[Double]",
            ArrayBinding(3, 3, "f64"),
            "`x` is matrix[Double], and is given an array of 3 dimensions",
        ),
        ("vector[Int]", ScalarBinding(3), "`x` is vector[Int], and is given a single value"),
        (
            "list[(Int,Int)]",
            RowsBinding(("i64",)),
            "`x` is list[(Int,Int)], and is given rows of 1 columns",
        ),
    ],
)
def test_bindings_that_do_not_fit(declared: str, binding: Binding, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        import_program(f"input x: {declared};", "test.diablo", {"x": binding})
    assert [d.message for d in caught.value.diagnostics] == [message]


def test_results() -> None:
    assert results(load("var x = 1; var y = 2.0; (y, x + 1, x);")) == [
        ("f64", "y"),
        ("i64", None),
        ("i64", "x"),
    ]
    assert results(load("var x = 1; var y = 2.0; x += 1;")) == [("i64", "x"), ("f64", "y")]
    assert results(load("input n: Int;")) == []


def test_outputs() -> None:
    text = "var x = 1; var y = 2.0; "
    assert results(load(text, outputs=["y"])) == [("f64", "y")]
    assert results(load(text + "x + 1;", outputs=["y"])) == [("i64", None), ("f64", "y")]
    with pytest.raises(CompileError) as caught:
        load(text + "x;", outputs=["yy"])
    (error,) = caught.value.diagnostics
    assert (error.message, error.hint) == (
        "the program has no variable `yy` to output",
        "did you mean `y`?",
    )


@pytest.mark.parametrize(
    ("expression", "type"),
    [
        ("1 + 2", "i64"),
        ("1 + 2.0", "f64"),
        ("1.5f * 2", "f32"),
        ("1.5f * 2.0", "f32"),
        ("7 / 2", "i64"),
        ("1 < 2.5", "i1"),
        ("abs(-3)", "i64"),
        ("sqrt(4)", "f64"),
        ("max(1, 2.5)", "f64"),
        ("if (n > 2) 1 else 2.5", "f64"),
        ("if (n > 2) (1, true) else (2.5, false)", "f64 i1"),
        ("(1, 2.5)._2", "f64"),
        ("A", DENSE),
        ("A.rows", "i64"),
        ("A[1,n]", "f64"),
        ("A + 1", DENSE),
        ("S + A", DENSE),
        ("S * A", "tensor<?x?xf64, #tensor_block.tiles<dense = 1>>"),
        ("S * 2", "tensor<?x?xf64, #tensor_block.tiles<dense = 1>>"),
        ("S + 2", DENSE),
        ("I + 1", "tensor<?xi64, #tensor_block.tiles<dense = 1>>"),
        ("sqrt(I)", "tensor<?xf64, #tensor_block.tiles<dense = 1>>"),
        ("A @ S", DENSE),
        ("A @ I", "tensor<?xf64, #tensor_block.tiles<dense = 1>>"),
        ("S.t", ROWS),
        ("L", "!comprehension.bag<i64, f64>"),
        ("L.length", "i64"),
        ("list* [ (b,(a,b)) | (a,b) <- L ]", "!comprehension.bag<f64, i64, f64>"),
        ("+/[ b | (a,b) <- L ]", "f64"),
        ("||/[ a > 3 | (a,b) <- L ]", "i1"),
        ("tensor(n)[ (i,i) | i <- 0..n-1 ]", "tensor<?xi64>"),
        ("tensor(n)(n) A", "tensor<?x?xf64, #tensor_block.storage<dense = 1>>"),
        ("tensor*()(n,n) A", "tensor<?x?xf64, #tensor_block.tiles<dense = 0>>"),
        ("tensor*(n) L", "tensor<?xf64, #tensor_block.tiles<dense = 1>>"),
        ("tensor*(n)[ (i,i == 2) | i <- 0..n-1 ]", "tensor<?xi1, #tensor_block.tiles<dense = 1>>"),
        ("twice(n)", "f64"),
    ],
)
def test_types(expression: str, type: str) -> None:
    text = (
        "input n: Int; input A: matrix[Double]; input S: matrix[Double]; input I: vector[Int];"
        "input L: list[(Int,Double)]; def twice(x: Double): Double = 2 * x;"
    )
    module = load(text + expression, {"S": ArrayBinding(2, 1, "f64")})
    assert " ".join(t for t, _ in results(module)) == type


def test_locations_are_those_of_the_source() -> None:
    module = load("input n: Int;\nvar x = 2.0 *\n   (n + 1);\nx;")
    places = {
        op.name: (op.location.line.data, op.location.column.data)
        for op in module.walk()
        if isinstance(op.location, FileLineColLoc)
    }
    assert places["diablo.var"] == (2, 1)
    assert places["arith.mulf"] == (2, 9)
    assert places["arith.addi"] == (3, 5)
    assert places["diablo.load"] == (4, 1)
