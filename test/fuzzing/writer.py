"""Random well-typed programs, with values for their inputs.

A program declares inputs, builds arrays, lists and maps by comprehensions, declares regions and
arrays over them, changes all that in loops, branches and `while`, and returns it. It means one
thing only: an element is assigned once per statement, and numbers are multiples of 1/4, so that
sums are exact.

    write_program(7)    ->   RandomProgram(text, inputs)
"""

from __future__ import annotations

from random import Random
from typing import Literal

import numpy as np
import scipy.sparse as sparse

from fuzzing import region_loops
from fuzzing.draft import Draft, Families
from fuzzing.driver_loops import driver_program
from fuzzing.groups import nested_total
from fuzzing.list_reads import list_reads
from fuzzing.long_lists import long_list
from fuzzing.loops import loop
from fuzzing.model import (
    COMPLEX,
    FEATURES,
    MONOIDS,
    NARROW,
    SOURCE_TYPES,
    ArrayVariable,
    Columns,
    ComplexArray,
    Element,
    Function,
    ListVariable,
    NarrowArray,
    RandomProgram,
    Scope,
)
from fuzzing.qualifiers import tuple_of
from fuzzing.region_loops import declare_regions
from fuzzing.region_twins import region_statement, region_twins
from fuzzing.scalars import number_type, scalar, value_type
from fuzzing.sequences import sequence
from fuzzing.values import (
    array_of,
    array_slice,
    array_variable,
    list_array,
    list_variable,
    map_variable,
    running_array,
    simple_array,
    stepped_table,
    table,
    total,
    whole_arrays,
)

_PERCENT = {"regions": 40, "nested totals": 35}
"""How many of 100 programs have a part of the language that is tested more than others."""

FAMILIES = Families(
    read=region_loops.read,
    condition=region_loops.condition,
    nested_total=nested_total,
    generator=region_loops.generator,
    head=region_loops.head,
    write=region_loops.write,
)
"""What writes each family of syntax, regions included."""

_LOOPS_EACH = 8
"""Of so many programs one is a loop of the driver, if no family is asked for."""

Family = Literal["loops", "others"]
"""What programs are about: loops of the driver over its own arrays, or all of the language."""

WORDS = ("a", "b", "ab", "B", "a b", "", "ba ab")


def program(draft: Draft) -> RandomProgram:
    """The program."""
    declare_inputs(draft)
    declare_monoids(draft)
    for _ in range(draft.count(1, 2)):
        simple_array(draft)
    if draft.chance(40):
        scalar_variable(draft)
    if draft.uses("functions"):
        function(draft)
    if draft.uses("records", 60) or draft.uses("tuples", 60):
        structured_variable(draft)
    if draft.uses("maps"):
        map_variable(draft)
    if draft.uses("arrays of arrays"):
        table(draft)
        if draft.chance(60):
            stepped_table(draft)
    if draft.uses("arrays of lists"):
        list_array(draft)
    if draft.uses("regions"):
        declare_regions(draft)
        if draft.chance(50):
            region_twins(draft)
    for _ in range(draft.pick((1, 1, 2, 2, 3))):
        region_statement(draft) if draft.regions and draft.chance(60) else statement(draft)
    if draft.uses("sequential loops"):
        sequence(draft)
    if draft.chance(30):
        long_list(draft)
    if draft.chance(15):
        list_reads(draft)
    results = [
        *draft.twins,
        *(a.name for a in draft.arrays if a.name not in draft.inputs),
        *(a.name for a in draft.over),
        *(r.text for r in draft.regions),
        *(v.name for v in draft.lists if v.name not in draft.inputs),
        *(m.name for m in draft.maps if m.name not in draft.inputs),
        *draft.tables,
        *(a.name for a in draft.list_arrays),
        *(name for name, _ in draft.scalars),
        *(name for name, _ in draft.pairs),
    ]
    draft.lines.append(f"{tuple_of(results)};")
    text = "\n".join(draft.lines) + "\n"
    return RandomProgram(text, draft.inputs, tuple(sorted(draft.features)))


# ---- declarations ----------------------------------------------------------------------


def declare_inputs(draft: Draft) -> None:
    """Sizes, arrays and lists that the caller gives."""
    sizes = {"n": draft.count(1, 5), "m": draft.count(1, 4)}
    if draft.chance(30):
        sizes["m"] = sizes["n"]
    for name, size in sizes.items():
        draft.lines.append(f"input {name}: Int;")
        draft.inputs[name] = size
    numbers = np.random.default_rng(draft.count(0, 1000))
    for _ in range(draft.count(0, 2)):
        input_array(draft, sizes, numbers)
    for _ in range(draft.count(0, 2)):
        input_list(draft, numbers)
    if "narrow types" in draft.features:
        for _ in range(draft.count(1, 3)):
            narrow_array(draft, sizes, numbers)
    if "complex numbers" in draft.features:
        for _ in range(draft.count(1, 3)):
            complex_array(draft, sizes, numbers)
    draft.globals.values["Int"] += ["n", "m"]


def input_array(draft: Draft, sizes: dict[str, int], numbers: np.random.Generator) -> None:
    """An array that the caller gives."""
    dims = tuple(draft.pick(("n", "n", "m")) for _ in range(draft.pick((1, 2, 2, 3))))
    shape = tuple(sizes[dim] for dim in dims)
    element, name = number_type(draft), draft.fresh("A")
    kind = {1: "vector", 2: "matrix"}.get(len(dims), f"array{len(dims)}")
    draft.lines.append(f"input {name}: {kind}[{element}];")
    data = numbers.integers(-4, 5, shape)
    values = data if element == "Int" else data * 0.25
    if len(dims) == 2 and draft.chance(40):
        values = sparse.csr_array(values * (numbers.random(shape) < 0.5))
    draft.inputs[name] = values
    draft.arrays.append(ArrayVariable(name, dims, element))


def narrow_array(draft: Draft, sizes: dict[str, int], numbers: np.random.Generator) -> None:
    """An array that the caller gives, of integers all over a type: sums of them wrap around."""
    dims = tuple(draft.pick(("n", "n", "m")) for _ in range(draft.pick((1, 2))))
    shape = tuple(sizes[dim] for dim in dims)
    row, name = draft.pick(NARROW), draft.fresh("N")
    low, high = row.limits
    values = numbers.integers(low, high, shape, np.dtype(row.dtype), endpoint=True)
    if len(dims) == 2 and draft.chance(40):
        values = sparse.csr_array(
            np.where(numbers.random(shape) < 0.5, values, values.dtype.type(0))
        )
    draft.lines.append(f"input {name}: {['vector', 'matrix'][len(dims) - 1]}[{row.name}];")
    draft.inputs[name] = values
    draft.narrow.append(NarrowArray(name, dims, row.name))
    if draft.chance(60):
        made, indices = draft.fresh("N"), ["i", "j"][: len(dims)]
        sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, dims, strict=True))
        read = f"{name}[{','.join(indices)}]"
        value = draft.pick((f"{read} + to{row.name}(i)", f"{read}*{read}", f"max({read}, 3)"))
        draft.declare(
            made, f"tensor*({','.join(dims)})[ ({tuple_of(indices)},{value}) | {sources} ]"
        )
        draft.narrow.append(NarrowArray(made, dims, row.name))


def complex_array(draft: Draft, sizes: dict[str, int], numbers: np.random.Generator) -> None:
    """An array that the caller gives, of complex numbers with small integers for parts."""
    dims = tuple(draft.pick(("n", "n", "m")) for _ in range(draft.pick((1, 2))))
    shape = tuple(sizes[dim] for dim in dims)
    row, name = draft.pick(COMPLEX), draft.fresh("Z")
    values = numbers.integers(-3, 4, shape) + 1j * numbers.integers(-3, 4, shape)
    values = values.astype(row.dtype)
    if len(dims) == 2 and draft.chance(40):
        values = sparse.csr_array(
            np.where(numbers.random(shape) < 0.5, values, values.dtype.type(0))
        )
    draft.lines.append(f"input {name}: {['vector', 'matrix'][len(dims) - 1]}[{row.name}];")
    draft.inputs[name] = values
    draft.complex.append(ComplexArray(name, dims, row.name))
    indices = ["i", "j"][: len(dims)]
    at = tuple_of(indices)
    if draft.chance(60):
        made = draft.fresh("Z")
        sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(indices, dims, strict=True))
        read = f"{name}[{','.join(indices)}]"
        value = draft.pick((f"{read} + i", f"{read}*{read}", f"conj({read})*1j", f"{read} - 2.5"))
        draft.declare(made, f"tensor*({','.join(dims)})[ ({at},{value}) | {sources} ]")
        draft.complex.append(ComplexArray(made, dims, row.name))
    if draft.chance(40):
        sign = draft.pick(("<-", "<="))
        test = draft.pick(("", ", z != 0", ", z == conj(z)"))
        draft.declare(draft.fresh("t"), f"+/[ z*z | ({at},z) {sign} {name}{test} ]")
    if len(dims) == 2 and draft.chance(30):
        draft.declare(draft.fresh("P"), f"{name} @ {name}.t")


def input_list(draft: Draft, numbers: np.random.Generator) -> None:
    """A list that the caller gives."""
    kinds: tuple[Columns, ...] = (
        ("Int", "Double"),
        ("Int", "Int"),
        ("Int", "Int", "Double"),
        ("Int",),
    )
    if "strings" in draft.features:
        kinds = (*kinds[:2], ("String", "Int"), ("String",), ("Int", "String", "Double"))
    columns, name = draft.pick(kinds), draft.fresh("L")
    draft.lines.append(f"input {name}: list[{tuple_of(list(columns))}];")

    def cell(column: Element) -> int | float | str:
        if column == "String":
            return WORDS[int(numbers.integers(len(WORDS)))]
        if column == "Int":
            return int(numbers.integers(-1, 5))
        return float(numbers.integers(-4, 5)) * 0.25

    rows = [tuple(cell(column) for column in columns) for _ in range(draft.count(0, 7))]
    draft.inputs[name] = rows if len(columns) > 1 else [row[0] for row in rows]
    draft.lists.append(ListVariable(name, columns))


def declare_monoids(draft: Draft) -> None:
    """One or two monoids of the program's own."""
    if not draft.uses("monoids"):
        return
    usable = [m for m in MONOIDS if m.type in ("Pair", "Int", "Double")]
    usable += [m for m in MONOIDS if m.type == "String" and "strings" in draft.features]
    usable += [m for m in MONOIDS if m.type == "Boolean" and "booleans" in draft.features]
    draft.monoids = draft.shuffled(usable)[: draft.count(1, 2)]
    for monoid in draft.monoids:
        type = SOURCE_TYPES[monoid.type]
        draft.lines.append(f"monoid {monoid.name}({type}) = {monoid.definition};")


def scalar_variable(draft: Draft) -> None:
    """A scalar with a constant in it."""
    name, element = draft.fresh("s"), value_type(draft)
    first = {"Int": "1", "Double": "0.5", "Boolean": "true", "String": '"a"'}[element]
    draft.declare(name, first)
    draft.scalars.append((name, element))
    draft.globals.values[element].append(name)


def structured_variable(draft: Draft) -> None:
    """A tuple or a record of numbers."""
    name = draft.fresh("p")
    parts = scalar(draft, Scope(), "Int", 1), scalar(draft, Scope(), "Double", 1)
    if "records" in draft.features and ("tuples" not in draft.features or draft.chance(50)):
        draft.declare(name, f"<a = ({parts[0]}), b = ({parts[1]})>")
        fields = (f"{name}.a", f"{name}.b")
    else:
        draft.declare(name, f"({parts[0]}, {parts[1]})")
        fields = (f"{name}._1", draft.pick((f"{name}._2", f"{name}#2")))
    draft.globals.values["Int"].append(fields[0])
    draft.globals.values["Double"].append(fields[1])
    # Its parts are assigned to like variables.
    draft.scalars.append((fields[0], "Int"))
    draft.scalars.append((fields[1], "Double"))


def function(draft: Draft) -> None:
    """A function of scalars."""
    if draft.chance(30):
        name = draft.fresh("twice")
        draft.lines.append(
            f"def {name}(f: Double -> Double, x: Double): Double = f(f(x)) - f(0.5);"
        )
        draft.functions.append(Function(name, ("Double",), "Double"))
        return
    name, result = draft.fresh("f"), value_type(draft)
    columns: Columns = tuple(value_type(draft) for _ in range(draft.count(1, 2)))
    scope, names = Scope(), [draft.fresh("p") for _ in columns]
    for parameter, column in zip(names, columns, strict=True):
        scope.values[column].append(parameter)
    given = ", ".join(f"{p}: {c}" for p, c in zip(names, columns, strict=True))
    body = scalar(draft, scope, result)
    draft.lines.append(f"def {name}({given}): {result} = {body};")
    draft.functions.append(Function(name, columns, result))


# ---- statements ------------------------------------------------------------------------


def statement(draft: Draft) -> None:
    """One statement at the top of the program."""
    kind = draft.count(1, 100)
    if draft.uses("slices", 25):
        array_slice(draft)
    elif draft.uses("maps", 15):
        map_variable(draft)
    elif kind <= 30:
        array_variable(draft)
    elif kind <= 44:
        list_variable(draft)
    elif kind <= 54:
        total(draft)
    elif kind <= 60:
        whole_arrays(draft)
    elif kind <= 84:
        draft.lines.append(loop(draft))
    elif kind <= 92:
        repeat(draft)
    else:
        condition = draft.condition(draft.globals.copy())
        otherwise = f" else {{ {step(draft)} }}" if draft.chance(50) else ""
        draft.lines.append(f"if ({condition}) {{ {step(draft)} }}{otherwise};")


def repeat(draft: Draft) -> None:
    """A loop whose steps follow each other."""
    counter, times = draft.fresh("k"), draft.count(1, 3)
    ordered = draft.uses("ordered loops", 60)
    if not ordered:
        draft.lines.append(f"var {counter} = 0;")
    draft.globals.values["Int"].append(counter)
    body = " ".join(step(draft) for _ in range(draft.count(1, 2)))
    if ordered:
        draft.globals.values["Int"].remove(counter)
        bounds = draft.pick((f"1, {times}", f"{times}, 1, -1", "0, n-1", "1, m, 2"))
        draft.lines.append(f"for {counter} = {bounds} do {{ {body} }};")
    else:
        draft.lines.append(f"while ({counter} < {times}) {{ {counter} += 1; {body} }};")


def step(draft: Draft) -> str:
    """A statement that declares nothing."""
    kind = draft.count(1, 100)
    owned = [
        a for a in draft.arrays if a.name not in draft.inputs and set(a.dims) <= {"n", "m", "4"}
    ]
    numbers = [array for array in owned if array.element in ("Int", "Double")]
    if numbers and draft.uses("running totals", 30):
        array = draft.pick(numbers)
        return f"{array.name} = {running_array(draft, array)};"
    if kind <= 70 or not draft.arrays:
        return loop(draft)
    if kind <= 85 and draft.scalars:
        name, element = draft.pick(draft.scalars)
        return f"{name} = {scalar(draft, draft.globals.copy(), element)};"
    if not owned:
        return loop(draft)
    array = draft.pick(owned)
    return f"{array.name} = {array_of(draft, array.dims, array.element)};"


def write_program(seed: int, family: Family | None = None) -> RandomProgram:
    """The program of a seed: the same one each time."""
    random = Random(seed)
    if family == "loops" or (family is None and seed % _LOOPS_EACH == _LOOPS_EACH - 1):
        return driver_program(Draft(random, (), FAMILIES))
    features: list[str] = []
    if random.randrange(100) < 75:
        features = [f for f in FEATURES if random.randrange(100) < _PERCENT.get(f, 20)]
    return program(Draft(random, features, FAMILIES))
