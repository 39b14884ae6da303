"""Layouts of whole programs: what is asked for, what is chosen, and that it is no matter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sparse

import diablo
from diablo.passes.layouts.forced_layouts import parse_forced_layouts

PRODUCT = "input A: matrix[Double]; input x: vector[Double]; A@x;"
TRANSPOSED = """
input A: matrix[Double];
input x: vector[Double];
var n = A.cols;
var y = tensor*(n)[ (i,0.0) | i <- 0..n-1 ];
for i = 0, n-1 do
    for j = 0, A.rows-1 do
        y[i] += A[j,i]*x[j];
y;
"""
ELEMENT = "input A: matrix[Double]; input x: vector[Double]; var y = A@x; (y,A[2,3]);"


def inputs() -> dict[str, Any]:
    A = sparse.random(9, 7, 0.3, format="csr", random_state=np.random.RandomState(0))
    return {"A": A, "x": np.arange(7.0)}


def compiled(source: str, arguments: dict[str, Any], **options: Any) -> tuple[Any, diablo.Program]:
    program = diablo.compile(source, **options)
    return program(**arguments), program


@pytest.mark.parametrize("block_size", [None, 3])
def test_a_program_by_rows_says_nothing_of_layouts(block_size: int | None):
    result, program = compiled(PRODUCT, inputs(), block_size=block_size)
    np.testing.assert_allclose(result.to_numpy(), inputs()["A"] @ np.arange(7.0))
    assert "layout" not in program.ir("tensor_block")
    assert "with_layout" not in program.ir("pyspark")
    explained = program.explain()
    assert "the layout of A is 'form = auto': it is iterated by rows" in explained
    assert "first entry of each row" in explained
    assert "directory" not in explained


def repeated(times: str) -> str:
    """The product with the transposed matrix, so many times, each with a vector of its own."""
    head, body = TRANSPOSED.removesuffix("y;\n").split("for i", 1)
    body = f"for i{body.replace('x[j]', 'z[j]')} z = z*k/k;"
    return f"{head}var z = x; var k = 0; while (k < {times}) {{ k += 1; {body} }}; y;"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("source", "products"),
    [
        (TRANSPOSED, "one product goes by columns"),
        (repeated("10"), "some 10 products go by columns"),
        (repeated("+/[ a | ((i,j),a) <- A ]"), "some 10 products go by columns"),
        (repeated("1000 && x[0] < -1.0"), "some 1000 products"),
    ],
)
def test_an_order_that_few_products_use_is_not_made(source: str, products: str):
    _, program = compiled(source, {"A": inputs()["A"], "x": np.arange(9.0)})
    assert products in program.explain()
    assert ("orders" in program.ir("tensor_block")) == ("1000" in products)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("block_size", [None, 3])
def test_sums_over_rows_store_columns_if_that_pays(block_size: int | None):
    arguments = {"A": inputs()["A"] / 200, "x": np.arange(9.0)}
    result, program = compiled(repeated("200"), arguments, block_size=block_size)
    np.testing.assert_allclose(result.to_numpy(), inputs()["A"].T @ np.arange(9.0))
    assert "orders = [[1, 0]]" in program.ir("tensor_block")
    assert "form = auto, orders = [[1, 0]]" in program.ir("pyspark")
    assert "A is iterated by columns here" in program.explain()


def test_an_element_turns_on_a_directory_alone():
    (_, element), program = compiled(ELEMENT, inputs())
    assert element == inputs()["A"][2, 3]
    assert "layout<form = auto, directory = array>" in program.ir("tensor_block")


def test_a_layout_for_one_region():
    _, program = compiled(
        TRANSPOSED, {"A": inputs()["A"], "x": np.arange(9.0)}, layout="A: form = full"
    )
    assert "layout<form = full>" in program.ir("tensor_block")
    assert "it is forced" in program.explain()
    _, other = compiled(PRODUCT, inputs(), layout="B: form = full")
    assert "layout" not in other.ir("tensor_block")


def test_dense_programs_have_no_storage_to_report():
    _, program = compiled(PRODUCT, {"A": np.ones((3, 7)), "x": np.arange(7.0)})
    assert "Storage of the sparse arrays" not in program.explain()


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("CSC", "form = compressed, orders = [[1, 0]]"),
        ("full", "form = full"),
        ("Bitmap", "form = bitmap"),
        ("Diagonal", "form = band"),
        ("AUTO", "form = auto"),
        ("A: COO, directory = hash; DCSR", "A: form = COO, directory = hash; form = hypersparse"),
    ],
)
def test_a_form_may_stand_alone(short: str, long: str):
    assert parse_forced_layouts(short) == parse_forced_layouts(long)


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        ("dense", r"auto, compressed \(CSR, CSC\), .*, got dense"),
        ("form = dense", "the form of a layout is one of"),
        ("orders = [[0, 1]]", "Expected .form."),
        ("", "Expected .form."),
        ("A: form = full; A: form = auto", "the layout of A is given twice"),
        ("form = full; form = auto", "the layout of all regions is given twice"),
    ],
)
def test_wrong_layouts(layout: str, message: str):
    with pytest.raises(diablo.InputError, match="layout: .*" + message):
        diablo.compile(PRODUCT, layout=layout)
