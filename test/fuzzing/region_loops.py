"""Writes what regions control: loops, generators, tests, and what is written under them."""

from __future__ import annotations

from fuzzing import loops, qualifiers, scalars
from fuzzing.draft import Draft
from fuzzing.loops import loop
from fuzzing.model import Bound, Element, RegionArray, Scope
from fuzzing.qualifiers import array_generator, bind, tuple_of
from fuzzing.region_arrays import flood_array, region_array
from fuzzing.region_model import Member
from fuzzing.regions import declare_region, region_here
from fuzzing.scalars import affine, scalar
from fuzzing.updates import write_update


def declare_regions(draft: Draft) -> None:
    """What a program with regions begins with."""
    for _ in range(draft.count(2, 3)):
        declare_region(draft)
    for _ in range(draft.count(1, 2)):
        region_array(draft, draft.pick(draft.regions))
    if draft.uses("flood dimensions"):
        flood_array(draft)
    draft.lines.append(loop(draft))


# ---- what goes through regions ------------------------------------------------------------


def head(draft: Draft, scope: Scope, outermost: bool) -> str:
    """The head of a loop, perhaps over a region or an array over one."""
    if not draft.regions or not draft.chance(65 if outermost else 20):
        return loops.head(draft, scope, outermost)
    if draft.over and draft.chance(25):
        array = draft.pick(draft.over)
        names = [draft.fresh("i") for _ in array.dims]
        value = draft.fresh("v")
        text = f"for ({tuple_of(names)},{value}) in {array.name} do"
        region = array.region
        scope.values[array.element].append(value)
    else:
        region = region_here(draft, scope)
        names = [draft.fresh("i") for _ in range(region.rank)]
        text = f"for {tuple_of(names)} in {region.text} do"
    for name in names:
        scope.free.append(name)
        scope.indices.append(name)
        scope.values["Int"].append(name)
    scope.members.append(Member(tuple(names), region))
    return text


def generator(draft: Draft, scope: Scope, bound: Bound, joined: bool) -> list[str]:
    """A generator, perhaps of a region or an array over one."""
    if not draft.regions or not draft.chance(35):
        return qualifiers.generator(draft, scope, bound, joined)
    if draft.over and draft.chance(50):
        return array_generator(draft, scope, bound, draft.pick(draft.over).plain, joined=joined)
    region = region_here(draft, scope)
    names = [draft.fresh("i") for _ in range(region.rank)]
    result = [f"{tuple_of(names)} <- {region.text}"]
    known = Scope(indices=list(scope.indices))
    for name in names:
        if joined and known.indices and draft.chance(60):
            result.append(f"{name} == {affine(draft, known)}")
        else:
            scope.free.append(name)
        scope.indices.append(name)
        bind(scope, bound, name, "Int")
    return result


def read(draft: Draft, scope: Scope, element: Element) -> str | None:
    """An element, perhaps of an array over a region."""
    arrays = [a for a in (*draft.over, *draft.floods) if a.element == element]
    if not arrays or not scope.reads or not scope.nesting or not draft.chance(55):
        return scalars.read(draft, scope, element)
    array = draft.pick(arrays)
    places = [m.names for m in scope.members if len(m.names) == array.rank]
    if places and draft.chance(60):
        return f"{array.name}[{','.join(draft.pick(places))}]"
    if not scope.indices:
        return scalars.read(draft, scope, element)
    return scalars.element_of(draft, scope, array)


def condition(draft: Draft, scope: Scope, depth: int = 2) -> str:
    """A condition, perhaps whether an index is in a region."""
    if not draft.regions or not scope.indices or not draft.chance(12):
        return scalars.condition(draft, scope, depth)
    region = draft.pick(draft.regions)
    return f"{region.text}[{','.join(affine(draft, scope) for _ in range(region.rank))}]"


# ---- what is written ---------------------------------------------------------------------


def write(draft: Draft, scope: Scope) -> str:
    """An assignment, perhaps to an array over a region."""
    if not draft.over or not draft.chance(60):
        return loops.write(draft, scope)
    array = draft.pick(draft.over)
    places = [place for m in scope.members if (place := m.place_in(array.region)) is not None]
    if places:
        return set_or_accumulate(draft, scope, array, draft.pick(places))
    place = tuple(affine(draft, scope) for _ in array.dims)
    if scope.members and draft.chance(40):
        fitting = [m.names for m in scope.members if len(m.names) == array.rank]
        place = draft.pick(fitting) if fitting else place
    if draft.chance(70) or array.region.sparse or any(m.names == place for m in scope.members):
        test = f"{array.region.text}[{','.join(place)}]"
        return f"if ({test}) {{ {set_or_accumulate(draft, scope, array, place)} }};"
    return set_or_accumulate(draft, scope, array, place)


def set_or_accumulate(
    draft: Draft, scope: Scope, array: RegionArray, place: tuple[str, ...]
) -> str:
    """An assignment where each iteration has a place of its own, an accumulation otherwise."""
    value = scalar(draft, scope, array.element)
    target = f"{array.name}[{','.join(place)}]"
    indices = [m.names for m in scope.members if m.place_in(array.region) == place]
    bound = {name for names in indices for name in names}
    own = bound or set(place) & set(scope.free)
    if not scope.from_list and set(scope.free) <= own and draft.chance(60):
        return f"{target} = {value};"
    return write_update(draft, scope, target, array.element, value)
