"""Writes random loops and the assignments in them."""

from __future__ import annotations

from fuzzing.draft import Draft
from fuzzing.model import MapVariable, Scope
from fuzzing.qualifiers import (
    array_generator,
    bounds,
    division,
    inner_scope,
    list_generator,
    map_generator,
)
from fuzzing.scalars import affine, injective, map_key, number_type, scalar
from fuzzing.updates import (
    ACCUMULATIONS,
    extreme_elements,
    extreme_pairs,
    extreme_values,
    extremum,
    joined_into,
    write_update,
)
from fuzzing.values import pair, repeated


def loop(draft: Draft) -> str:
    """A nest of loops with one or two statements inside."""
    scope, heads = inner_scope(draft), list[str]()
    for _ in range(draft.pick((1, 1, 2, 2, 3))):
        heads.append(draft.head(scope, outermost=not heads))
    body = " ".join(loop_statement(draft, scope) for _ in range(draft.count(1, 2)))
    return f"{' '.join(heads)} {{ {body} }};"


def head(draft: Draft, scope: Scope, outermost: bool) -> str:
    """The head of one loop."""
    kind = draft.count(1, 100)
    if kind <= 62 or not outermost:
        name = draft.fresh("i")
        step = draft.pick(("", "", "", "", "", ", 2"))
        if draft.uses("computed steps", 40):
            step = draft.pick((", n", ", m", ", m+1"))
        head = f"for {name} = {bounds(draft, scope, ', ')}{step} do"
        scope.free.append(name)
        scope.indices.append(name)
        scope.values["Int"].append(name)
        return head
    if draft.maps and kind <= 72:
        chosen = draft.pick(draft.maps)
        source = map_generator(draft, scope, [], chosen.name, chosen.key, chosen.value)
    elif draft.lists and kind <= 84:
        source = list_generator(draft, scope, [], draft.pick(draft.lists))
    elif draft.arrays:
        source = array_generator(draft, scope, [], draft.pick(draft.arrays), joined=False)
    else:
        return draft.head(scope, outermost=False)
    # The guards of a generator are for comprehensions.
    return f"for {source[0].replace('<-', 'in').replace('<=', 'in')} do"


def loop_statement(draft: Draft, scope: Scope) -> str:
    """A statement inside of loops."""
    kind = draft.count(1, 100)
    if draft.uses("private variables", 30):
        return private_variable(draft, scope)
    if kind <= 20:
        return f"if ({draft.condition(scope)}) {{ {draft.write(scope)} }};"
    if kind <= 30:
        condition = draft.condition(scope)
        return f"if ({condition}) {{ {draft.write(scope)} }} else {{ {draft.write(scope)} }};"
    if kind <= 36 and scope.values["Int"]:
        inner = scope.copy()
        guard = division(draft, inner)
        write = draft.write(inner)
        return f"if ({guard[0]}) {{ {write} }};" if guard else write
    return draft.write(scope)


def private_variable(draft: Draft, scope: Scope) -> str:
    """A variable of each iteration, changed by a loop or an assignment, and used."""
    element, name = number_type(draft), draft.fresh("t")
    result = [f"var {name} = {scalar(draft, scope, element)};"]
    if draft.chance(60):
        inner = scope.copy()
        head = draft.head(inner, outermost=False)
        update = write_update(draft, inner, name, element, scalar(draft, inner, element))
        result.append(f"{head} {{ {update} }};")
    if draft.chance(30):
        assignment = f"{name} = {scalar(draft, scope, element)};"
        result.append(f"if ({draft.condition(scope)}) {{ {assignment} }};")
    maps = [m for m in draft.maps if m.value == element]
    if maps and draft.chance(60):
        # What a map may not have, by itself or in a branch.
        chosen = draft.pick(maps)
        key = f"{chosen.name}[{map_key(draft, scope, chosen.key)}]"
        text = scalar(draft, scope, element, 1)
        value = f"(if ({draft.condition(scope)}) {key} else {text})"
        result.append(f"{name} = {draft.pick((key, value))};")
    scope.values[element].append(name)
    result.append(draft.write(scope))
    return " ".join(result)


def write(draft: Draft, scope: Scope) -> str:
    """An assignment, mostly one that sets each element once, or an accumulation."""
    if draft.uses("ordered loops", 40) and (step := ordered_step(draft, scope)) is not None:
        return step
    maps = [m for m in draft.maps if m.name not in draft.inputs]
    if maps and draft.chance(35):
        return write_map(draft, scope, draft.pick(maps))
    if draft.uses("updates", 12):
        return extremum(draft, scope)
    owned = [a for a in draft.arrays if a.name not in draft.inputs and a.element != "String"]
    accumulated = [scalar for scalar in draft.scalars if scalar[1] != "String"]
    if accumulated and (not owned or draft.chance(12)):
        name, element = draft.pick(accumulated)
        return write_update(draft, scope, name, element, scalar(draft, scope, element))
    if not owned:
        return accumulate_new(draft, scope)
    array = draft.pick(owned)
    if array.element in ("Int", "Double") and draft.uses("updates", 15):
        return extreme_elements(draft, scope, array)
    if array.element == "Pair" and draft.uses("updates", 25):
        return extreme_pairs(draft, scope, array)
    if array.element == "Pair":
        value = pair(scalar(draft, scope, "Double"), scalar(draft, scope, "Int"))
    else:
        value = scalar(draft, scope, array.element)
    if not scope.ties and draft.uses("repeated indices", 40):
        return f"{array.name}[{','.join(repeated(draft, scope, array.rank))}] = {value};"
    if not scope.from_list and len(scope.free) <= array.rank and draft.chance(55):
        rest = [affine(draft, scope) for _ in range(array.rank - len(scope.free))]
        keys = [*(injective(draft, i) for i in scope.free), *rest]
        if len(scope.free) == 1 and draft.chance(15):
            keys = [scope.free[0]] * array.rank
        return f"{array.name}[{','.join(draft.shuffled(keys))}] = {value};"
    place = f"{array.name}[{','.join(affine(draft, scope) for _ in range(array.rank))}]"
    if array.element != "Pair":
        return write_update(draft, scope, place, array.element, value)
    own = [m.name for m in draft.monoids if m.type == "Pair"]
    if own:
        return joined_into(draft, scope, place, draft.pick(own), value)
    return accumulate_new(draft, scope)


def ordered_step(draft: Draft, scope: Scope) -> str | None:
    """An assignment of a whole variable that may read it, for which the loops run in order."""
    if not draft.scalars:
        return None
    name, element = draft.pick(draft.scalars)
    value = scalar(draft, scope, element)
    if element == "Double" and draft.chance(70):
        return f"{name} = 0.5*{name} - ({value});"
    if element == "Int" and draft.chance(70):
        return f"{name} = {name}%1000 - 3*({value});"
    return f"{name} = {value};"


def write_map(draft: Draft, scope: Scope, chosen: MapVariable) -> str:
    """Write one value of a map, or combine it with what is there."""
    value = scalar(draft, scope, chosen.value)
    unique = not scope.from_list and len(scope.free) == 1
    if not scope.ties and draft.uses("repeated indices", 40):
        return f"{chosen.name}[{map_key(draft, scope, chosen.key)}] = {value};"
    if chosen.key == "Int" and unique and draft.chance(40):
        return f"{chosen.name}[{injective(draft, scope.free[0])}] = {value};"
    if not ACCUMULATIONS[chosen.value]:
        return accumulate_new(draft, scope)
    if chosen.value in ("Int", "Double") and draft.uses("updates", 20):
        return extreme_values(draft, scope, chosen)
    place = f"{chosen.name}[{map_key(draft, scope, chosen.key)}]"
    return write_update(draft, scope, place, chosen.value, value)


def accumulate_new(draft: Draft, scope: Scope) -> str:
    """A sum into a new variable of the program."""
    name = draft.fresh("s")
    draft.lines.append(f"var {name} = 0.0;")
    draft.scalars.append((name, "Double"))
    return f"{name} += {scalar(draft, scope, 'Double')};"
