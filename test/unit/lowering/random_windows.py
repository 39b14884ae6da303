# Kernels that read their inputs beside the point, chosen at random, as IR text with arguments.
import random
from typing import Any

import numpy as np
from random_kernels import MONOIDS, Body, RandomKernel


def _access(choose: random.Random, rank: int, symbols: int) -> str:
    terms = [
        f"d{d} * {choose.choice([1, 1, 1, -1, 2])}"
        for d in choose.sample(range(rank), choose.choice([0, 1, 1, 1, min(2, rank)]))
    ]
    if symbols and choose.random() < 0.3:
        terms.append(f"s{choose.randrange(symbols)}")
    if choose.random() < 0.6 or not terms:
        terms.append(str(choose.choice([-2, -1, 1, 2, 3])))
    return " + ".join(terms)


def _box(choose: random.Random, rank: int) -> tuple[list[str], str]:
    """Tests of the indices against arguments and constants, as one condition."""
    lines: list[str] = []
    condition = ""
    for number in range(choose.randint(1, 3)):
        d = choose.randrange(rank)
        bound = choose.choice([f"%n{d}", "%low"])
        index = f"%i{d}"
        if choose.random() < 0.5:
            lines.append(f"%c{number} = arith.constant {choose.randint(-1, 2)} : index")
            lines.append(f"%x{number} = arith.addi %i{d}, %c{number} : index")
            index = f"%x{number}"
        test = choose.choice(["sge", "sgt", "slt", "sle", "eq"])
        sides = [index, bound]
        choose.shuffle(sides)
        lines.append(f"%t{number} = arith.cmpi {test}, {sides[0]}, {sides[1]} : index")
        if condition:
            lines.append(f"%u{number} = arith.andi {condition}, %t{number} : i1")
            condition = f"%u{number}"
        else:
            condition = f"%t{number}"
    return lines, condition


def random_window_kernel(seed: int) -> RandomKernel:
    """A map or reduction of up to three dimensions whose inputs are read at linear indices."""
    choose = random.Random(seed)
    rng = np.random.default_rng(seed)
    kind = choose.choice(["map", "map", "reduce"])
    rank = choose.randint(1, 3)
    parallel = rank if kind == "map" else choose.randint(0, rank - 1)
    extents = [choose.randint(1, 5) for _ in range(rank)]
    fixed = [d >= parallel and choose.random() < 0.5 for d in range(rank)]
    symbols = choose.randint(0, 2)
    count = choose.randint(1, 3)
    types = [choose.choice(["f64", "f64", "i64", "i1"]) for _ in range(count)]
    ranks = [choose.randint(1, 3) for _ in range(count)]
    result = choose.choice(["f64", "i64", "i1"])
    offsets = [choose.randint(0, 3) for _ in range(rank)] if choose.random() < 0.5 else []
    accesses = [[_access(choose, rank, symbols) for _ in range(axes)] for axes in ranks]
    picks = {f"d{d} * 1": d for d in range(rank)}
    arrays: list[Any] = []
    for type, access in zip(types, accesses, strict=True):
        shape = [choose.randint(1, 6) for _ in access]
        if len(set(access)) == len(access) and all(text in picks for text in access):
            # An input that picks dimensions is as large as they are.
            shape = [extents[picks[text]] + choose.randint(0, 1) for text in access]
        drawn = rng.integers(-4, 5, shape)
        arrays.append(drawn.astype({"f64": np.float64, "i64": np.int64, "i1": np.bool_}[type]))
    body = Body(choose, guarded_divisions=False)
    for d in range(rank):
        body.new("i64", f"arith.index_cast %i{d} : index to i64")
    for k, type in enumerate(types):
        body.pool.setdefault(type, []).append(f"%e{k}")
    for _ in range(choose.randint(1, 5)):
        body.grow("f64")
    value = body.pick(result)
    lines = list(body.lines)
    if choose.random() < 0.6:
        tests, condition = _box(choose, rank)
        fitting = [f"%e{k}" for k, type in enumerate(types) if type == result]
        other = choose.choice([*fitting, "%rest"])
        zero = {"f64": "0.0 : f64", "i64": "0 : i64", "i1": "false"}[result]
        lines = [
            *tests,
            f"%v = scf.if {condition} -> ({result}) {{",
            *lines,
            f"scf.yield {value} : {result} }} else {{",
            f"%rest = arith.constant {zero}",
            f"scf.yield {other} : {result} }}",
        ]
        value = "%v"
    space = ", ".join(f"d{d}" for d in range(rank))
    named = f"[{', '.join(f's{s}' for s in range(symbols))}]" if symbols else ""
    maps = [f"affine_map<({space}){named} -> ({', '.join(access)})>" for access in accesses]
    kinds = [f"tensor<{'?x' * axes}{type}>" for type, axes in zip(types, ranks, strict=True)]
    names = [f"%a{k}" for k in range(count)]
    sizes = [f"%k{d}" if fixed[d] else f"%n{d}" for d in range(rank)]
    places = [f"%o{d}" for d in range(len(offsets))]
    shifts = [f"%s{s}" for s in range(symbols)]
    arguments = [f"{n}: {t}" for n, t in zip(names, kinds, strict=True)]
    indices = [*[f"%n{d}" for d in range(rank)], *places, *shifts, "%low"]
    arguments += [f"{name}: index" for name in indices]
    out = result if not parallel else f"tensor<{'?x' * parallel}{result}>"
    properties = [
        f"indexing_maps = [{', '.join(maps)}]",
        f"operandSegmentSizes = array<i32: {count}, {rank}, {len(offsets)}, {symbols}>",
    ]
    if kind == "reduce":
        monoid = choose.choice(MONOIDS[result])
        properties += [f'monoid = "{monoid}"', f"parallel = {parallel} : i64"]
    operands = [*names, *sizes, *places, *shifts]
    operand_types = [*kinds, *["index"] * (len(operands) - count)]
    block = [f"%i{d}: index" for d in range(rank)]
    block += [f"%e{k}: {type}" for k, type in enumerate(types)]
    constants = "\n".join(
        f"%k{d} = arith.constant {extents[d]} : index" for d in range(rank) if fixed[d]
    )
    newline = "\n"
    text = f"""func.func private @k({", ".join(arguments)}) -> {out} {{
      {constants}
      %r = "tensor_block.{kind}"({", ".join(operands)}) <{{{", ".join(properties)}}}> ({{
      ^body({", ".join(block)}):
        {newline.join(lines)}
        "tensor_block.yield"({value}) : ({result}) -> ()
      }}) : ({", ".join(operand_types)}) -> {out}
      func.return %r : {out}
    }}"""
    shift_values = [choose.randint(-2, 4) for _ in range(symbols)]
    numbers = [*extents, *offsets, *shift_values, choose.randint(-1, 4)]
    return RandomKernel(text, [*arrays, *numbers], True)
