"""Writes random regions: their declarations, and what stands for one without a name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sparse

from fuzzing.draft import Draft
from fuzzing.model import BOOLEAN, INT, ArrayVariable, Scope
from fuzzing.qualifiers import draw_qualifiers, inner_scope, tuple_of
from fuzzing.region_definitions import combination, filtered, moved, sliced
from fuzzing.region_model import ARRAY_TYPES, RANGES, Region
from fuzzing.scalars import affine
from fuzzing.values import storage


def declare_region(draft: Draft) -> Region:
    """A region of the program: a box, or one made of others."""
    if not draft.regions or draft.chance(12):
        region = named(draft, box(draft))
    elif draft.chance(15):
        region = open_region(draft, draft.pick(draft.regions))
    else:
        base = draft.pick(draft.regions)
        region = named(draft, chosen(draft, base) if draft.chance(60) else derived(draft, base))
    draft.regions.append(region)
    length = f"{region.text}.length"
    if region.sparse and region.rank > 2:
        # The interpreter counts anew wherever this stands, which may be in loops over such regions.
        name = draft.fresh("l")
        draft.lines.append(f"var {name} = {length};")
        length = name
    draft.globals.values["Int"].append(length)
    return region


def named(draft: Draft, region: Region) -> Region:
    """Declare a region that is an expression so far."""
    name = draft.fresh("R")
    draft.lines.append(f"region {name} = {region.text};")
    extents = region.extents
    if extents is None and region.rank == 2:
        extents = (f"{name}.rows", f"{name}.cols")
    is_box = not region.sparse and not region.strided
    return replace(
        region,
        text=name,
        within=region.within | {name},
        extents=extents,
        box=name if is_box else region.box,
    )


def box(draft: Draft) -> Region:
    """Ranges of indices, perhaps with steps."""
    rank = draft.pick((1, 2, 2, 2, 3))
    ranges = [draft.pick(RANGES[:3] if draft.chance(50) else RANGES) for _ in range(rank)]
    extents = tuple(extent for _, extent in ranges if extent is not None)
    region = Region(
        f"({', '.join(text for text, _ in ranges)})",
        rank,
        sparse=False,
        within=frozenset(),
        extents=extents if len(extents) == rank else None,
        begins_at_zero=all(text.startswith("0") for text, _ in ranges),
    )
    return strided(draft, region) if draft.chance(15) else region


# ---- regions made of others -----------------------------------------------------------


def derived(draft: Draft, base: Region) -> Region:
    """A region with steps, moved, a slice, or a set operation."""
    kind = draft.count(1, 100)
    if kind <= 20:
        return strided(draft, base)
    if kind <= 40:
        amounts = tuple(draft.count(-1, 2) for _ in range(base.rank))
        text = f"{base.text} at {tuple_of([str(a) for a in amounts])}"
        return Region(
            text,
            base.rank,
            base.sparse,
            frozenset(),
            base.extents,
            strided=base.strided,
            moved=(base.text, amounts),
            moves=base.moves + 1,
            definition=moved(base, amounts),
        )
    if kind <= 55 and not base.strided:
        return sliced_region(draft, base)
    return combined(draft, base)


def strided(draft: Draft, base: Region) -> Region:
    """Every so many indices of a region."""
    steps = [draft.pick(("1", "2", "2", "3")) for _ in range(base.rank)]
    return Region(
        f"{base.text} by {tuple_of(steps)}",
        base.rank,
        base.sparse,
        base.within,
        base.extents if base.sparse else None,
        base.begins_at_zero,
        strided=base.strided or not base.sparse,
        moves=base.moves,
    )


def sliced_region(draft: Draft, base: Region) -> Region:
    """A slice that keeps all dimensions, perhaps with steps."""
    parts = [draft.pick(("*", "*", "0:n", "1:3", "1:n", "0:2")) for _ in range(base.rank)]
    stepped = [f"{part}:{draft.pick((2, 3))}" if part != "*" else part for part in parts]
    steps = stepped != parts and draft.chance(30)
    return Region(
        f"{base.text}[{', '.join(stepped if steps else parts)}]",
        base.rank,
        base.sparse,
        base.within,
        strided=steps and not base.sparse,
        moves=base.moves,
        definition=None if steps else sliced(base, parts),
    )


def another_region(draft: Draft, base: Region) -> Region:
    """Another region of the same rank, if there is one."""
    regions = [region for region in draft.regions if region.rank == base.rank]
    return draft.pick([region for region in regions if region != base] or regions)


def combined(draft: Draft, base: Region) -> Region:
    """A union, an intersection or a difference."""
    other = another_region(draft, base)
    if draft.chance(40):
        return both(base, other, "&&")
    op = draft.pick(("||", "-"))
    return Region(
        f"{base.text} {op} {other.text}",
        base.rank,
        # A union of boxes is sparse unless one is known to contain the other.
        sparse=True,
        within=base.within if op == "-" else base.within & other.within,
        extents=base.extents if op == "-" else None,
        box=base.box if op == "-" else None,
        strided=base.strided or other.strided,
        moves=max(base.moves, other.moves),
        definition=combination("&& !" if op == "-" else op, base, other),
    )


def both(base: Region, other: Region, op: str) -> Region:
    """An intersection, written with `&&` or `where`; of regions with steps it is sparse."""
    strided = base.strided or other.strided
    return Region(
        f"{base.text} {op} {other.text}",
        base.rank,
        base.sparse or other.sparse or strided,
        base.within | other.within,
        strided=strided,
        moves=max(base.moves, other.moves),
        definition=combination("&&", base, other),
    )


# ---- sparse regions -------------------------------------------------------------------


def chosen(draft: Draft, base: Region) -> Region:
    """The indices of a region that a predicate, an array or a list chooses."""
    names = [draft.fresh("i") for _ in range(base.rank)]
    kind, definition = draft.count(1, 100), None
    if kind <= 50:
        predicate = affine_predicate(draft, names)
        pattern = f"{tuple_of(names)} => {predicate}"
        definition = filtered(base, predicate, names)
    elif kind <= 70:
        scope = inner_scope(draft)
        scope.indices += names
        scope.values["Int"] += names
        pattern = f"{tuple_of(names)} => {draft.condition(scope)}"
    elif kind <= 85 and base.extents is not None and not base.strided:
        pattern = boolean_array(draft, base.extents)
    elif kind <= 95:
        pattern = index_list(draft, base.rank)
    else:
        return both(base, another_region(draft, base), "where")
    return Region(
        f"{base.text} where {pattern}",
        base.rank,
        sparse=True,
        within=base.within,
        extents=None if base.strided else base.extents,
        begins_at_zero=base.begins_at_zero,
        box=base.box,
        moves=base.moves,
        definition=definition,
    )


def affine_predicate(draft: Draft, names: list[str]) -> str:
    """A band, a triangle, a diagonal, or several of these."""
    i, j = draft.pick(names), draft.pick(names)
    text = draft.pick(
        (
            f"abs({i}-{j}) < {draft.pick(('1', '2', '2', '3'))}",
            f"{i} <= {j}",
            f"{i} < {j}",
            f"{i} == {j}",
            f"{i} == {j}+1",
            f"{i}+{j} == n",
            f"2*{i}+{j} < 2*n",
            f"({i}+{j})%2 == 0",
            f"{i} != 1",
            f"{i} > m",
        )
    )
    if draft.chance(25):
        return f"{text} {draft.pick(('&&', '||'))} {affine_predicate(draft, names)}"
    return text


def boolean_array(draft: Draft, extents: tuple[str, ...]) -> str:
    """A Boolean array, from the caller or computed."""
    name = draft.fresh("B")
    if set(extents) <= {"n", "m"} and draft.chance(50):
        numbers = np.random.default_rng(draft.count(0, 1000))
        values = numbers.random([draft.inputs[extent] for extent in extents]) < 0.5
        draft.lines.append(f"input {name}: {ARRAY_TYPES[len(extents)]}[Boolean];")
        is_sparse = len(extents) == 2 and draft.chance(50)
        draft.inputs[name] = sparse.csr_array(values) if is_sparse else values
        return name
    names, scope = [draft.fresh("i") for _ in extents], inner_scope(draft)
    scope.indices += names
    scope.values["Int"] += names
    sources = ", ".join(f"{i} <- 0..{d}-1" for i, d in zip(names, extents, strict=True))
    row = f"({tuple_of(names)},{draft.condition(scope)})"
    draft.declare(name, f"{storage(draft, extents)}[ {row} | {sources} ]")
    draft.arrays.append(ArrayVariable(name, extents, BOOLEAN))
    return name


def index_list(draft: Draft, rank: int) -> str:
    """A list of indices, some of them outside and some twice."""
    known = [v.name for v in draft.lists if v.columns == (INT,) * rank]
    if known and draft.chance(50):
        return draft.pick(known)
    qualifiers, scope, _ = draw_qualifiers(draft)
    row = tuple_of([affine(draft, scope) for _ in range(rank)])
    return f"[ {row} | {', '.join(qualifiers)} ]"


def open_region(draft: Draft, base: Region) -> Region:
    """A region that the program fills."""
    region = named(
        draft,
        replace(
            base,
            text=f"{base.text} where ?",
            sparse=True,
            moved=None,
            definition=None,
            strided=False,
            extents=None if base.strided else base.extents,
        ),
    )
    if draft.chance(25):
        draft.lines.append(f"{region.text} = {index_list(draft, base.rank)};")
    for _ in range(draft.pick((1, 1, 2))):
        draft.lines.append(filling(draft, region, base))
    return region


def filling(draft: Draft, region: Region, base: Region) -> str:
    """A loop that adds indices to an open region, or takes some away."""
    names, scope = [draft.fresh("i") for _ in range(base.rank)], inner_scope(draft)
    scope.indices += names
    scope.values["Int"] += names
    value = draft.pick(("true", "true", "true", "false"))
    if draft.chance(25):
        value = draft.condition(scope)
    place = f"{region.text}[{','.join(names)}] = {value};"
    if draft.chance(60):
        place = f"if ({draft.condition(scope)}) {{ {place} }}"
    return f"for {tuple_of(names)} in {base.text} do {{ {place} }};"


# ---- use --------------------------------------------------------------------------------


def region_here(draft: Draft, scope: Scope) -> Region:
    """A region to go through: a declared one, or an expression for one."""
    region = draft.pick(draft.regions)
    if draft.chance(75):
        return region
    if region.rank > 1 and not region.strided and scope.nesting and scope.indices:
        kept = draft.count(0, region.rank - 1)
        parts = ["*"] * region.rank
        parts[kept - 1] = affine(draft, Scope(indices=list(scope.indices)))
        text = f"{region.text}[{','.join(parts)}]"
        return Region(text, region.rank - 1, region.sparse, frozenset())
    if draft.chance(70):
        return derived(draft, region)
    names = [draft.fresh("i") for _ in range(region.rank)]
    pattern = f"{tuple_of(names)} => {affine_predicate(draft, names)}"
    return Region(f"{region.text} where {pattern}", region.rank, sparse=True, within=region.within)
