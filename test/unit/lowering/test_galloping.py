# How many steps an intersection of sparse vectors takes, counted by the interpreter.
import random
from typing import Any, SupportsIndex

import pytest
from stored_tiles import buffers
from xdsl.dialects import func
from xdsl.dialects.builtin import f64
from xdsl.parser import Parser

from diablo.dialects.sparse_storage import LayoutAttr
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.passes.interpreter.regions import Buffer
from diablo.registry import new_context

LENGTH = 512
COMPRESSED = LayoutAttr("compressed")
TEXT = """
!vector = tensor<?xf64, #tensor_block.storage<dense = 0>>
!region = !sparse_storage.region<1, #sparse_storage.layout<form = compressed>>
func.func @f(%A: !vector, %B: !vector) -> f64 {{
  %R, %a = sparse_storage.unpack %A : !vector -> !region, memref<?xf64>
  %S, %b = sparse_storage.unpack %B : !vector -> !region, memref<?xf64>
  %sum = multiloop.loop intersect {how}(%R, %S : !region, !region) -> f64 {{
  ^bb0(%i: index, %p: index, %q: index, %in_r: i1, %in_s: i1, %acc: !multiloop.reduce<add : f64>):
    %x = sparse_storage.value %a[%p] : memref<?xf64>
    %y = sparse_storage.value %b[%q] : memref<?xf64>
    %z = arith.mulf %x, %y : f64
    multiloop.emit %acc(%z : f64)
  }}
  func.return %sum : f64
}}"""


class Counted(list[Any]):
    """Elements that count how often one of them is read."""

    reads = 0

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        Counted.reads += 1
        return super().__getitem__(place)


def vector(rng: random.Random, count: int) -> Array:
    entries = {(i,): float(rng.randint(1, 9)) for i in rng.sample(range(LENGTH), count)}
    return Array((LENGTH,), 0, f64, entries)


def element(tile: Array, index: tuple[int, ...]) -> float:
    value = tile.at(index)
    assert isinstance(value, float)
    return value


def product(how: str, tiles: list[Array]) -> tuple[float, int]:
    """The sum of products of two vectors, and how many loads it took."""
    module = Parser(new_context(), TEXT.format(how=how), "gallop.mlir").parse_module()
    convert_functions(module)
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    given = [buffer for tile in tiles for buffer in buffers(tile, COMPRESSED)]
    counted: list[Any] = [
        Buffer(b.dims, Counted(b.elements)) if isinstance(b, Buffer) else b for b in given
    ]
    result: Any = Buffer((), [None])
    Counted.reads = 0
    Interpreter(module).call(function, [*counted, result])
    total = result.elements[0]
    assert isinstance(total, float)
    return total, Counted.reads


@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("sizes", [(3, 400), (400, 3), (100, 120), (50, 400), (0, 300), (7, 57)])
def test_products_are_the_same_however_they_are_found(sizes: tuple[int, int], seed: int):
    rng = random.Random(seed)
    tiles = [vector(rng, size) for size in sizes]
    left, right = tiles
    both = set(left.stored()) & set(right.stored())
    expected = sum(element(left, index) * element(right, index) for index in both)
    for how in ("", "merge", "gallop", "lookup"):
        assert product(how, tiles)[0] == expected


def test_many_more_entries_are_galloped_through():
    """A few entries among many cost a few searches, in either order."""
    rng = random.Random(1)
    few, many = vector(rng, 3), vector(rng, 400)
    for tiles in ([few, many], [many, few]):
        steps = {how: product(how, tiles)[1] for how in ("", "merge", "gallop")}
        assert steps[""] == steps["gallop"]
        assert steps[""] < 3 * 2 * 9 * 2
        assert steps["merge"] > 300


def test_about_as_many_entries_are_merged():
    rng = random.Random(2)
    tiles = [vector(rng, 100), vector(rng, 120)]
    steps = {how: product(how, tiles)[1] for how in ("", "merge", "gallop")}
    assert steps[""] == steps["merge"]
    assert steps["merge"] < steps["gallop"]
