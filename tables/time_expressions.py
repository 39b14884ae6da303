"""Points in time and durations in expressions: arithmetic with the numbers that they are held as.

    col("day") + timedelta(days=1) > col("when")
  ->  convert(convert(day) * 86400000000 + 86400000000) > convert(when)    of whole microseconds

A point in time is a number of its unit since 1970, a duration one of its unit; both have 64 bits.
What meets is brought to the finer unit first. Parts of dates (year, month, …) are computed by whole
numbers, after Cassio Neri and Lorenz Schneider, *Euclidean Affine Functions and their Application
to Calendar Algorithms*, Software: Practice and Experience 53, 2023.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from diablo.diagnostics import InputError
from diablo.table.column_values import FLOAT64, INT64, TRUTH, UNITS, ColumnType, type_of
from diablo.table.typed_expressions import Typed

DType = np.dtype[Any]

_PER_DAY = {"D": 1, "s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}
_COARSE = {"Y": "D", "M": "D", "W": "D", "h": "s", "m": "s"}
"""Units that tables do not have, and those that hold their values."""
_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


# ---- values --------------------------------------------------------------------------


def time_value(value: Any) -> np.datetime64 | np.timedelta64 | None:
    """Return a point in time or a duration of Python's, NumPy's or pandas' as NumPy's.

    None of what is neither; an `InputError` of what tables do not have.
    """
    for method in ("to_datetime64", "to_timedelta64"):  # Of pandas'.
        if hasattr(value, method) and getattr(value, "tzinfo", None) is None:
            value = getattr(value, method)()
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        raise InputError(
            f"{value} has a time zone, which columns do not have: "
            "make it one of UTC, and take its zone off by replace(tzinfo=None)"
        )
    if isinstance(value, datetime.datetime):
        value = np.datetime64(value, "us")
    elif isinstance(value, datetime.date):
        value = np.datetime64(value, "D")
    elif isinstance(value, datetime.timedelta):
        value = np.timedelta64(value, "us")
    if not isinstance(value, np.datetime64 | np.timedelta64):
        return None
    found = cast("Any", value)
    if np.isnat(found):
        raise InputError("NaT stands for no value: ask is_null(), or fill_null()")
    known = with_known_unit(np.asarray(found))
    if known is None:
        raise InputError(f"{found!r} has no unit of {', '.join(UNITS)}")
    return known[()]


def with_known_unit(array: Any) -> Any:
    """Return points in time or durations in a unit that tables have, None if there is none."""
    unit, count = np.datetime_data(array.dtype)
    kind = array.dtype.kind
    if kind == "m" and unit in ("Y", "M"):
        return None
    if unit in _COARSE:
        return array.astype(f"{kind}8[{_COARSE[unit]}]")
    if count != 1:
        return array.astype(f"{kind}8[{unit}]") if unit in UNITS else None
    return array.astype(array.dtype.newbyteorder("="), copy=False) if unit in UNITS else None


def time_literal(value: Any, beside: DType | None) -> Typed:
    """Return a point in time or a duration, in the unit that is beside it if that holds it."""
    number = value
    if beside is not None and beside.kind == number.dtype.kind:
        unit = np.datetime_data(beside)[0]
        fitting = number.astype(f"{number.dtype.kind}8[{unit}]")
        if fitting == number:
            number = fitting
    type = type_of(number.dtype)
    assert type is not None
    return Typed("literal", type, (), int(number.astype(np.int64)))


def spelled_moment(text: str, beside: DType) -> Typed:
    """Return the point in time that a string spells as ISO 8601 does, `2024-01-31T12:00`."""
    try:
        value = time_value(np.datetime64(text))
    except ValueError:
        value = None
    if value is None:
        raise InputError(f"{text!r} is no point in time: it is spelled as '2024-01-31T12:00:00'")
    return time_literal(value, beside)


# ---- numbers -------------------------------------------------------------------------


def count_of(operand: Typed) -> Typed:
    """Return the number that a point in time or a duration is held as, or a whole number."""
    return Typed("convert", INT64.with_nulls(operand.type.nullable), (operand,))


def of_count(number: Typed, dtype: DType) -> Typed:
    """Return the point in time or the duration of a number."""
    return Typed("convert", ColumnType(dtype, number.type.nullable), (number,))


def _number(value: int) -> Typed:
    return Typed("constant", INT64, (), value)


def _call(name: str, *operands: Typed, type: ColumnType = INT64) -> Typed:
    nullable = any(operand.type.nullable for operand in operands)
    return Typed("call", type.with_nulls(nullable), operands, name)


def _times(number: Typed, factor: int) -> Typed:
    return number if factor == 1 else _call("multiply", number, _number(factor))


def _divided(number: Typed, divisor: int) -> Typed:
    return number if divisor == 1 else _call("floor_divide", number, _number(divisor))


def _modulo(number: Typed, divisor: int) -> Typed:
    return _number(0) if divisor == 1 else _call("remainder", number, _number(divisor))


def _shifted(number: Typed, bits: int) -> Typed:
    return _call("right_shift", number, _number(bits))


def _plus(number: Typed, other: int) -> Typed:
    return _call("add", number, _number(other))


def in_type(operand: Typed, dtype: DType) -> Typed:
    """Return a point in time or a duration in another unit: of a coarser one the last before it."""
    if operand.type.dtype == dtype:
        return operand
    source, target = _per_day(operand.type.dtype), _per_day(dtype)
    if operand.kind == "literal" and target >= source:
        wide = ColumnType(dtype, operand.type.nullable)
        return Typed("literal", wide, (), operand.value * (target // source))
    number = count_of(operand)
    if target >= source:
        return of_count(_times(number, target // source), dtype)
    return of_count(_divided(number, source // target), dtype)


def _per_day(dtype: DType) -> int:
    return _PER_DAY[np.datetime_data(dtype)[0]]


def _finer(types: Sequence[ColumnType]) -> str:
    units = [np.datetime_data(type.dtype)[0] for type in types]
    return max(units, key=lambda unit: _PER_DAY[unit])


def common_time_type(types: Sequence[ColumnType]) -> DType | None:
    """Return the type that points in time, or durations, are brought to; None if they are mixed."""
    kinds = {type.dtype.kind for type in types}
    if len(kinds) != 1 or not types[0].is_time:
        return None
    return np.dtype(f"{types[0].dtype.kind}8[{_finer(types)}]")


# ---- functions -----------------------------------------------------------------------


def time_call(name: str, operands: Sequence[Typed]) -> Typed | None:
    """Return a function of operands of which some are times; None if it takes no such ones."""
    kinds = "".join([_kind(operand.type) for operand in operands])
    common = common_time_type([operand.type for operand in operands])
    if name in _COMPARISONS and common is not None:
        sides = [count_of(in_type(operand, common)) for operand in operands]
        return _call(name, *sides, type=TRUTH)
    if name in ("minimum", "maximum") and common is not None:
        sides = [count_of(in_type(operand, common)) for operand in operands]
        return of_count(_call(name, *sides), common)
    if name in ("add", "subtract") and (kinds, name) in _SUMS:
        times = [operand.type for operand in operands]
        unit = _finer(times)
        sides = [
            count_of(in_type(operand, np.dtype(f"{operand.type.dtype.kind}8[{unit}]")))
            for operand in operands
        ]
        return of_count(_call(name, *sides), np.dtype(f"{_SUMS[kinds, name]}8[{unit}]"))
    if kinds == "m" and name in ("negative", "absolute"):
        return of_count(_call(name, count_of(operands[0])), operands[0].type.dtype)
    if name == "multiply" and kinds in ("mi", "im", "mf", "fm"):
        duration, factor = operands if kinds[0] == "m" else operands[::-1]
        return of_count(_scaled(name, duration, factor), duration.type.dtype)
    if name in ("divide", "floor_divide") and kinds in ("mi", "mf"):
        return of_count(_scaled(name, *operands), operands[0].type.dtype)
    if kinds == "mm" and common is not None:
        sides = [count_of(in_type(operand, common)) for operand in operands]
        if name == "divide":
            return _call(name, *map(_as_float, sides), type=FLOAT64)
        if name == "floor_divide":
            return _call(name, *sides)
        if name == "remainder":
            return of_count(_call(name, *sides), common)
    return None


_SUMS = {
    ("Mm", "add"): "M",
    ("mM", "add"): "M",
    ("mm", "add"): "m",
    ("Mm", "subtract"): "M",
    ("MM", "subtract"): "m",
    ("mm", "subtract"): "m",
}


def _kind(type: ColumnType) -> str:
    return "i" if type.dtype.kind == "u" else type.dtype.kind


def _as_float(number: Typed) -> Typed:
    return Typed("convert", FLOAT64.with_nulls(number.type.nullable), (number,))


def _scaled(name: str, duration: Typed, factor: Typed) -> Typed:
    """Return a duration times a number, or divided by one: a whole number of its unit."""
    number = count_of(duration)
    if name != "divide" and factor.type.dtype.kind in "iu":
        return _call(name, number, count_of(factor))
    made = _call(name, _as_float(number), _as_float(factor), type=FLOAT64)
    return count_of(made)


def averaged(mean: Typed, dtype: DType) -> Typed:
    """Return the time that a mean of the numbers of times stands for."""
    return of_count(count_of(_call("rint", mean, type=FLOAT64)), dtype)


# ---- parts ---------------------------------------------------------------------------


def time_part(name: str, operand: Typed) -> Typed:
    """Return a part of a point in time, as its year, or of a duration, as its seconds."""
    type = operand.type
    parts = _PARTS_OF_MOMENTS if type.is_moment else _PARTS_OF_DURATIONS
    if not type.is_time:
        raise InputError(f"there is no .dt of {type}: it is of points in time and durations")
    if name not in parts:
        what = "points in time" if type.is_moment else "durations"
        raise InputError(f"there is no .dt.{name} of {what}: there are {', '.join(parts)}")
    return parts[name](count_of(operand), _per_day(type.dtype))


def time_truncated(operand: Typed, unit: str) -> Typed:
    """Return points in time with all that is finer than a unit left out."""
    if not operand.type.is_moment:
        raise InputError(f"there is no .dt.truncate() of {operand.type}")
    dtype, per_day = operand.type.dtype, _per_day(operand.type.dtype)
    number = count_of(operand)
    if unit in ("year", "month", "week"):
        days = _divided(number, per_day)
        if unit == "week":
            first = _call("subtract", days, _weekday(days))
        else:
            _, _, day, of_year = _calendar(days)
            first = _call("subtract", days, _plus(day if unit == "month" else of_year, -1))
        return of_count(_times(first, per_day), dtype)
    if unit not in _SECONDS:
        raise InputError(
            f"there is no unit {unit!r}: it is year, month, week, {', '.join(_SECONDS)}"
        )
    counts = per_day * _SECONDS[unit] // 86_400
    if counts <= 1:
        return operand
    return of_count(_times(_divided(number, counts), counts), dtype)


_SECONDS = {"day": 86_400, "hour": 3600, "minute": 60, "second": 1}


def _calendar(days: Typed) -> tuple[Typed, Typed, Typed, Typed]:
    """Return the year, the month, the day of the month and that of the year, from days of 1970."""
    shifted = _plus(days, 719_468)  # From March 1st of the year 0 on, behind a day of February.
    era = _divided(shifted, 146_097)
    of_era = _call("subtract", shifted, _times(era, 146_097))
    # Nothing is negative from here on, and small enough for products to be exact quotients.
    quarters = _plus(_times(of_era, 4), 3)
    century = _shifted(_times(quarters, 470_369), 36)  # Divided by 146097.
    of_century = _shifted(_call("subtract", quarters, _times(century, 146_097)), 2)
    quarters = _plus(_times(of_century, 4), 3)
    year_of_century = _shifted(_times(quarters, 2_939_745), 32)  # Divided by 1461.
    of_march = _shifted(_call("subtract", quarters, _times(year_of_century, 1461)), 2)
    line = _plus(_times(of_march, 2141), 197_913)
    from_march = _shifted(line, 16)
    within = _call("subtract", line, _times(from_march, 1 << 16))
    day = _plus(_shifted(_times(within, 31_345), 26), 1)  # Divided by 2141.
    is_late = _call("less", of_march, _number(306), type=TRUTH)
    month = _choice(is_late, from_march, _plus(from_march, -12))
    began = _call("add", year_of_century, _call("add", _times(century, 100), _times(era, 400)))
    year = _choice(is_late, began, _plus(began, 1))
    # January and February are behind the 306 days from March on.
    is_leap = _leap(year)
    spring = _choice(is_leap, _plus(of_march, 61), _plus(of_march, 60))
    of_year = _choice(is_late, spring, _plus(of_march, -305))
    return year, month, day, of_year


def _choice(condition: Typed, one: Typed, other: Typed) -> Typed:
    nullable = one.type.nullable or other.type.nullable
    return Typed("choose", INT64.with_nulls(nullable), (condition, one, other))


def _leap(year: Typed) -> Typed:
    def divides(number: int) -> Typed:
        return _call("equal", _modulo(year, number), _number(0), type=TRUTH)

    centuries = Typed("call", TRUTH.with_nulls(year.type.nullable), (divides(100),), "invert")
    type = TRUTH.with_nulls(year.type.nullable)
    common = Typed("and", type, (divides(4), centuries))
    return Typed("or", type, (common, divides(400)))


def _weekday(days: Typed) -> Typed:
    """Return the day of the week, 0 for Monday; 1970 began on a Thursday."""
    return _modulo(_plus(days, 3), 7)


def _nothing(number: Typed) -> Typed:
    """Return 0 where there is a number."""
    return _call("multiply", number, _number(0))


Part = Callable[[Typed, int], Typed]


def _of_days(place: int) -> Part:
    return lambda number, per_day: _calendar(_divided(number, per_day))[place]


def _of_day(seconds: int, modulus: int) -> Part:
    """Return what finds a whole number of some seconds within the next larger unit."""

    def part(number: Typed, per_day: int) -> Typed:
        counts = per_day * seconds // 86_400
        if counts == 0:  # A day has no parts.
            return _nothing(number)
        return _modulo(_divided(number, counts), modulus)

    return part


def _fraction(per_second: int) -> Part:
    def part(number: Typed, per_day: int) -> Typed:
        mine = per_day // 86_400
        if mine <= 1:
            return _nothing(number)
        within = _modulo(number, mine)
        if per_second >= mine:
            return _times(within, per_second // mine)
        return _divided(within, mine // per_second)

    return part


def _quarter(number: Typed, per_day: int) -> Typed:
    return _divided(_plus(_calendar(_divided(number, per_day))[1], 2), 3)


def _total(seconds: float) -> Part:
    def part(number: Typed, per_day: int) -> Typed:
        counts = Typed("constant", FLOAT64, (), per_day * seconds / 86_400)
        return _call("divide", _as_float(number), counts, type=FLOAT64)

    return part


_PARTS_OF_MOMENTS: dict[str, Part] = {
    "year": _of_days(0),
    "quarter": _quarter,
    "month": _of_days(1),
    "day": _of_days(2),
    "ordinal_day": _of_days(3),
    "weekday": lambda number, per_day: _weekday(_divided(number, per_day)),
    "hour": _of_day(3600, 24),
    "minute": _of_day(60, 60),
    "second": _of_day(1, 60),
    "millisecond": _fraction(1000),
    "microsecond": _fraction(1_000_000),
    "nanosecond": _fraction(1_000_000_000),
}
_PARTS_OF_DURATIONS: dict[str, Part] = {
    "total_days": _total(86_400.0),
    "total_hours": _total(3600.0),
    "total_minutes": _total(60.0),
    "total_seconds": _total(1.0),
}


# ---- Python's ------------------------------------------------------------------------


def times_of(values: Sequence[Any]) -> Any:
    """Return Python's dates, points in time or durations as an array; None if they are others."""
    kinds = {_python_kind(value) for value in values}
    if len(kinds) != 1 or None in kinds:
        return None
    found = [cast("Any", time_value(value)) for value in values]
    unit = max([np.datetime_data(v.dtype)[0] for v in found], key=lambda unit: _PER_DAY[unit])
    return np.asarray([v.astype(f"{v.dtype.kind}8[{unit}]") for v in found])


def _python_kind(value: Any) -> str | None:
    if isinstance(value, datetime.date | np.datetime64):
        return "M"
    return "m" if isinstance(value, datetime.timedelta | np.timedelta64) else None
