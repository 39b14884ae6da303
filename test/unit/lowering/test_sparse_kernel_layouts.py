# Kernels over sparse tiles in every layout: over regions, as machine code, without copies.
import os
import random
from typing import Any

import numpy as np
import pytest
from sparse_kernels import KERNELS, SparseKernel
from test_sparse_kernels import (
    interpreted,
    must_not_run,
    parse,
    plain,
    random_arguments,
    tiles,
)
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute

from diablo.dialects.encodings import is_sparse
from diablo.dialects.sparse_storage import LayoutAttr
from diablo.lowering.multiloop.compile_kernel import compile_kernel
from diablo.lowering.multiloop.specialise import specialise
from diablo.lowering.sparse_storage.convert_tensor_block_to_sparse_storage import (
    ConvertTensorBlockToSparseStoragePass,
)
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.analyses.plans.kernel_identity import kernel_identity
from diablo.registry import new_context
from diablo.runtime.arrays.patterns import layout
from diablo.runtime.arrays.sparse_tile import SparseTile
from diablo.runtime.kernels.compiled import compiled
from diablo.runtime.kernels.kernel_code import KernelCode, Layouts
from diablo.runtime.kernels.sparse_signature import stored_layout
from diablo.runtime.native import thread_team, work_seen
from diablo.sparse_kernel_signature import SparseSignature, StoredLayout

FORMS = ("compressed", "hypersparse", "coordinates", "bitmap", "full", "band")


@pytest.fixture(autouse=True)
def compile_at_once(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(work_seen, "WORTH_COMPILING", 0)
    monkeypatch.setattr(thread_team, "WORTH_SHARING", 1)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")


def random_layout(rng: random.Random, rank: int) -> str:
    form = rng.choice(FORMS[:4] if rank != 2 else FORMS)
    order = rng.sample(range(rank), rank)
    orders = f", orders = [{order}]" if form != "band" and rng.random() < 0.7 else ""
    return f"form = {form}{orders}, width = {rng.choice([32, 64])}"


def laid_out(tile: SparseTile, text: str) -> SparseTile:
    """The tile in a layout, or in the one that is taken if it cannot be stored so."""
    return tile.with_layout(layout.parse(text))


@pytest.mark.sampled(16)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_machine_code_for_every_layout(kernel: SparseKernel):
    module, function = parse(kernel.text)
    run, _ = kernel_of(kernel.name)
    for seed in range(int(os.environ.get("DIABLO_LAYOUT_SEEDS", "6"))):
        rng = random.Random(seed)
        arrays, extents = random_arguments(kernel, function, seed)
        scalars = [extents[name] for name in kernel.extents]
        expected = interpreted(module, [*arrays, *scalars])
        given = [
            laid_out(tile, random_layout(rng, tile.ndim)) if isinstance(tile, SparseTile) else tile
            for tile in tiles(function, arrays)
        ]
        got = run(*given, *scalars)
        np.testing.assert_allclose(plain(got), expected, rtol=1e-12)
        if isinstance(got, SparseTile):
            assert got.dense_rank == next(a for a in given if isinstance(a, SparseTile)).dense_rank


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_loops_for_every_layout(kernel: SparseKernel, seed: int):
    """Loops over regions mean the same whatever the layouts are, and become loops over buffers."""
    rng = random.Random(f"{kernel.name} {seed}")
    module, function = parse(kernel.text)
    arrays, extents = random_arguments(kernel, function, seed)
    arguments = [*arrays, *(extents[name] for name in kernel.extents)]
    expected = interpreted(module, arguments)
    attributes: list[DictionaryAttr] = []
    for argument in function.args:
        attribute: dict[str, Attribute] = {}
        if is_sparse(argument.type):
            rank = len(kernel.shapes[argument.name_hint or ""])
            text = random_layout(rng, rank)
            attribute["sparse_storage.layout"] = layout_attribute(text)
        attributes.append(DictionaryAttr(attribute))
    function.arg_attrs = ArrayAttr(attributes)
    ConvertTensorBlockToSparseStoragePass().apply(new_context(), module)
    module.verify()
    np.testing.assert_allclose(interpreted(module, arguments), expected)
    convert_functions(module)
    module.verify()
    assert not any(op.name.startswith("sparse_storage.") for op in module.walk())


def layout_attribute(text: str) -> LayoutAttr:
    found = layout.parse(text)
    return LayoutAttr(found.form, found.orders, width=found.width)


def kernel_of(name: str) -> tuple[Any, list[Layouts]]:
    """A kernel that never runs in NumPy, and the layouts that it is compiled anew for."""
    asked: list[Layouts] = []
    function = parse(next(k.text for k in KERNELS if k.name == name))[1]
    native = compile_kernel(function)

    def noting(layouts: Layouts) -> tuple[str, SparseSignature] | None:
        asked.append(layouts)
        return specialise(function, layouts)

    code = KernelCode(kernel_identity(function), native.signature, native.write, noting)
    return compiled(must_not_run, code), asked


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "text",
    [
        "form = compressed, orders = [[1, 0]]",
        "form = compressed, width = 64",
        "form = bitmap",
        "form = hypersparse",
        "form = band",
        "form = full",
    ],
)
@pytest.mark.parametrize("name", ["row_sums", "column_sums", "total", "times_matrix"])
def test_nothing_is_derived(name: str, text: str):
    """Machine code takes the vectors that are stored, and is compiled once for each layout."""
    run, asked = kernel_of(name)
    array = np.arange(1.0, 25.0).reshape(4, 6)
    if "full" not in text:
        array[np.abs(np.subtract.outer(np.arange(4), np.arange(6))) > 1] = 0
    tile = laid_out(SparseTile.from_dense(array, 1), text)
    assert tile.pattern.form.name == layout.parse(text).form
    right = np.arange(30.0).reshape(6, 5)
    more = [right] if name == "times_matrix" else []
    expected = {
        "row_sums": (array**2).sum(axis=1),
        "column_sums": 2 * array.sum(axis=0),
        "total": (array**2).sum(),
        "times_matrix": array @ right**2,
    }[name]
    for _ in range(2):
        np.testing.assert_allclose(run(tile, *more, 4, 6, 5), expected)
    assert asked == [(stored_layout(tile),)]
    assert tile.pattern.derived_nbytes == 0


def test_sums_over_lists_are_shared_by_threads():
    """Of a matrix by columns each column is a list: sums over columns need no other threads."""
    function = parse(next(k.text for k in KERNELS if k.name == "column_sums"))[1]
    by_rows = specialise(function, [None])
    by_columns = specialise(function, [StoredLayout("compressed", (1, 0), 32)])
    assert by_rows is not None
    assert by_columns is not None
    assert str(by_rows[1]).endswith("whole @0")
    assert str(by_columns[1]) == "f64{1;compressed;1.0;32}[1,2] i64 i64 i64 -> f64[2] rows @0"


def test_what_cannot_be_compiled_falls_back():
    """A band by columns has no loops, and a process without the compiler takes rows."""
    function = parse(next(k.text for k in KERNELS if k.name == "row_sums"))[1]
    assert specialise(function, [StoredLayout("band", (1, 0))]) is None
    function = parse(next(k.text for k in KERNELS if k.name == "times_matrix"))[1]
    native = compile_kernel(function)
    elsewhere = compiled(must_not_run, str(native.llvm_ir), str(native.signature))
    tile = laid_out(SparseTile.from_dense(np.eye(4), 1), "form = compressed, orders = [[1, 0]]")
    right = np.arange(20.0).reshape(4, 5)
    np.testing.assert_allclose(elsewhere(tile, right, 4, 4, 5), right**2)
    assert tile.pattern.derived_nbytes > 0


def test_a_result_has_the_pattern_of_its_argument():
    run, _ = kernel_of("scaled")
    array = np.arange(12.0).reshape(3, 4)
    tile = laid_out(SparseTile.from_dense(array, 1), "form = compressed, orders = [[1, 0]]")
    result = run(tile, np.arange(4.0), 3, 4, 1)
    np.testing.assert_allclose(result.toarray(), array * np.arange(4.0))
    doubled = run(tile, np.full(4, 2.0), 3, 4, 1)
    assert doubled.pattern is tile.pattern
