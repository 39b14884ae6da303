"""Which inputs of a program are open: it is compiled once for all of their values.

    program(n=100, A=a)    # compiled for 100: whether n will ever be another number is not known
    program(n=80, A=b)     # n and the extents of A vary: compiled without their values
    program(n=60, A=c)     # runs what is there

The compiler shows whether a value decides anything: the plan for the value is compared with the
plan without it (`lowering/plan_work.py`). What does no more of anything but tests of numbers is
as good, and the value stays open. Failing that it is tried to keep what relations are known: which
numbers are equal extents, and how small they can be; for other relations the program is compiled
again. Where that is not as good either, the value decides, and each is compiled for, as a remark
and `explain` say.

Small numbers are judged apart from others (`class_of`), since loops and windows of few points
are written out, and so are exponents that are products or roots: whichever comes first, one sort
does not decide for the other.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

from diablo.diagnostics import CompileError
from diablo.frontend.emission.bindings import (
    ArrayBinding,
    Binding,
    OpenBinding,
    ScalarBinding,
)
from diablo.lowering.few_points import FEW

if TYPE_CHECKING:
    from diablo.lowering.plan_work import Work

_MOST_KEPT = 64
_FAR = 1 << 60
"""Numbers from here on are never open: what is added to them may wrap around."""

Bindings = Mapping[str, Binding]
Known = bool | int | float | str
Decision = Literal["open", "related", "bound"]


class Place(NamedTuple):
    """A scalar input, or the extent of one that is an array."""

    name: str
    axis: int | None = None


class Plan(Protocol):
    """A compiled program, as far as it is compared."""

    @property
    def work(self) -> Work:
        """How much the plan does."""
        ...

    @property
    def warnings(self) -> frozenset[str]:
        """The warnings about it."""
        ...


Compile = Callable[[Bindings], Plan]


@dataclass
class Openings:
    """What was found out of the inputs of one kind of call."""

    _first: Bindings = field(default_factory=dict[str, Binding])
    _varying: set[Place] = field(default_factory=set[Place])
    _decisions: dict[tuple[Place, str], Decision] = field(
        default_factory=dict[tuple[Place, str], Decision]
    )
    reasons: dict[str, str] = field(default_factory=dict[str, str])
    """Of the inputs that decide something: what it is, by their names."""

    def bindings(self, bindings: Bindings, plan_for: Compile) -> Bindings:
        """Return what to compile for in a call; `plan_for` compiles what has to be compared."""
        values = values_of(bindings)
        self._first = self._first or bindings
        first = values_of(self._first)
        self._varying |= {p for p, value in values.items() if not _is_same(first[p], value)}
        chosen: dict[Place, Decision] = {}
        unjudged: list[Place] = []
        for place, value in values.items():
            if place in self._varying and (sort := class_of(value)) is not None:
                decision = self._decision(place, sort)
                if decision is None and sort == "none":
                    decision = "bound"  # It is one value, and whatever is done for it is little.
                if decision is None:
                    unjudged.append(place)
                else:
                    chosen[place] = decision
        if unjudged:
            judged = self._judge(bindings, chosen, unjudged, plan_for)
            for place, decision in judged.items():
                self._decisions[place, class_of(values[place]) or ""] = decision
            chosen |= judged
        return opened(bindings, chosen)

    def _decision(self, place: Place, sort: str) -> Decision | None:
        found = self._decisions.get((place, sort))
        if found is None and sort == "none":
            # Nothing is done for it, which all plans do equally well.
            for (other, _), decision in self._decisions.items():
                if other == place and decision != "bound":
                    return decision
        return found

    def _judge(
        self,
        bindings: Bindings,
        chosen: Mapping[Place, Decision],
        places: Sequence[Place],
        plan_for: Compile,
    ) -> dict[Place, Decision]:
        """Return what to do with places that vary: all at once if that can be, or in groups.

        Then they are compared with the plan for this call: what decides of the others may make
        it do more than that for the first.
        """
        best = plan_for(self._like(bindings, places) or opened(bindings, chosen))
        whole = _Trials(bindings, chosen, best, plan_for)
        way = whole.most_open({}, places)
        if way != "bound":
            return dict.fromkeys(places, way)
        found: dict[Place, Decision] = {}
        groups = self._groups(bindings, places)
        if len(groups) > 1:
            whole = _Trials(bindings, chosen, plan_for(opened(bindings, chosen)), plan_for)
        for group in groups:
            way = whole.most_open(found, group) if len(groups) > 1 else "bound"
            found = {**found, **dict.fromkeys(group, way)}
            if way == "bound":
                self.reasons |= {_words(place, bindings): whole.reason for place in group}
        return found

    def _groups(self, bindings: Bindings, places: Sequence[Place]) -> list[list[Place]]:
        """Extents with all that had the same values in both calls, as the size of an array.

        While one of them decides it saves nothing to compile without others. Numbers that are
        equal by chance are groups of their own. Small groups come first: with them open, the
        last one is often as it was with all.
        """
        first, values = values_of(self._first), values_of(bindings)
        both = {place: repr((first[place], values[place])) for place in places}
        extents = {both[place] for place in places if place.axis is not None}
        groups: dict[Hashable, list[Place]] = {}
        for place in places:
            groups.setdefault(both[place] if both[place] in extents else place, []).append(place)
        return sorted(groups.values(), key=len)

    def _like(self, bindings: Bindings, places: Sequence[Place]) -> Bindings | None:
        """Return what the first call was compiled for, if it was for the same sort of values."""
        first, values = values_of(self._first), values_of(bindings)
        for place, value in values.items():
            alike = class_of(first[place]) == class_of(value) != "none"
            if not (alike if place in places else _is_same(first[place], value)):
                return None
        return self._first


@dataclass
class _Trials:
    """Compares plans with the one for the values of a call."""

    bindings: Bindings
    chosen: Mapping[Place, Decision]
    best: Plan
    plan_for: Compile
    reason: str = ""
    """Why the last one was not as good."""

    def most_open(self, found: Mapping[Place, Decision], places: Sequence[Place]) -> Decision:
        """Return the way that knows least of some places, and does no more work.

        Few points are mostly written out: for them it is asked first whether they can be open at
        all, as they cannot where not even relations suffice. For others it is asked last.
        """
        values = values_of(self.bindings)
        few = any((class_of(values[place]) or "").startswith("few") for place in places)

        def is_as_good(way: Decision) -> bool:
            return self.is_as_good({**found, **dict.fromkeys(places, way)})

        if few and not is_as_good("related"):
            return "bound"
        if is_as_good("open"):
            return "open"
        return "related" if few or is_as_good("related") else "bound"

    def is_as_good(self, trial: Mapping[Place, Decision]) -> bool:
        try:
            plan = self.plan_for(opened(self.bindings, {**self.chosen, **trial}))
            work = plan.work  # Compiles it.
        except CompileError as error:
            self.reason = f"it cannot be compiled without: {error.diagnostics[0].message}"
            return False
        if new := sorted(plan.warnings - self.best.warnings):
            self.reason = f"there is a warning without: {new[0]}"
            return False
        from diablo.lowering.plan_work import more_work

        more = more_work(work, self.best.work)
        kinds = ", ".join(f"{count} {kind}" for kind, count in more.most_common(3))
        self.reason = f"the plan without has more of this: {kinds}"
        return not more


def values_of(bindings: Bindings) -> dict[Place, Known]:
    """The scalars and extents that are known."""
    values: dict[Place, Known] = {}
    for name, binding in bindings.items():
        match binding:
            case ScalarBinding(value=value):
                values[Place(name)] = value
            case ArrayBinding(shape=shape):
                for axis, extent in enumerate(shape or ()):
                    if isinstance(extent, int):
                        values[Place(name, axis)] = extent
            case _:
                pass
    return values


def _is_same(one: Known, other: Known) -> bool:
    return repr(one) == repr(other)  # NaN is itself, and 0.0 not -0.0.


def class_of(value: Known) -> str | None:
    """Return what sort of number a value is, by which it is judged; None if it is never open."""
    match value:
        case bool():
            return None
        case str():
            return "text"
        case float():
            return "few" if abs(value) <= 2 and (2 * value).is_integer() else "many"
        case int():
            if value == 0:
                return "none"
            if abs(value) >= _FAR:
                return None
            return ("few" if abs(value) <= FEW else "many") + (" below" if value < 0 else "")


def opened(bindings: Bindings, chosen: Mapping[Place, Decision]) -> Bindings:
    """Bindings without what is open; of what is `related` it stays known what equals what."""
    if all(decision == "bound" for decision in chosen.values()):
        return bindings
    related: dict[int, list[Place]] = {}
    for place, value in values_of(bindings).items():
        if chosen.get(place) == "related" and isinstance(value, int):
            related.setdefault(value, []).append(place)
    names: dict[Place, str] = {}
    for value, places in related.items():
        if value > 0 and any(place.axis is not None for place in places):
            names |= dict.fromkeys(places, f"size{len(set(names.values()))}")
    result: dict[str, Binding] = {}
    for name, binding in bindings.items():
        decision = chosen.get(Place(name), "bound")
        match binding:
            case ScalarBinding(value=value) if decision != "bound":
                if decision == "related" and isinstance(value, int):
                    least = None if value < 0 else min(value, 1)
                    size = names.get(Place(name))
                    result[name] = OpenBinding(None if size else least, size)
            case ArrayBinding(shape=shape) if shape is not None:
                places = [Place(name, axis) for axis in range(len(shape))]
                extents = tuple(
                    extent if chosen.get(place, "bound") == "bound" else names.get(place)
                    for place, extent in zip(places, shape, strict=True)
                )
                result[name] = replace(binding, shape=extents)
            case _:
                result[name] = binding
    return result


_AXES = {1: ("length",), 2: ("rows", "cols")}


def _words(place: Place, bindings: Bindings) -> str:
    """A place as the source would call it."""
    if place.axis is None:
        return place.name
    binding = bindings[place.name]
    axes = _AXES.get(binding.rank, ()) if isinstance(binding, ArrayBinding) else ()
    return f"{place.name}.{axes[place.axis] if axes else f'extent{place.axis}'}"


_KEPT: OrderedDict[Hashable, Openings] = OrderedDict()


def openings_of(program: Iterable[Hashable], bindings: Bindings) -> Openings:
    """Return what is known of inputs in calls of one kind; callers hold the compiler's lock.

    `program` tells the text and the options of a program from others.
    """
    places = dict.fromkeys(values_of(bindings), "open")
    kinds = sorted(
        (name, "" if isinstance(binding, ScalarBinding) else _kind(binding))
        for name, binding in bindings.items()
    )
    key = (*program, tuple(kinds), tuple(places))
    found = _KEPT.pop(key, None) or Openings()
    _KEPT[key] = found
    if len(_KEPT) > _MOST_KEPT:
        _KEPT.popitem(last=False)
    return found


def _kind(binding: Binding) -> str:
    return repr(replace(binding, shape=None) if isinstance(binding, ArrayBinding) else binding)


def forget() -> None:
    """Keep nothing of what was found out so far."""
    _KEPT.clear()
