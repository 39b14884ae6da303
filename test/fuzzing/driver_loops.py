"""Writes random programs whose loops go over arrays that stay with the driver.

Such a loop is one call of machine code, whose kernels are a part of it or jobs that threads share.

    while (k < steps && s < 4.0) {
      var w3 = a1*(A1 @ x2) - 0.5*x2;
      x2 = tensor*(n)[ (i4, settledDouble(w3[i4])) | i4 <- 0..n-1 ];
      a1 = 0.5 - 0.25*k;
      k += 1;
    };

A counter bounds each loop. What a block changes of the variables around it is of standard amount at
its end (`driver_model`), so numbers stay exact however often it runs. Some programs are loose:
their numbers are rounded, and decide nothing.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sparse

from fuzzing.draft import Draft
from fuzzing.driver_elements import (
    condition,
    leaf,
    literal,
    number,
    read,
    reduction,
    settled,
    settled_functions,
    subscript,
)
from fuzzing.driver_model import (
    KINDS,
    STANDARD,
    Amount,
    DriverArray,
    Kind,
    LoopScope,
    random_elements,
)
from fuzzing.driver_values import Dims, array_value, settled_array, tensor
from fuzzing.model import RandomProgram

_MAIN = ("Double",) * 6 + ("Float", "Complex128", "Complex128", "Complex64", "Int", "Int32", "Int8")
_BESIDE = ("Int", "Int", "Boolean", "Boolean", "Double", "Int8", "UInt8", "Float")
_WIDEST_IMAGE = 4
"""How long images are at most, whose points the interpreter goes through one by one."""
_SIZES = (1, 2, 3, 3, 4, 4, 5, 6, 7, 9)


def driver_program(draft: Draft) -> RandomProgram:
    """The program."""
    scope = _scope(draft)
    _declare_inputs(scope)
    _declare_variables(scope)
    for _ in range(2 if draft.chance(15) else 1):
        draft.lines += _outermost(scope)
    carried = [a.name for a in scope.arrays if not a.is_input]
    results = carried + [name for names in scope.scalars.values() for name in names]
    if draft.chance(10) and len(results) > 2:  # What nobody reads may be left out of the loop.
        results = draft.shuffled(results)[: draft.count(2, len(results))]
    draft.lines.append(f"({', '.join([*results, 'k'])});")
    return RandomProgram("\n".join(draft.lines) + "\n", draft.inputs, ("driver loops",))


# ---- declarations --------------------------------------------------------------------------


def _scope(draft: Draft) -> LoopScope:
    main = KINDS[draft.pick(_MAIN)]
    beside = {KINDS[draft.pick(_BESIDE)]: None for _ in range(draft.count(0, 2))}
    kinds = [main, *(kind for kind in beside if kind != main)]
    if main.domain == "complex" and draft.chance(50):
        kinds += [KINDS[main.real]] if KINDS[main.real] not in kinds else []
    is_loose = main.name in ("Double", "Complex128") and draft.chance(20)
    if is_loose:
        # A number that is rounded decides nothing of integers and truth values.
        kinds = [k for k in kinds if k.name in (main.name, "Boolean", "Int")]
    return LoopScope(draft, kinds, is_loose, counters=["k"])


def _declare_inputs(scope: LoopScope) -> None:
    draft, main = scope.draft, scope.kinds[0]
    sizes = {"n": draft.pick(_SIZES), "m": draft.pick(_SIZES)}
    if draft.chance(2):
        sizes["n"] = 0
    # No number of steps that is an extent as well, or it would have to be one of longer arrays.
    steps = draft.pick([k for k in (0, 1, 2, 2, 3, 3, 4, 5) if k not in sizes.values()])
    for name, size in {**sizes, "steps": steps}.items():
        draft.lines.append(f"input {name}: Int;")
        draft.inputs[name] = size
    numbers = np.random.default_rng(draft.count(0, 100_000))

    def given(dims: Dims, kind: Kind, *, is_sparse: bool = False) -> None:
        name = draft.fresh("S" if is_sparse else "A" if len(dims) == 2 else "x")
        shape = tuple(sizes[dim] for dim in dims)
        values = random_elements(numbers, shape, kind)
        if is_sparse:
            kept = numbers.random(shape) < draft.pick((0.1, 0.4, 0.7))
            values = sparse.csr_array(np.where(kept, values, values.dtype.type(0)))
        elif kind.domain == "float" and draft.chance(4) and values.size:
            values.flat[draft.count(0, values.size - 1)] = draft.pick((np.inf, np.nan))
        word = "vector" if len(dims) == 1 else "matrix"
        draft.lines.append(f"input {name}: {word}[{kind.name}];")
        draft.inputs[name] = values
        array = DriverArray(name, dims, kind, is_sparse=is_sparse, is_input=True)
        scope.arrays.append(array)

    for _ in range(draft.count(1, 2)):
        given((draft.pick(("n", "n", "n", "m")),), main)
    if main.domain != "boolean":
        for _ in range(draft.pick((1, 1, 1, 2))):
            given(draft.pick((("n", "n"), ("n", "n"), ("n", "m"), ("m", "n"))), main)
        if draft.chance(30):
            given(draft.pick((("n", "n"), ("n", "n"), ("n", "m"))), main, is_sparse=True)
    for kind in scope.kinds[1:]:
        dims = draft.pick((("n",), ("n",), ("m",), ("n", "m")))
        given(dims, kind)
    draft.lines += settled_functions(scope)


def _declare_variables(scope: LoopScope) -> None:
    """What the loops carry: arrays, of which two may begin as one, and numbers."""
    draft, main = scope.draft, scope.kinds[0]
    draft.lines.append("var k = 0;")
    inputs = [a for a in scope.arrays if not a.is_sparse]
    for array in inputs:
        for _ in range(draft.pick((0, 1, 1, 2) if array.kind == main else (0, 1, 1))):
            carried = replace(array, name=draft.fresh("X"), is_input=False)
            source = array.name
            if draft.chance(25):
                names = [draft.fresh("i") for _ in array.dims]
                value = read(scope, array, dict(zip(names, array.dims, strict=True)))
                source = tensor(array.dims, names, value.text)
            draft.declare(carried.name, source)
            scope.arrays.append(carried)
    if not any(a for a in scope.arrays if not a.is_input):
        source = inputs[0]
        scope.arrays.append(replace(source, name=draft.fresh("X"), is_input=False))
        draft.declare(scope.arrays[-1].name, source.name)
    if main.domain != "boolean" and draft.chance(35):
        _declare_windows(scope)
    for kind in dict.fromkeys([*scope.kinds, KINDS[main.real]] if main.real else scope.kinds):
        scope.scalars[kind.name] = []
        for _ in range(draft.count(1, 2)):
            name = draft.fresh({"boolean": "b", "integer": "p"}.get(kind.domain, "a"))
            scope.scalars[kind.name].append(name)
            first = literal(kind, draft.pick((0.5, 1.0, 0.25)))
            draft.declare(name, first)
    if draft.chance(25):
        scope.divisor = draft.fresh("h")
        draft.declare(scope.divisor, draft.pick(("1", "2", "3", "n")))
        scope.scalars.setdefault("Int", []).append(scope.divisor)


def _declare_windows(scope: LoopScope) -> None:
    """Weights of windows, and images with channels."""
    draft, main = scope.draft, scope.kinds[0]
    shapes: list[Dims] = [draft.pick((("3",), ("3", "3")))]
    if draft.inputs["n"] <= _WIDEST_IMAGE and draft.chance(65):
        shapes = [("2", "2", "3", "2"), ("2", "2", "n", "n")]
    for dims in shapes:
        names = [draft.fresh("i") for _ in dims]
        indices = dict(zip(names, dims, strict=True))
        array = DriverArray(draft.fresh("W"), dims, main)
        value = read(scope, draft.pick(scope.some(main)), indices)
        if draft.chance(50):
            value = leaf(scope, main, indices)
        # Rows of it would be dropped where there is nothing to be read.
        draft.declare(array.name, tensor(dims, names, settled(main, value).text))
        scope.arrays.append(array)


# ---- loops ---------------------------------------------------------------------------------


def _outermost(scope: LoopScope) -> list[str]:
    draft = scope.draft
    lines = list[str]()
    tests = [f"k < {draft.pick(('steps', 'steps', 'steps', '3'))}"]
    if draft.chance(35):
        tests.append(_end(scope))
    body = _block(scope.block(), draft.count(2, 5))
    step = ["k += 1;"]
    body = [*step, *body] if draft.chance(15) else [*body, *step]
    lines.append(f"while ({' && '.join(tests)}) {{")
    lines += [f"  {line}" for line in body]
    lines.append("};")
    if draft.chance(50):
        lines.append("k = 0;")
    return lines


def _end(scope: LoopScope) -> str:
    """A test of what the loop carries, which may end it before its counter does."""
    draft = scope.draft
    floats = [kind for kind in scope.kinds if kind.domain == "float"]
    if floats and not scope.is_loose and draft.chance(65):
        kind = draft.pick(floats)
        vectors = [a for a in scope.some(kind, 1) if not a.is_input]
        most = literal(kind, draft.pick((0.0, 4.0, 64.0)))
        if vectors and draft.chance(30):
            name = draft.pick(vectors).name
            return f"{draft.pick((f'sqrt({name} @ {name})', f'{name} @ {name}'))} > {most}"
        if vectors and draft.chance(40):
            return f"max/[ abs(v) | (i,v) <- {draft.pick(vectors).name} ] {draft.pick('<>')} {most}"
        return f"{draft.pick(scope.scalars[kind.name])} {draft.pick(('<', '!='))} {most}"
    truths = [a for a in scope.some(KINDS["Boolean"], 1) if not a.is_input]
    if truths and draft.chance(70):
        source = f"[ v | (i,v) <- {draft.pick(truths).name} ]"
        return draft.pick((f"||/{source}", f"!(&&/{source})"))
    return condition(scope, {}, 1)


def _block(scope: LoopScope, statements: int) -> list[str]:
    """Some statements, and what makes standard amounts of the arrays of others that they change."""
    outside = [(array, array.amount) for array in scope.arrays]
    lines: list[str] = []
    for _ in range(statements):
        lines += _statement(scope)
    for array, before in outside:
        if not array.amount.is_within(before | STANDARD):
            if not scope.is_loose:
                lines.append(f"{array.name} = {settled_array(scope, array)};")
            array.amount = STANDARD
    return lines


def _owned(scope: LoopScope) -> list[DriverArray]:
    return [a for a in scope.arrays if not a.is_input]


def _statement(scope: LoopScope) -> list[str]:
    draft = scope.draft
    which = draft.count(1, 100)
    if which <= 34:
        return [_assign(scope, draft.pick(_owned(scope)))]
    if which <= 52:
        return [_new(scope)]
    if which <= 68:
        return [_scalar(scope)]
    if which <= 77:
        return [_write(scope)]
    if which <= 83:
        return _swap(scope)
    if which <= 88:
        return _chosen(scope)
    if which <= 95 and scope.depth <= 2:
        return _branches(scope)
    if scope.depth <= 2:
        return _inner(scope)
    return [_assign(scope, draft.pick(_owned(scope)))]


def _assign(scope: LoopScope, array: DriverArray) -> str:
    value = array_value(scope, array.dims, array.kind)
    array.amount = value.amount if array.kind.is_rounded else STANDARD
    return f"{array.name} = {value.text};"


def _new(scope: LoopScope) -> str:
    """An array of the iteration."""
    draft = scope.draft
    kind = scope.kinds[0] if draft.chance(75) else draft.pick(scope.kinds)
    dims = draft.pick([a.dims for a in scope.some(kind)] or [("n",)])
    if len(dims) == 2 and draft.chance(50):
        dims = draft.pick((("n", "n"), ("n",), ("m",), dims))
    value = array_value(scope, dims, kind)
    amount = value.amount if kind.is_rounded else STANDARD
    array = DriverArray(draft.fresh("Y"), dims, kind, amount)
    scope.arrays.append(array)
    return f"var {array.name} = {value.text};"


def _scalar(scope: LoopScope) -> str:
    """A number that the loop carries."""
    draft = scope.draft
    name = draft.pick([name for names in scope.scalars.values() for name in names])
    (kind,) = [KINDS[k] for k, names in scope.scalars.items() if name in names]
    k = draft.pick(scope.counters)
    if name == scope.divisor:
        steps = (f"{name} - 1", f"{name}*2", f"(3*{name} + {k})%4", f"{k}%3", f"n/(1+{k})")
        return f"{name} = {draft.pick(steps)};"
    if kind.domain in ("float", "complex") and draft.chance(35):
        f, value_of = KINDS[kind.real].suffix, f"to{kind.real}({k}%{draft.pick(('3', '5'))})"
        text = draft.pick((f"0.5{f} - 0.25{f}*{value_of}", f"0.25{f}*{value_of}"))
        return f"{name} = {f'to{kind.name}({text})' if kind.domain == 'complex' else text};"
    is_total = bool(scope.some(kind)) and draft.chance(60)
    value = reduction(scope, kind, {}) if is_total else number(scope, kind, {})
    return f"{name} = {settled(kind, value).text};"


def _write(scope: LoopScope) -> str:
    """An element that the loop itself writes."""
    draft = scope.draft
    array = draft.pick(_owned(scope))
    places = ",".join(subscript(scope, dim, {}) for dim in array.dims)
    value = number(scope, array.kind, {}, 1)
    if array.kind.domain in ("float", "complex") and draft.chance(30):
        amount = array.amount + value.amount
        if scope.fits(array.kind, amount):
            array.amount = amount
            return f"{array.name}[{places}] += {value.text};"
    array.amount |= value.amount
    if not array.kind.is_rounded:
        array.amount = STANDARD
    return f"{array.name}[{places}] = {value.text};"


def _swap(scope: LoopScope) -> list[str]:
    """Two arrays that change places, or go one further."""
    draft, owned = scope.draft, _owned(scope)
    one = draft.pick(owned)
    alike = [a for a in owned if a.dims == one.dims and a.kind == one.kind and a is not one]
    if not alike:
        return [_assign(scope, one)]
    other, name = draft.pick(alike), draft.fresh("c")
    one.amount, other.amount = other.amount, one.amount
    lines = [f"var {name} = {one.name};", f"{one.name} = {other.name};"]
    if draft.chance(30):  # A new one instead: the last two arrays of a wave.
        other.amount = STANDARD
        value = array_value(scope, other.dims, other.kind)
        other.amount = value.amount if other.kind.is_rounded else STANDARD
        return [f"{one.name} = {other.name};", f"{other.name} = {value.text};"]
    return [*lines, f"{other.name} = {name};"]


def _chosen(scope: LoopScope) -> list[str]:
    """An array that a condition chooses."""
    draft = scope.draft
    one = draft.pick([a for a in scope.arrays if not a.is_sparse])
    other = draft.pick(scope.alike(one.dims, one.kind))
    test = condition(scope, {})
    if draft.chance(50) and not one.is_input:
        one.amount |= other.amount
        return [f"if ({test}) {{ {one.name} = {other.name}; }};"]
    name = draft.fresh("u")
    lines = [f"var {name} = {one.name};", f"if ({test}) {{ {name} = {other.name}; }};"]
    scope.arrays.append(DriverArray(name, one.dims, one.kind, one.amount | other.amount))
    return lines


def _branches(scope: LoopScope) -> list[str]:
    draft = scope.draft
    lines = [f"if ({condition(scope, {})}) {{"]
    before = [a.amount for a in scope.arrays]
    lines += [f"  {line}" for line in _block(scope.block(), draft.count(1, 2))]
    if draft.chance(50):
        _again(scope, before)
        lines.append("} else {")
        lines += [f"  {line}" for line in _block(scope.block(), draft.count(1, 2))]
    lines.append("};")
    _again(scope, before)
    return lines


def _again(scope: LoopScope, before: list[Amount]) -> None:
    """Have arrays the amount that they have had, or a standard one."""
    for array, amount in zip(scope.arrays, before, strict=True):
        array.amount = amount | STANDARD


def _inner(scope: LoopScope) -> list[str]:
    """A loop within the loop."""
    draft, j = scope.draft, scope.draft.fresh("j")
    inner = scope.block()
    before = [a.amount for a in scope.arrays]
    _again(scope, before)
    inner.counters.append(j)
    tests = [f"{j} < {draft.pick(('2', '3', 'k+1', 'm', 'steps'))}"]
    if draft.chance(25):
        tests.append(condition(inner, {}, 0))
    lines = [f"var {j} = 0;", f"while ({' && '.join(tests)}) {{"]
    lines += [f"  {line}" for line in _block(inner, draft.count(1, 3))]
    lines += [f"  {j} += 1;", "};"]
    _again(scope, before)
    return lines
