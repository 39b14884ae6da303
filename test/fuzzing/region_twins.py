"""Writes twins: what a region controls, and the same by tests of each index."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.loops import loop
from fuzzing.model import INT
from fuzzing.qualifiers import tuple_of
from fuzzing.region_arrays import given_to_a_function, indexed, region_array, whole_region_array
from fuzzing.region_model import Region, indices_around
from fuzzing.regions import declare_region
from fuzzing.scalars import affine, scalar


def region_statement(draft: Draft) -> None:
    """A statement at the top of the program that has to do with regions."""
    kind = draft.count(1, 100)
    if kind <= 20:
        declare_region(draft)
    elif kind <= 40:
        region_array(draft, draft.pick(draft.regions))
    elif kind <= 55:
        whole_region_array(draft)
    elif kind <= 65:
        given_to_a_function(draft)
    elif kind <= 80:
        region_twins(draft)
    else:
        draft.lines.append(loop(draft))


def region_twins(draft: Draft) -> None:
    """Two variables that are the same if regions are what the language says."""
    kind = draft.count(1, 100)
    if kind <= 35:
        defined_twins(draft)
    elif kind <= 60 and draft.over:
        array_twins(draft)
    elif kind <= 80:
        total_twins(draft)
    else:
        loop_twins(draft)


def declare_twins(draft: Draft, one: str, other: str) -> tuple[str, str]:
    """Declare the two, with a value for each."""
    name = draft.fresh("twin")
    draft.declare(f"{name}a", one)
    draft.declare(f"{name}b", other)
    draft.twins += [f"{name}a", f"{name}b"]
    return f"{name}a", f"{name}b"


def all_around(region: Region, names: list[str]) -> str:
    """Generators of all indices of a region and around it."""
    return ", ".join(f"{name} <- {indices_around(region)}" for name in names)


def fresh_index(draft: Draft, rank: int) -> list[str]:
    """Names for an index."""
    return [draft.fresh("i") for _ in range(rank)]


def weight_of(names: list[str]) -> str:
    """A number that hardly any other index has."""
    return " + ".join(["1", *(f"{7 ** (k + 1)}*{name}" for k, name in enumerate(names))])


def defined_twins(draft: Draft) -> None:
    """The indices of a region, and those for which its definition holds."""
    regions = [region for region in draft.regions if region.definition is not None]
    region = draft.pick(regions or draft.regions)
    names = fresh_index(draft, region.rank)
    value, pattern = weight_of(names), tuple_of(names)
    test = f"{region.text}[{','.join(names)}]"
    if region.definition is not None:
        test = draft.pick((region.definition(names), region.definition(names), test))
    counted = f"+/[ {value} | {all_around(region, names)}, {test} ]"
    declare_twins(draft, f"+/[ {value} | {pattern} <- {region.text} ]", counted)


def array_twins(draft: Draft) -> None:
    """The stored elements of an array over a region, and those at the indices of it."""
    array = draft.pick(draft.over)
    names, value = fresh_index(draft, array.rank), draft.fresh("v")
    place, weight = f"{array.name}[{','.join(names)}]", weight_of(names)
    around, test = all_around(array.region, names), f"{array.region.text}[{','.join(names)}]"
    row = {"Boolean": "(if ({}) 1 else 0)", "Int": "{}", "Double": "toInt(4*{})"}
    shown = row[array.element].format
    box = array.region.box
    if array.fill is not None and array.region.sparse and box is not None and draft.chance(40):
        around = f"{tuple_of(names)} <- {box}"
        declare_twins(
            draft,
            f"+/[ {shown(place)} | {around}, !{test} ]",
            f"+/[ {shown(array.fill)} | {around}, !{test} ]",
        )
        return
    declare_twins(
        draft,
        f"+/[ ({weight})*{shown(value)} | ({tuple_of(names)},{value}) <- {array.name} ]",
        f"+/[ ({weight})*{shown(place)} | {around}, {test} ]",
    )


def total_twins(draft: Draft) -> None:
    """A total over the indices of a region."""
    region = draft.pick(draft.regions)
    names = fresh_index(draft, region.rank)
    value = scalar(draft, indexed(draft, *names), INT)
    test = f"{region.text}[{','.join(names)}]"
    declare_twins(
        draft,
        f"+/[ {value} | {tuple_of(names)} <- {region.text} ]",
        f"+/[ {value} | {all_around(region, names)}, {test} ]",
    )


def loop_twins(draft: Draft) -> None:
    """A loop over a region, and loops around it with a test."""
    region = draft.pick([region for region in draft.regions if region.rank < 3] or draft.regions)
    names = fresh_index(draft, region.rank)
    scope = indexed(draft, *names)
    rank = draft.count(1, 2)
    zeros = f"tensor*({','.join('n' * rank)})[ "
    indices = fresh_index(draft, rank)
    zeros += f"({tuple_of(indices)},0) | "
    zeros += ", ".join(f"{name} <- 0..n-1" for name in indices) + " ]"
    one, other = declare_twins(draft, zeros, zeros)
    place = ",".join(affine(draft, scope) for _ in range(rank))
    value = scalar(draft, scope, INT)
    body = f"[{place}] += {value};"
    if draft.chance(40):
        body = f"[{place}] {draft.pick(('max=', 'min='))} {value};"
    draft.lines.append(f"for {tuple_of(names)} in {region.text} do {one}{body}")
    around = indices_around(region).replace("..", ", ")
    heads = " ".join(f"for {name} = {around} do" for name in names)
    draft.lines.append(f"{heads} if ({region.text}[{','.join(names)}]) {other}{body}")
