# Points in time and durations in tables, beside pandas and Polars.
import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import diablo
import diablo.array as da
from diablo.array import col
from diablo.diagnostics import InputError

ROWS = 300


def _frame() -> Any:
    generator = np.random.default_rng(5)
    moments = pd.Series(generator.integers(-3 * 10**15, 6 * 10**15, ROWS).view("M8[us]"))
    some = moments.copy()
    some[generator.random(ROWS) < 0.2] = pd.NaT
    durations = pd.Series(generator.integers(-(10**12), 10**12, ROWS).view("m8[us]"))
    return pd.DataFrame(
        {"t": moments, "u": some, "d": durations, "k": generator.integers(0, 5, ROWS)}
    )


def _table() -> Any:
    return da.table(_frame()).with_columns(date=col("t").dt.date())


@pytest.mark.parametrize("mode", ["always", "never"])
def test_parts_are_those_of_pandas(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    frame = _frame()
    parts = {
        "year": "year", "quarter": "quarter", "month": "month", "day": "day", "hour": "hour",
        "minute": "minute", "second": "second", "weekday": "day_of_week",
        "ordinal_day": "day_of_year", "microsecond": "microsecond",
    }  # fmt: skip
    for unit in ("s", "us"):
        given = frame.assign(t=frame.t.astype(f"M8[{unit}]"))
        made = da.table(given).select(**{p: getattr(col("t").dt, p)() for p in parts}).to_pandas()
        for ours, theirs in parts.items():
            expected = getattr(given.t.dt, theirs)
            np.testing.assert_array_equal(made[ours], expected, err_msg=f"{unit} {ours}")
    days = da.table(frame).select(day=col("t").dt.date())
    found = days.select(h=col("day").dt.hour(), y=col("day").dt.year()).to_pandas()
    assert (found.h == 0).all()
    np.testing.assert_array_equal(found.y, frame.t.dt.year)


def test_every_day_of_four_hundred_years_is_in_its_month():
    days = np.arange("-0001-01-01", "0402-01-01", dtype="M8[D]")
    days = np.concatenate([days, days + 3 * 146_097 * 400])
    parts = {part: getattr(col("day").dt, part)() for part in ("year", "month", "day")}
    made = da.table({"day": days}).select(**parts, ordinal=col("day").dt.ordinal_day()).to_numpy()
    years, months = days.astype("M8[Y]"), days.astype("M8[M]")
    np.testing.assert_array_equal(made["year"], years.astype(int) + 1970)
    np.testing.assert_array_equal(made["month"], months.astype(int) % 12 + 1)
    np.testing.assert_array_equal(made["day"], (days - months).astype(int) + 1)
    np.testing.assert_array_equal(made["ordinal"], (days - years).astype(int) + 1)


def test_what_is_finer_is_left_out_as_polars_does():
    polars = pytest.importorskip("polars")
    frame = _frame()
    t, other = da.table(frame), polars.from_pandas(frame)
    for ours, theirs in (
        ("year", "1y"), ("month", "1mo"), ("week", "1w"), ("day", "1d"), ("hour", "1h"),
        ("minute", "1m"), ("second", "1s"),
    ):  # fmt: skip
        made = t.select(z=col("u").dt.truncate(ours)).to_polars()["z"]
        expected = other.select(z=polars.col("u").dt.truncate(theirs))["z"]
        assert made.to_list() == expected.to_list(), ours


def test_arithmetic_is_that_of_pandas():
    frame = _frame()
    made = da.table(frame).select(
        a=col("t") - col("u"), b=col("t") + col("d"), c=col("d") * 3, e=col("d") / col("d"),
        f=-col("d"), g=col("t") - dt.timedelta(days=1), h=col("d") // dt.timedelta(hours=1),
        i=col("d") % dt.timedelta(hours=1), j=abs(col("d")), k=col("d").dt.total_seconds(),
    )  # fmt: skip
    assert made.schema["a"] == "timedelta64[us]?"
    hour = pd.Timedelta(hours=1)
    expected = pd.DataFrame(
        {
            "a": frame.t - frame.u, "b": frame.t + frame.d, "c": frame.d * 3,
            "e": frame.d / frame.d, "f": -frame.d, "g": frame.t - pd.Timedelta(days=1),
            "h": frame.d // hour, "i": frame.d % hour, "j": frame.d.abs(),
            "k": frame.d.dt.total_seconds(),
        }
    )  # fmt: skip
    pd.testing.assert_frame_equal(made.to_pandas(), expected, check_dtype=False)


def test_points_in_time_are_compared_whatever_their_unit():
    frame, t = _frame(), _table()
    expected = int((frame.t > "2000-01-01").sum())
    for value in (
        dt.date(2000, 1, 1), dt.datetime(2000, 1, 1), np.datetime64("2000-01-01T00", "h"),
        pd.Timestamp("2000-01-01"), "2000-01-01",
    ):  # fmt: skip
        assert len(t.where(col("t") > value)) == expected
    later = dt.datetime(2000, 1, 1, 5)
    assert len(t.where(col("date") >= later)) == int((frame.t.dt.floor("D") >= later).sum())
    ends = t.where(col("date").is_in([t.head(1).to_dict()["date"][0], "1066-10-14"]))
    assert len(ends) >= 1


def test_aggregates_groups_joins_and_orders():
    frame, t = _frame(), _table()
    made = t.group_by("k").agg(
        least=col("u").min(), most=col("u").max(), mean=col("u").mean(), total=col("d").sum(),
        n=col("u").count(), days=col("date").n_unique(),
    ).order_by("k").to_pandas()  # fmt: skip
    expected = frame.assign(day=frame.t.dt.floor("D")).groupby("k", as_index=False).agg(
        least=("u", "min"), most=("u", "max"), mean=("u", "mean"), total=("d", "sum"),
        n=("u", "count"), days=("day", "nunique"),
    )  # fmt: skip
    near = pd.Timedelta(microseconds=10)
    assert ((made.pop("mean") - expected.pop("mean")).abs() < near).all()
    pd.testing.assert_frame_equal(made, expected, check_dtype=False)
    years = t.group_by(y=col("t").dt.year()).agg(n=da.count())
    assert sum(years.to_dict()["n"]) == ROWS
    few = t.select("date").distinct().head(3)
    assert t.join(few, on="date", how="semi").select("date").distinct().shape == (3, 1)
    ordered = t.order_by("u", descending=True).to_pandas()["u"]
    assert ordered.isna().to_numpy()[-frame.u.isna().sum() :].all()
    assert ordered.dropna().is_monotonic_decreasing
    empty = t.where(col("k") > 9).agg(a=col("t").min(), b=col("t").mean(), c=col("d").sum())
    assert empty.to_dict() == {"a": [None], "b": [None], "c": [dt.timedelta(0)]}


def test_times_go_in_and_out():
    t = _table()
    for other in (t.to_arrow(), t.to_pandas().assign(date=t.to_arrow()["date"].to_pylist())):
        assert da.table(other).to_dict() == t.to_dict()
    arrow = t.head(2).to_arrow()
    assert list(map(str, arrow.schema.types)) == [
        "timestamp[us]", "timestamp[us]", "duration[us]", "int64", "date32[day]",
    ]  # fmt: skip
    array = np.arange(100).astype("M8[s]")
    assert np.shares_memory(da.table({"t": array}).to_numpy()["t"], array)
    listed = da.table({"d": [dt.date(2024, 1, 1), None], "e": [None, dt.timedelta(1)]})
    assert listed.schema == {"d": "datetime64[D]?", "e": "timedelta64[us]?"}
    assert listed.to_dict() == {"d": [dt.date(2024, 1, 1), None], "e": [None, dt.timedelta(1)]}
    months = da.table({"m": np.array(["2024-02", "NaT"], "M8[M]")})
    assert months.to_dict() == {"m": [dt.date(2024, 2, 1), None]}
    fine = da.table({"t": pa.array([1, None], pa.timestamp("ns"))})
    assert fine.to_dict()["t"] == [np.datetime64(1, "ns"), None]


def test_files_have_dates(tmp_path: Path):
    from pyarrow import parquet

    (tmp_path / "t.csv").write_text("day,at\n2024-01-01,2024-01-01 10:00:00\n,\n")
    made = da.table(tmp_path / "t.csv")
    assert made.schema == {"day": "datetime64[D]?", "at": "datetime64[s]?"}
    parquet.write_table(_table().to_arrow(), tmp_path / "t.parquet")
    again = da.table(tmp_path / "t.parquet")
    assert again.to_dict() == _table().to_dict()


def test_programs_take_no_times():
    t = _table()
    assert len(diablo.query("[ a.k | a <- A ]", A=t)) == ROWS
    program = diablo.compile("input A: list[<t: Int>]; [ a.t | a <- A ]")
    with pytest.raises(InputError, match=r"'t' holds datetime64\[us\], for which programs"):
        program(A=t)
    assert program(A=t.cast({"t": "int64"})).to_list() == _frame().t.astype("int64").tolist()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda t: t.where(col("t") > 5), r"> takes no datetime64\[us\] and int64"),
        (lambda t: t.where(col("t") > "noon"), "'noon' is no point in time: it is spelled as"),
        (lambda t: t.select(col("t") + col("u")), r"\+ takes no datetime64\[us\] and datetime64"),
        (lambda t: t.select(col("d") + 1), r"\+ takes no timedelta64\[us\] and int64"),
        (lambda t: t.agg(col("t").sum()), r"no sum\(\) of a column of datetime64\[us\]"),
        (lambda t: t.select(col("k").dt.year()), r"no \.dt of int64"),
        (lambda t: t.select(col("d").dt.year()), r"no \.dt\.year of durations"),
        (lambda t: t.select(col("t").dt.truncate("age")), "no unit 'age'"),
        (lambda t: t.select(col("t").cast(str)), r"datetime64\[us\] is not cast to str"),
        (lambda t: t.select(col("u").fill_null(0)), r"cannot be filled with int64"),
        (lambda t: t.where(col("t") > pd.NaT), "NaT stands for no value"),
        (
            lambda t: t.where(col("t") > dt.datetime(2024, 1, 1, tzinfo=dt.UTC)),
            "has a time zone, which columns do not have",
        ),
        (lambda t: da.table({"t": pd.to_datetime(["2024"], utc=True)}), "have no time zones"),
    ],
)
def test_what_is_wrong_is_said_at_the_call(ask: Callable[[Any], Any], message: str):
    with pytest.raises(InputError, match=message):
        ask(_table())
