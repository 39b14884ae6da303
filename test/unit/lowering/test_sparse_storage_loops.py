# What each op of the sparse_storage dialect means, against what its loops over buffers do.
import random
from collections.abc import Sequence
from typing import Any

import pytest
from stored_tiles import buffers, fits
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, f64
from xdsl.parser import Parser

from diablo.dialects.sparse_storage import LayoutAttr
from diablo.lowering.sparse_storage.region_functions import convert_functions
from diablo.passes.interpreter.interpreted_values import Array
from diablo.passes.interpreter.interpreter import Interpreter
from diablo.passes.interpreter.regions import Buffer
from diablo.registry import new_context

FORMS = ("compressed", "hypersparse", "coordinates", "bitmap", "band", "full")


def layouts(rank: int, rng: random.Random) -> list[LayoutAttr]:
    """Every form, in the usual order and in others."""
    usual = list(range(rank))
    other = rng.sample(usual, rank)
    last = usual[1:] + usual[:1]
    result = [LayoutAttr(form) for form in FORMS]
    for form in FORMS[:4]:
        result.append(LayoutAttr(form, [other]))
        if last != usual:
            result.append(LayoutAttr(form, [usual, last], width=32))
    return result


def random_tile(rng: random.Random, rank: int, form: str) -> Array:
    """A small tile that a form can hold, with some empty rows."""
    dims = tuple(rng.randint(1, 5 if rank < 3 else 3) for _ in range(rank))
    dense = rng.randrange(rank)
    density = {"full": 1.0}.get(form, rng.choice([0.0, 0.2, 0.6]))
    offsets = {rng.randint(-4, 4) for _ in range(3)}
    entries: dict[Any, Any] = {}
    for index in Array(dims, dense, f64).indices():
        kept = index[1] - index[0] in offsets if form == "band" else rng.random() < density
        if kept:
            entries[index] = float(rng.randint(1, 9))
    return Array(dims, dense, f64, entries)


def parse(text: str) -> ModuleOp:
    module = Parser(new_context(), text, "loops.mlir").parse_module()
    module.verify()
    return module


def run_both(text: str, tiles: Sequence[Array], layouts: Sequence[LayoutAttr]) -> list[Any]:
    """The scalar results of @f, which loops over buffers must give too."""
    module = parse(text)
    interpreter = Interpreter(module)
    expected = list(interpreter.call(interpreter.functions["f"], tiles))
    convert_functions(module)
    module.verify()
    function = module.body.block.first_op
    assert isinstance(function, func.FuncOp)
    assert not any(op.name.startswith("sparse_storage.") for op in function.walk())
    given = [b for tile, layout in zip(tiles, layouts, strict=True) for b in buffers(tile, layout)]
    outputs: list[Buffer] = []
    for argument in function.args[len(given) :]:
        assert isinstance(argument.type, MemRefType)
        outputs.append(Buffer((), [None]))
    Interpreter(module).call(function, [*given, *outputs])
    assert [output.elements[0] for output in outputs] == expected
    return expected


def region(rank: int, layout: LayoutAttr) -> str:
    return f"!sparse_storage.region<{rank}, {layout}>"


def tensor(tile: Array) -> str:
    return f"tensor<{'?x' * len(tile.dims)}f64, #tensor_block.storage<dense = {tile.dense}>>"


def program(tile: Array, layout: LayoutAttr, body: str, results: str, types: str) -> str:
    """A function of one tile, %R its region and %a its values."""
    type, array = region(len(tile.dims), layout), tensor(tile)
    return f"""func.func @f(%A: {array}) -> ({types}) {{
      %R, %a = sparse_storage.unpack %A : {array} -> {type}, memref<?xf64>
      %z = arith.constant 1.0 : f64
      %k = arith.constant 3.0 : f64
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      {body}
      func.return {results} : {types}
    }}"""


def digest(rank: int, position: bool = True) -> str:
    """Mixes the indices, the position, the element and the iteration's number: order counts."""
    indices = [f"%i{d}" for d in range(rank)]
    lines = [NUMBERED, "%c = arith.constant 31 : index", "%h0 = arith.muli %acc, %c : index"]
    for d, index in enumerate(indices):
        lines.append(f"%m{d} = arith.addi %h{d}, {index} : index")
        lines.append(f"%h{d + 1} = arith.muli %m{d}, %c : index")
    last = f"%h{rank}"
    if position:
        lines.append(f"%hp = arith.addi {last}, %p : index")
        last = "%hp"
    lines += [
        "%e = sparse_storage.value %a[%p] : memref<?xf64>",
        "%n = arith.fptosi %e : f64 to i64",
        "%ni = arith.index_cast %n : i64 to index",
        f"%mixed = arith.addi {last}, %ni : index",
        "%next = arith.muli %mixed, %acc : index",
        "multiloop.emit %all(%next : index)",
    ]
    return "\n".join(lines)


GENERATORS = "%number: !multiloop.scan<add : index>, %all: !multiloop.reduce<add : index>"
NUMBERED = "%acc = multiloop.emit %number(%one : index)"
"""The number of an iteration."""


def block(rank: int) -> str:
    return f"^bb0({''.join(f'%i{d}: index, ' for d in range(rank))}%p: index, {GENERATORS}):"


CASES = [
    (rank, number, seed)
    for rank in (1, 2, 3)
    for number in range(len(layouts(rank, random.Random(0))))
    for seed in range(2)
]


def case(rank: int, number: int, seed: int) -> tuple[random.Random, Array, LayoutAttr]:
    rng = random.Random(hash((rank, number, seed)))
    layout = layouts(rank, rng)[number]
    form = layout.form.data
    if form == "band" and rank != 2:
        pytest.skip("only a matrix is a band")
    tile = random_tile(rng, rank, form)
    assert fits(form, tile)
    return rng, tile, layout


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("rank", "number", "seed"), CASES)
def test_iterate_in_any_order(rank: int, number: int, seed: int):
    rng, tile, layout = case(rank, number, seed)
    type = region(rank, layout)
    order = rng.sample(range(rank), rank)
    said = rng.choice(["", f"order {order}"])
    backwards = rng.choice(["", "reverse"])
    body = f"""%k1, %s = multiloop.loop stored(%R : {type}) {said} {backwards} -> index, index {{
      {block(rank)}
      {digest(rank)}
      }}
      %size = sparse_storage.size %R : {type}
      %v = multiloop.loop stored(%R : {type}) {backwards} -> f64 {{
      ^bb0({"".join(f"%i{d}: index, " for d in range(rank))}%p: index,
           %sum: !multiloop.reduce<add : f64>):
        %e = sparse_storage.value %a[%p] : memref<?xf64>
        %m = arith.mulf %e, %k : f64
        multiloop.emit %sum(%m : f64)
      }}"""
    text = program(tile, layout, body, "%s, %size, %v", "index, index, f64")
    _, size, _ = run_both(text, [tile], [layout])
    assert size == len(list(tile.stored()))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("rank", "number", "seed"), CASES)
def test_slices(rank: int, number: int, seed: int):
    rng, tile, layout = case(rank, number, seed)
    fixed = sorted(rng.sample(range(rank), rng.randint(1, rank)))
    indices = ["*"] * rank
    constants = ""
    for d in fixed:
        constants += f"%f{d} = arith.constant {rng.randrange(tile.dims[d])} : index\n"
        indices[d] = f"%f{d}"
    rest = rank - len(fixed)
    type = f"!sparse_storage.region<{rest}>"
    order = rng.sample(range(rest), rest)
    body = f"""{constants}
      %S = sparse_storage.slice %R[{", ".join(indices)}] : {region(rank, layout)} -> {type}
      %k1, %s = multiloop.loop stored(%S : {type}) order {order} -> index, index {{
      {block(rest)}
      {digest(rest)}
      }}
      %size = sparse_storage.size %S : {type}"""
    run_both(program(tile, layout, body, "%s, %size", "index, index"), [tile], [layout])


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("rank", "number", "seed"), CASES)
def test_lookups_and_steps(rank: int, number: int, seed: int):
    rng, tile, layout = case(rank, number, seed)
    type = region(rank, layout)
    inside = rng.choice([*tile.stored(), *tile.indices()])
    beyond = [i + rng.choice([0, 0, -7, 7]) for i in inside]
    constants = ""
    for name, index in (("x", inside), ("y", beyond)):
        for d, i in enumerate(index):
            constants += f"%{name}{d} = arith.constant {i} : index\n"

    def lookup(result: str, name: str) -> str:
        indices = ", ".join(f"%{name}{d}" for d in range(rank))
        return f"%{result}, %{result}_found = sparse_storage.lookup %R[{indices}] : {type}"

    d, backwards = rng.randrange(rank), rng.choice(["", "backwards"])
    body = f"""{constants}
      {lookup("p1", "x")}
      {lookup("p2", "y")}
      %k1, %s = multiloop.loop stored(%R : {type}) -> index, index {{
      {block(rank)}
        {NUMBERED}
        %q, %found = sparse_storage.step %R along {d} {backwards} from %p : {type}
        %c = arith.constant 31 : index
        %m = arith.muli %acc, %c : index
        %n = arith.addi %m, %q : index
        %two = arith.constant 2 : index
        %m2 = arith.muli %n, %two : index
        %bit = arith.select %found, %one, %zero : index
        %mixed = arith.addi %m2, %bit : index
        %next = arith.muli %mixed, %acc : index
        multiloop.emit %all(%next : index)
      }}"""
    results = "%p1, %p1_found, %p2, %p2_found, %s"
    text = program(tile, layout, body, results, "index, i1, index, i1, index")
    run_both(text, [tile], [layout])


@pytest.mark.sampled(32)
@pytest.mark.parametrize("form", ["auto", "compressed", "coordinates"])
@pytest.mark.parametrize(("rank", "number", "seed"), CASES[::2])
def test_parts(rank: int, number: int, seed: int, form: str):
    rng, tile, layout = case(rank, number, seed)
    base = region(rank, layout)
    part = region(rank, LayoutAttr(form, [rng.sample(range(rank), rank)]))
    arguments = "".join(f"%i{d}: index, " for d in range(rank))
    body = f"""%T = sparse_storage.region_where %R : {base} -> {part} {{
      ^bb0({arguments}%p: index):
        %e = sparse_storage.value %a[%p] : memref<?xf64>
        %keep = arith.cmpf ogt, %e, %k : f64
        sparse_storage.yield %keep : i1
      }}
      %k1, %s = multiloop.loop stored(%T : {part}) -> index, index {{
      {block(rank)}
      {digest(rank)}
      }}
      %size = sparse_storage.size %T : {part}"""
    text = program(tile, layout, body, "%s, %size", "index, index")
    _, size = run_both(text, [tile], [layout])
    assert size == sum(tile.at(index) > 3 for index in tile.stored())


def test_a_part_of_a_box():
    text = """func.func @f() -> (index, index) {
      %n = arith.constant 4 : index
      %R = sparse_storage.box %n, %n
          : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
      %T = sparse_storage.region_where %R
          : !sparse_storage.region<2, #sparse_storage.layout<form = full>>
          -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed>> {
      ^bb0(%i: index, %j: index, %p: index):
        %keep = arith.cmpi sge, %i, %j : index
        sparse_storage.yield %keep : i1
      }
      %s = multiloop.loop stored(
          %T : !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>) -> index {
      ^bb0(%i: index, %j: index, %p: index, %sum: !multiloop.reduce<add : index>):
        %m = arith.muli %i, %p : index
        multiloop.emit %sum(%m : index)
      }
      %size = sparse_storage.size %T
          : !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
      func.return %s, %size : index, index
    }"""
    assert run_both(text, [], []) == [1 * (1 + 2) + 2 * (3 + 4 + 5) + 3 * (6 + 7 + 8 + 9), 10]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    "how",
    ["union", "intersect", "intersect merge", "intersect gallop", "intersect lookup"],
)
def test_coiterate(seed: int, how: str):
    rng = random.Random(seed)
    rank, count = rng.randint(1, 3), rng.randint(2, 3)
    first = random_tile(rng, rank, "compressed")
    tiles, chosen = list[Array](), list[LayoutAttr]()
    for _ in range(count):
        layout = rng.choice(layouts(rank, rng))
        form = layout.form.data
        entries = {
            index: float(rng.randint(1, 9))
            for index in first.indices()
            if form == "full" or rng.random() < 0.5
        }
        tile = Array(first.dims, rng.randrange(rank), f64, entries)
        if not fits(form, tile):
            layout = LayoutAttr("coordinates")
        tiles.append(tile)
        chosen.append(layout)
    unpacks, arguments = "", list[str]()
    for n, (tile, layout) in enumerate(zip(tiles, chosen, strict=True)):
        arguments.append(f"%A{n}: {tensor(tile)}")
        unpacks += f"""%R{n}, %a{n} = sparse_storage.unpack %A{n} : {tensor(tile)}
            -> {region(rank, layout)}, memref<?xf64>\n"""
    types = ", ".join(region(rank, layout) for layout in chosen)
    names = [*(f"%i{d}: index" for d in range(rank)), *(f"%p{n}: index" for n in range(count))]
    names += [*(f"%in{n}: i1" for n in range(count)), GENERATORS]
    lines, last = [NUMBERED, "%c = arith.constant 31 : index"], "%acc"
    for d in range(rank):
        lines += [
            f"%x{d} = arith.muli {last}, %c : index",
            f"%y{d} = arith.addi %x{d}, %i{d} : index",
        ]
        last = f"%y{d}"
    for n in range(count):
        lines += [
            f"%t{n} = scf.if %in{n} -> (index) {{ scf.yield %p{n} : index }}"
            f" else {{ scf.yield %far : index }}",
            f"%u{n} = arith.muli {last}, %c : index",
            f"%v{n} = arith.addi %u{n}, %t{n} : index",
        ]
        last = f"%v{n}"
    text = f"""func.func @f({", ".join(arguments)}) -> index {{
      {unpacks}
      %one = arith.constant 1 : index
      %far = arith.constant 1000 : index
      %k1, %s = multiloop.loop {how}({", ".join(f"%R{n}" for n in range(count))} : {types})
          -> index, index {{
      ^bb0({", ".join(names)}):
        {" ".join(lines)}
        %next = arith.muli {last}, %acc : index
        multiloop.emit %all(%next : index)
      }}
      func.return %s : index
    }}"""
    run_both(text, tiles, chosen)
