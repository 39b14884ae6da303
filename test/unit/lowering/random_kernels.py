# Random kernels of one op, as MLIR text with arguments to call them on.
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

LETTERS = "ijk"
MONOIDS = {
    "f64": ["add", "mul", "min", "max"],
    "f32": ["add", "min", "max"],
    "i64": ["add", "mul", "min", "max"],
    "i1": ["and", "or"],
}


@dataclass
class RandomKernel:
    """Source and arguments; `compilable` if nothing in it can fail at run time."""

    text: str
    arguments: list[Any]
    compilable: bool


class Body:
    """Grows a body op by op; `pool` has the names of the values of each type."""

    def __init__(self, choose: random.Random, guarded_divisions: bool):
        self.choose = choose
        self.lines: list[str] = []
        self.pool: dict[str, list[str]] = {}
        self.guarded_divisions = guarded_divisions
        self.divides = False
        self.count = 0

    def new(self, type: str, text: str) -> str:
        name = f"%v{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        self.pool.setdefault(type, []).append(name)
        return name

    def pick(self, type: str) -> str:
        known = self.pool.get(type)
        if known:
            return self.choose.choice(known)
        if type == "i1":
            return self.new("i1", f"arith.constant {self.choose.choice(['true', 'false'])}")
        number = self.choose.randint(-3, 3)
        literal = f"{number}.5" if type.startswith("f") else str(number)
        return self.new(type, f"arith.constant {literal} : {type}")

    def grow(self, floating: str) -> None:
        pick, new, choose = self.pick, self.new, self.choose
        f = floating
        kind = choose.choice(
            ["float", "float", "integer", "integer", "compare", "bool", "convert", "if", "divide"]
        )
        if kind == "float":
            op = choose.choice(["addf", "subf", "mulf", "minimumf", "maximumf", "divf", "negf"])
            if op == "negf":
                new(f, f"arith.negf {pick(f)} : {f}")
            else:
                new(f, f"arith.{op} {pick(f)}, {pick(f)} : {f}")
        elif kind == "integer":
            op = choose.choice(["addi", "subi", "muli", "minsi", "maxsi", "andi", "ori", "xori"])
            new("i64", f"arith.{op} {pick('i64')}, {pick('i64')} : i64")
        elif kind == "compare":
            if choose.random() < 0.5:
                p = choose.choice(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "uge"])
                new("i1", f"arith.cmpi {p}, {pick('i64')}, {pick('i64')} : i64")
            else:
                p = choose.choice(
                    ["oeq", "une", "olt", "ole", "ogt", "oge", "ult", "uge", "one", "ueq", "uno"]
                )
                new("i1", f"arith.cmpf {p}, {pick(f)}, {pick(f)} : {f}")
        elif kind == "bool":
            op = choose.choice(["andi", "ori", "xori"])
            new("i1", f"arith.{op} {pick('i1')}, {pick('i1')} : i1")
        elif kind == "convert":
            op = choose.choice(["sitofp", "fptosi", "extui", "uitofp", "shift", "select", "abs"])
            if op in ("sitofp", "uitofp"):
                new(f, f"arith.{op} {pick('i64')} : i64 to {f}")
            elif op == "fptosi":
                new("i64", f"arith.fptosi {pick(f)} : {f} to i64")
            elif op == "extui":
                new("i64", f"arith.extui {pick('i1')} : i1 to i64")
            elif op == "shift":
                bits = new("i64", f"arith.constant {choose.randint(0, 63)} : i64")
                name = choose.choice(["shli", "shrui", "shrsi"])
                new("i64", f"arith.{name} {pick('i64')}, {bits} : i64")
            elif op == "select":
                type = choose.choice([f, "i64", "i1"])
                new(type, f"arith.select {pick('i1')}, {pick(type)}, {pick(type)} : {type}")
            else:
                new(f, f"math.absf {pick(f)} : {f}")
        elif kind == "if":
            type = choose.choice([f, "i64"])
            op = "arith.subf" if type == f else "arith.subi"
            a, b, c = pick(type), pick(type), pick(type)
            new(
                type,
                f"scf.if {pick('i1')} -> ({type}) {{ %t = {op} {a}, {b} : {type}\n"
                f"scf.yield %t : {type} }} else {{ scf.yield {c} : {type} }}",
            )
        elif self.guarded_divisions:
            self.divides = True
            op = choose.choice(["divsi", "remsi"])
            a, b = pick("i64"), pick("i64")
            zero = new("i64", "arith.constant 0 : i64")
            live = new("i1", f"arith.cmpi ne, {b}, {zero} : i64")
            new(
                "i64",
                f"scf.if {live} -> (i64) {{ %q = arith.{op} {a}, {b} : i64\n"
                f"scf.yield %q : i64 }} else {{ scf.yield {a} : i64 }}",
            )


def random_kernel(seed: int) -> RandomKernel:
    """A kernel of one map or reduce op over up to three dimensions."""
    choose = random.Random(seed)
    rng = np.random.default_rng(seed)
    kind = choose.choice(["indices", "map", "map", "reduce", "reduce", "contraction"])
    op = "map" if kind in ("indices", "map") else "reduce"
    rank = choose.randint(0, 3) if kind != "contraction" else choose.randint(1, 3)
    parallel = rank if op == "map" else choose.randint(0, rank)
    extents = [choose.randint(1, 4) for _ in range(rank)]
    floating = choose.choice(["f64", "f64", "f32"])
    result = choose.choice([floating, floating, "i64", "i1"])
    count = {"indices": 0, "map": choose.randint(1, 3), "reduce": choose.randint(0, 3)}
    inputs: list[tuple[str, list[int]]] = []
    for _ in range(count.get(kind, 2)):
        dimensions = choose.sample(range(rank), choose.randint(0, rank))
        if kind == "contraction":
            dimensions += [d for d in range(parallel, rank) if d not in dimensions]
            choose.shuffle(dimensions)
        inputs.append((choose.choice([floating, "i64", "i1"]), dimensions))
    with_offsets = rank > 0 and choose.random() < 0.5
    offsets = [choose.randint(0, 9) for _ in range(rank)] if with_offsets else []

    arrays = [_array(rng, choose, type, [extents[d] for d in dims]) for type, dims in inputs]
    body = Body(choose, guarded_divisions=choose.random() < 0.3)
    for d in range(rank):
        if choose.random() < 0.7:
            body.new("i64", f"arith.index_cast %i{d} : index to i64")
    for k, (type, _) in enumerate(inputs):
        body.pool.setdefault(type, []).append(f"%e{k}")
    for _ in range(choose.randint(1, 8)):
        body.grow(floating)
    value = body.pick(result)

    space = ", ".join(LETTERS[:rank])
    maps = ", ".join(
        f"affine_map<({space}) -> ({', '.join(LETTERS[d] for d in dims)})>" for _, dims in inputs
    )
    types = [f"tensor<{'?x' * len(dims)}{type}>" for type, dims in inputs]
    is_scalar = op == "reduce" and parallel == 0
    out = result if is_scalar else f"tensor<{'?x' * parallel}{result}>"
    properties: list[str] = []
    if op == "reduce":
        monoid = choose.choice(MONOIDS[result])
        properties += [f'monoid = "{monoid}"', f"parallel = {parallel} : i64"]
    properties.append(f"indexing_maps = [{maps}]")
    segments = f"{len(inputs)}, {rank}, {len(offsets)}, 0"
    properties.append(f"operandSegmentSizes = array<i32: {segments}>")
    operands = [f"%a{k}" for k in range(len(inputs))]
    operands += [f"%n{d}" for d in range(rank)] + [f"%o{d}" for d in range(len(offsets))]
    operand_types = [*types, *["index"] * (rank + len(offsets))]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(operands, operand_types, strict=True))
    block = ", ".join(
        [
            *[f"%i{d}: index" for d in range(rank)],
            *[f"%e{k}: {type}" for k, (type, _) in enumerate(inputs)],
        ]
    )
    lines = "\n".join(body.lines)
    text = f"""func.func private @k({arguments}) -> {out} {{
      %r = "tensor_block.{op}"({", ".join(operands)}) <{{{", ".join(properties)}}}> ({{
      ^body({block}):
        {lines}
        "tensor_block.yield"({value}) : ({result}) -> ()
      }}) : ({", ".join(operand_types)}) -> {out}
      func.return %r : {out}
    }}"""
    return RandomKernel(text, [*arrays, *extents, *offsets], not body.divides)


def _array(rng: Any, choose: random.Random, type: str, extents: list[int]) -> Any:
    """An array at least as large as `extents`, sometimes a view of a larger one."""
    shape = [e + choose.choice([0, 0, 1, 2]) for e in extents]
    if choose.random() < 0.3:
        shape = [s + 1 for s in shape]
    if type == "i64":
        array = rng.integers(-4, 5, shape)
    elif type == "i1":
        array = rng.random(shape) < 0.5
    else:
        dtype = np.float64 if type == "f64" else np.float32
        array = np.round(rng.normal(size=shape) * 4, 1).astype(dtype)
    array = np.asarray(array)
    if shape and choose.random() < 0.3:
        array = array[..., : extents[-1]]
    return array
