# Lazy tables: what queries give, what they compile, what they copy, and what they refuse.
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import diablo
import diablo.array as da
from diablo.array import col
from diablo.diagnostics import InputError
from diablo.runtime.device.device import DEVICE, STAND_IN
from diablo.runtime.device.found_device import find_device
from diablo.table import query_programs
from fuzzing.random_queries import RandomQuery, difference

pd = pytest.importorskip("pandas")
pa = pytest.importorskip("pyarrow")

DOCS = Path(__file__).parents[2] / "docs" / "tables.md"


def _table() -> Any:
    return da.table(
        {
            "k": [2, 1, 2, 3],
            "x": [0.5, 1.5, np.nan, -0.0],
            "s": ["b", "", "zä", "b"],
            "p": [True, False, True, True],
        }
    )


def test_the_examples_of_the_page():
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```python\n(.*?)^```$", DOCS.read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    for block in blocks:
        exec(compile(block, str(DOCS), "exec"), names)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([None, 1, 3]))
def test_random_queries(seed: int, block_size: int | None):
    query = RandomQuery(Random(seed))
    query.table.collect(block_size=block_size)
    assert difference(query, query.table.to_list()) is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["always", "never"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_filters_by_numpys_strings(mode: str, order: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    words = ["", "id1", "id12", "zä", "id12 and more", "\ud800", "Id1"]
    array = np.array(Random(3).choices(words, k=400)).astype(f"{order}U13")
    table, number = da.table({"s": array, "n": np.arange(400)}), np.arange(400)
    for word in [*words, "id12 and more than that", "id1\0"]:
        same = np.array([text == word for text in array.tolist()])
        for test, wanted in [
            (col("s") == word, same),
            (col("s") != word, ~same),
            (col("s").str.startswith(word), [t.startswith(word) for t in array.tolist()]),
            (col("s").str.endswith(word), [t.endswith(word) for t in array.tolist()]),
            (col("s").is_in([word, "id1"]), same | (array.astype(object) == "id1")),
        ]:
            assert table.where(test)["n"].to_numpy().tolist() == number[wanted].tolist()
    kept = table.where(col("n") >= 0).to_dict()["s"]
    assert list(kept) == array.tolist()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("mode", ["always", "never"])
def test_random_queries_in_machine_code(mode: str, threads: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    monkeypatch.setenv("DIABLO_THREADS", threads)
    for seed in range(100, 106):
        query = RandomQuery(Random(seed), most_rows=40)
        assert difference(query, query.table.to_list()) is None


# ---- against pandas ------------------------------------------------------------------


def _frame(rows: int, seed: int = 0) -> Any:
    generator = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "k": generator.integers(0, 50, rows),
            "g": generator.integers(-3, 3, rows).astype("int8"),
            "x": generator.random(rows),
            "f": generator.random(rows).astype("float32"),
            "s": generator.choice(["a", "bb", "", "zä"], rows),
            "p": generator.random(rows) < 0.5,
        }
    )


def _same(found: Any, expected: Any, keys: list[str] | None = None) -> None:
    found = found.to_pandas()[list(expected.columns)]
    if keys is not None:
        found = found.sort_values(keys).reset_index(drop=True)
        expected = expected.sort_values(keys).reset_index(drop=True)
    pd.testing.assert_frame_equal(
        found, expected.reset_index(drop=True), check_dtype=False, rtol=1e-5
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("rows", [0, 1, 1000])
def test_queries_are_those_of_pandas(rows: int):
    frame = _frame(rows)
    t = da.table(frame)
    other = pd.DataFrame({"k": np.arange(0, 60, 2), "y": np.arange(30.0)})
    u = da.table(other)
    _same(t.where((col("x") > 0.5) & col("p")), frame[(frame.x > 0.5) & frame.p])
    _same(t.order_by("s", "x", descending=[True, False]),
          frame.sort_values(["s", "x"], ascending=[False, True]))  # fmt: skip
    _same(t.head(7), frame.head(7))
    grouped = t.group_by("k", "s").agg(
        total=col("x").sum(), n=da.count(), mean=col("f").mean(), least=col("g").min()
    )
    expected = frame.groupby(["k", "s"], as_index=False).agg(
        total=("x", "sum"), n=("x", "size"), mean=("f", "mean"), least=("g", "min")
    )
    _same(grouped, expected, ["k", "s"])
    keys = ["k", "x"]
    _same(t.join(u, on="k"), frame.merge(other, on="k"), keys)
    _same(t.join(u, on="k", how="left"), frame.merge(other, on="k", how="left"), keys)
    _same(t.join(u, on="k", how="outer").select("k", "y"),
          frame.merge(other, on="k", how="outer")[["k", "y"]], ["k", "y"])  # fmt: skip
    _same(t.join(u, on="k", how="anti"), frame[~frame.k.isin(other.k)])
    _same(t.distinct("k"), frame.drop_duplicates("k"), ["k"])
    made = frame.assign(y=frame.x * 2 + frame.k, z=frame.s + "!")
    _same(t.with_columns(y=col("x") * 2 + col("k"), z=col("s") + "!"), made)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
              "float32", "float64", "complex64", "complex128", "bool"]
)  # fmt: skip
def test_all_widths_of_numbers(dtype: str):
    array = np.array([1, 0, 1, 3], dtype)
    t = da.table({"x": array})
    assert t.dtypes == {"x": np.dtype(dtype)}
    kept = t.where(col("x") != 0).to_numpy()["x"]
    assert kept.dtype == array.dtype
    np.testing.assert_array_equal(kept, array[array != 0])
    total = t.agg(col("x").sum()).to_numpy()["x"]
    assert total.dtype == array.sum().dtype
    assert total[0] == array.sum()
    if dtype != "bool":
        np.testing.assert_array_equal(t.select(y=col("x") + 1).to_numpy()["y"], array + 1)
    if not dtype.startswith("complex"):
        assert sorted(t.distinct().to_dict()["x"]) == sorted(set(array.tolist()))


def test_integers_with_a_sign_and_without_are_compared_exactly():
    most = np.array([2**64 - 1, 2**63, 5, 5], np.uint64)
    t = da.table({"u": most, "i": np.array([-1, 2**63 - 1, 5, -5])})
    made = t.select(
        less=col("i") < col("u"), more=col("i") > col("u"), same=col("u") == col("i"),
        other=col("i") != col("u"), least=col("u") <= col("i"),
    )  # fmt: skip
    assert made.to_dict() == {
        "less": [True, True, False, True],
        "more": [False, False, False, False],
        "same": [False, False, True, False],
        "other": [True, True, False, True],
        "least": [False, False, True, False],
    }


# ---- what is compiled ----------------------------------------------------------------


def _program_count() -> int:
    return len(query_programs._programs)  # pyright: ignore[reportPrivateUsage]


def test_a_query_of_the_same_shape_compiles_nothing():
    def ask(frame: dict[str, Any], least: float, name: str) -> Any:
        first, second = frame
        t = da.table(frame)
        return t.where((col(second) > least) & (col(first) != 7)).select(**{name: col(first) * 2})

    ask({"a": [1, 2], "b": [0.5, 1.5]}, 1.0, "y").collect()
    before = _program_count()
    made = ask({"c": [5, 7, 6], "d": [9.0, 9.0, 8.5]}, 8.0, "z")
    assert made.to_dict() == {"z": [10, 12]}
    assert _program_count() == before
    # Another operation, or type, is another program.
    ask({"a": np.array([1, 2], np.int8), "b": [0.5, 1.5]}, 1.0, "y").collect()
    assert _program_count() == before + 1


def _kernels(query: Any) -> int:
    return query.explain().count("func.func private @kernel")


def test_a_filter_with_arithmetic_and_sums_of_groups_is_one_kernel():
    t = _table()
    query = t.where(col("x") > 0).with_columns(y=col("x") * 2).group_by("k").agg(col("y").sum())
    assert _kernels(query) == 1


def test_columns_that_nobody_needs_are_not_given():
    text = _table().where(col("p")).group_by("k").agg(col("x").sum()).explain("tensor_block")
    assert "bag<i64, f64, i1> {diablo.name" in text
    assert "string" not in text


def _before(text: str, first: str, second: str) -> bool:
    return first in text and text.index(first) < text.index(second)


@pytest.mark.parametrize(
    "query",
    [
        lambda t, u: t.join(u, on="k").where(col("x") > 0.0),
        lambda t, u: t.join(u, on="k").where(col("y") > 0.0),
        lambda t, u: t.join(u, on="k", how="left").where(col("x") > 0.0),
        lambda t, u: t.join(u, on="k", how="semi").where(col("x") > 0.0),
        lambda t, u: t.join(u, on="k", how="right").where(col("y") > 0.0),
    ],
)
def test_filters_move_below_joins(query: Callable[[Any, Any], Any]):
    t, u = _table(), da.table({"k": [1, 2], "y": [0.5, -1.0]})
    text = query(t, u).explain("tensor_block")
    assert _before(text, "tensor_block.filter", "tensor_block.join")


@pytest.mark.parametrize(
    "query",
    [
        lambda t, u: t.join(u, on="k", how="left").where(col("y") > 0.0),
        lambda t, u: t.join(u, on="k", how="outer").where(col("x") > 0.0),
        lambda t, u: t.join(u, on="k", how="right").where(col("x") > 0.0),
        lambda t, u: t.join(u, on="k").where(col("x") > col("y")),
    ],
)
def test_filters_stay_above_joins_that_make_nulls(query: Callable[[Any, Any], Any]):
    t, u = _table(), da.table({"k": [1, 2], "y": [0.5, -1.0]})
    text = query(t, u).explain("tensor_block")
    assert _before(text, "tensor_block.join", "tensor_block.filter")


def test_filters_move_before_groups_by_keys_alone():
    grouped = _table().group_by("k").agg(x=col("x").sum())
    moved = grouped.where(col("k") > 1).explain("tensor_block")
    assert _before(moved, "tensor_block.filter", "tensor_block.group_reduce")
    kept = grouped.where(col("x") > 1).explain("tensor_block")
    assert _before(kept, "tensor_block.group_reduce", "tensor_block.filter")


def test_filters_stay_behind_a_limit_and_above_what_is_shared():
    limited = _table().order_by("x").head(2).where(col("k") > 1)
    text = limited.explain("tensor_block")
    assert _before(text, "tensor_block.sort", "tensor_block.filter")
    joined = _table().join(da.table({"k": [1, 2], "y": [0.5, -1.0]}), on="k")
    shared = joined.where(col("x") > 0).concat(joined)
    assert shared.explain("tensor_block").count("tensor_block.join") == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("count", [3, 100])
def test_what_is_in_many_values_is_joined_with_them(count: int):
    t = da.table({"k": [1, None, 3, 1], "s": ["a", "ü", "", "zä"], "x": [1.0, np.nan, 3.0, 4.0]})
    values = range(3, 3 + count)
    assert t.where(col("k").is_in(values)).to_dict()["s"] == [""]
    assert t.where(~col("k").is_in(values)).to_dict()["s"] == ["a", "zä"]
    assert t.where(col("k").is_in(values), col("s") == "a").to_dict()["s"] == []
    words = ["ü", "zä", *map(str, values)]
    assert t.where(col("s").is_in(words)).select("s").to_dict() == {"s": ["ü", "zä"]}
    assert t.where(~col("x").is_in(values)).to_dict()["s"] == ["a", "ü"]
    made = t.select(there=col("k").is_in(values), big=col("x") + 1)
    assert made.to_dict()["there"] == [False, None, True, False]
    text = t.where(col("k").is_in(values)).explain("tensor_block")
    assert ("tensor_block.join" in text) == (count > 16)


# ---- windows and order ---------------------------------------------------------------


def test_windows_are_those_of_pandas():
    frame = _frame(300)
    t = da.table(frame)
    k, x = frame.groupby("k"), frame.groupby("k")["x"]
    made = t.with_columns(
        shifted=col("x").shift(2).over("k"), running=col("x").cumsum().over("k"),
        least=col("x").cummin().over("k"), rolled=col("x").rolling_mean(4).over("k"),
        spread=col("x").rolling_std(3, min_samples=2).over("k"), place=col("x").rank().over("k"),
        middle=col("x").median().over("k"), deviation=col("x").std().over("k"),
        part=(col("x") / col("x").sum()).over("k"), change=col("x").pct_change().over("k"),
        number=da.row_number().over("k", order_by="x"), words=col("s").n_unique().over("k"),
    )  # fmt: skip
    expected = frame.assign(
        shifted=x.shift(2), running=x.cumsum(), least=x.cummin(),
        rolled=x.transform(lambda v: v.rolling(4).mean()),
        spread=x.transform(lambda v: v.rolling(3, min_periods=2).std()), place=x.rank(),
        middle=x.transform("median"), deviation=x.transform("std"),
        part=frame.x / x.transform("sum"),
        change=x.pct_change(), number=x.rank("first"), words=k["s"].transform("nunique"),
    )  # fmt: skip
    _same(made, expected)
    grouped = t.group_by("k").agg(
        col("x").quantile(0.3).alias("part"), deviation=("x", "std"), variance=col("x").var(ddof=0)
    )
    expected = k.agg(part=("x", lambda v: v.quantile(0.3)), deviation=("x", "std"))
    expected["variance"] = x.var(ddof=0)
    _same(grouped, expected.reset_index(), ["k"])
    _same(t.tail(7), frame.tail(7))
    _same(t.group_by("k").head(2), k.head(2))
    _same(t.group_by("k").tail(2), k.tail(2))


def test_products():
    t = da.table({"k": [1, 1, 2], "x": [3.0, 4.0, None], "n": [2, 3, 5]})
    found = t.group_by("k").prod().order_by("k").to_dict()
    assert found == {"k": [1, 2], "x": [12.0, 1.0], "n": [6, 5]}
    assert t.select(x=col("x").prod().over("k")).to_dict() == {"x": [12.0, 12.0, 1.0]}
    with pytest.raises(InputError, match=r"there is no prod\(\) of a column of bool"):
        t.agg((col("n") > 2).prod())


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
def test_quantiles_are_those_of_numpy(interpolation: Any):
    values = np.array([3.0, 1.0, 2.0, 2.0, 7.5, -1.0])
    t = da.table({"x": values})
    for q in (0.0, 0.1, 0.5, 0.75, 1.0):
        found = t.agg(col("x").quantile(q, interpolation)).to_dict()["x"]
        assert found == [np.quantile(values, q, method=interpolation)]
    assert np.isnan(da.table({"x": [1.0, np.nan]}).agg(col("x").median()).to_dict()["x"][0])
    assert da.table({"x": [np.inf, np.inf]}).agg(col("x").median()).to_dict() == {"x": [np.inf]}
    assert t.where(col("x") > 9).agg(col("x").median(), s=col("x").std()).to_dict() == {
        "x": [None],
        "s": [None],
    }


def test_variances_of_small_differences_are_exact():
    values = 1e9 + np.array([0.0, 1.0, 2.0, 1.0])
    t = da.table({"k": [1, 1, 1, 1], "x": values})
    assert t.agg(col("x").var()).to_dict()["x"] == [pytest.approx(2 / 3, rel=1e-12)]
    assert t.group_by("k").var().to_dict()["x"] == [pytest.approx(2 / 3, rel=1e-12)]
    rolled = t.select(col("x").rolling_var(3)).to_dict()["x"]
    assert rolled[2:] == [pytest.approx(1.0), pytest.approx(1 / 3)]


def test_nothing_leaves_a_trace_in_running_sums():
    t = da.table({"k": [1, 2, 1, 2, 1], "x": [np.inf, 1.0, np.nan, 1e300, 2.0]})
    found = t.select(col("x").rolling_sum(1).over("k"), sum=col("x").cum_sum().over("k")).to_dict()
    np.testing.assert_array_equal(found["x"], [np.inf, 1.0, np.nan, 1e300, 2.0])
    np.testing.assert_array_equal(found["sum"][1::2], [1.0, 1e300])


def test_windows_of_equal_groups_are_one_op():
    t = _table()
    made = t.with_columns(
        a=col("x").sum().over("k"), b=col("x").max().over("k"), c=col("x").shift(1).over("k"),
        d=col("x").shift(1).over("k") + 1,
    )  # fmt: skip
    text = made.explain("tensor_block")
    assert text.count("tensor_block.window") == 1
    assert text.count(" by %") == 1
    # An operand that looks at other rows itself is found before.
    nested = t.select(col("x").diff().cum_sum().over("k")).explain("tensor_block")
    assert nested.count("tensor_block.window") == 2


def test_filters_move_before_windows_by_keys_alone():
    looked = _table().with_columns(y=col("x").sum().over("k"))
    moved = looked.where(col("k") > 1).explain("tensor_block")
    assert _before(moved, "tensor_block.filter", "tensor_block.window")
    for condition in (col("y") > 1, col("x") > 1):
        kept = looked.where(condition).explain("tensor_block")
        assert _before(kept, "tensor_block.window", "tensor_block.filter")
    assert looked.where(col("k") > 2).to_dict()["y"] == [0.0]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda t: t.select(col("s").cum_sum()), "there is no cum_sum() of a column of str"),
        (lambda t: t.agg(col("s").median()), "there is no median() of a column of str"),
        (lambda t: t.agg(col("x").quantile(2)), "q of quantile() is a number from 0 to 1, not 2"),
        (lambda t: t.agg(col("x").std(ddof=-1)), "ddof of std() is a whole number"),
        (lambda t: t.agg(col("x").std(1, 2)), "std() takes the options ddof, and not 2"),
        (lambda t: t.agg(col("x").median(1)), "median() takes no options, and not 1"),
        (lambda t: t.agg(col("x").quantile(True)), "a number from 0 to 1, not True"),
        (lambda t: t.agg(col("x").quantile(False)), "a number from 0 to 1, not False"),
        (lambda t: t.select(col("s").diff()), "there is no diff() of a column of str"),
        (lambda t: t.select(col("s").pct_change()), "there is no pct_change() of a column of str"),
        (lambda t: t.agg(col("x").std(odd=1)), "std() has no option 'odd' left to be given"),
        (lambda t: t.select(col("x").shift(1.5)), "shift() takes a whole number of rows"),
        (lambda t: t.select(col("x").rolling_sum(0)), "rolling_sum() takes a number that is 1 or"),
        (lambda t: t.select(col("x").rank("mid")), "rank() is one of average, min, max, dense"),
        (lambda t: t.select(col("x").shift(2**70)), "does not fit in 64 bits"),
        (
            lambda t: t.select(col("s").rolling_max(2)),
            "there is no rolling_max() of a column of str",
        ),
        (lambda t: t.select(col("s").rolling_std(2)), "there is no rolling_std() of a column of"),
        (lambda t: t.head("a"), "head() takes a whole number of rows, and not 'a'"),
        (lambda t: t.group_by("k").tail(1.5), "tail() takes a whole number of rows, and not 1.5"),
        (lambda t: t.agg(y=col("x").sum().over("k")), "over() is of rows, and agg() of groups"),
        (lambda t: t.with_columns(y=col("x").sum()), "or is of the groups of each row, by over()"),
        (lambda t: t.select(col("x").shift().over("q")), "the table has no column 'q'"),
        (lambda t: t.select(col("s").shift(1, 3)), "a choice is of one type"),
        (lambda t: t.tail(-1), "tail() takes a number that is 0 or more, and not -1"),
    ],
)
def test_what_windows_are_not_is_an_error_at_once(made: Callable[[Any], Any], message: str):
    with pytest.raises(InputError, match=re.escape(message)):
        made(_table())


def test_numbers_of_numpy_are_numbers_of_rows():
    t = _table()
    one = t.select(col("k").shift(np.int8(1)), y=col("k").rolling_sum(np.uint64(2)))
    assert one.to_list() == t.select(col("k").shift(1), y=col("k").rolling_sum(2)).to_list()
    assert t.head(np.int32(2)).to_list() == t.head(2).to_list()
    assert t.agg(col("k").quantile(np.float32(0.5))).to_dict() == {"k": [2.0]}


# ---- devices -------------------------------------------------------------------------


def test_a_device_computes_what_the_processor_does(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv(DEVICE, STAND_IN)
    t = da.table({"k": np.arange(400) % 9, "x": np.arange(400) * 0.5})
    launches = find_device().traffic.launches
    found = t.where(col("x") > 100).with_columns(y=col("x") * 2 + col("k")).collect(device="gpu")
    assert find_device().traffic.launches > launches
    expected = t.where(col("x") > 100).with_columns(y=col("x") * 2 + col("k"))
    assert found.to_dict() == expected.to_dict()
    with pytest.raises(InputError, match="there is no device 'tpu'; there are cpu, gpu and auto"):
        _table().distinct().collect(device="tpu")
    with pytest.raises(InputError, match="device 'gpu' is for the local engine"):
        _table().distinct().collect(device="gpu", engine="spark")


# ---- nulls ---------------------------------------------------------------------------


def test_nulls_of_arrow_pandas_and_python_are_nulls():
    for frame in (
        pa.table({"x": pa.array([1, None, 3]), "s": pa.array(["a", None, ""])}),
        pd.DataFrame({"x": pd.array([1, None, 3], dtype="Int64"), "s": ["a", None, ""]}),
        {"x": np.ma.masked_array([1, 2, 3], [0, 1, 0]), "s": ["a", None, ""]},
        [{"x": 1, "s": "a"}, {}, {"x": 3, "s": ""}],
    ):
        t = da.table(frame)
        assert t.to_dict() == {"x": [1, None, 3], "s": ["a", None, ""]}
        assert t.schema == {"x": "int64?", "s": "str?"}
        assert t.where(col("x") > 1).to_dict() == {"x": [3], "s": [""]}
        assert t.drop_nulls().schema == {"x": "int64", "s": "str"}
        assert t.fill_null(0).to_dict()["x"] == [1, 0, 3]
        assert t.agg(col("x").sum(), n=col("s").count(), m=da.count()).to_list() == [
            {"x": 4, "n": 2, "m": 3}
        ]


def test_a_nan_of_numpy_is_a_value():
    t = da.table(pd.DataFrame({"x": [1.0, np.nan]}))
    assert t.schema == {"x": "float64"}
    assert np.isnan(t.agg(col("x").sum()).to_dict()["x"][0])
    assert len(t.drop_nulls()) == 2


def test_nulls_come_out_as_each_library_has_them():
    t = da.table({"i": [1, None], "f": [1.5, None], "s": ["a", None], "p": [True, None]})
    frame = t.to_pandas()
    assert frame.isna().iloc[1].all()
    assert frame["i"].dtype == np.float64
    arrow = t.to_arrow()
    assert arrow.column("i").to_pylist() == [1, None]
    assert arrow.column("p").to_pylist() == [True, None]
    assert str(arrow.column("i").type) == "int64"
    assert da.table(arrow).to_dict() == t.to_dict()


# ---- memory --------------------------------------------------------------------------


def test_numbers_are_shared_in_and_out():
    array = np.arange(1000.0)
    t = da.table({"x": array, "n": np.arange(1000)})
    assert np.shares_memory(t.to_numpy()["x"], array)
    assert np.shares_memory(t.to_pandas()["x"].to_numpy(), array)
    assert t.to_arrow().column("x").chunk(0).buffers()[1].address == array.ctypes.data
    assert np.shares_memory(t.select("x").to_numpy()["x"], array)
    frame = pd.DataFrame({"x": array}, copy=False)
    assert np.shares_memory(da.table(frame)["x"].to_numpy(), frame["x"].to_numpy())
    arrow = pa.table({"x": array})
    address = arrow.column("x").chunk(0).buffers()[1].address
    assert da.table(arrow).to_numpy()["x"].ctypes.data == address
    made = t.with_columns(y=col("x") + 1)
    assert np.shares_memory(made.to_pandas()["y"].to_numpy(), made.to_numpy()["y"])
    with pytest.raises(ValueError, match="read-only"):
        t.to_numpy()["x"][0] = 1.0


def test_strings_of_many_rows_go_in_and_out():
    words = [f"word {k % 100}" for k in range(20_000)]
    t = da.table(pa.table({"s": words}))
    assert t.to_arrow().column("s").to_pylist() == words
    assert t.to_pandas()["s"].tolist() == words
    kept = t.where(col("s").str.endswith("7"))
    assert kept.to_arrow().column("s").to_pylist() == [w for w in words if w.endswith("7")]
    counts = t.group_by("s").len().to_dict()
    assert set(counts["len"]) == {200}


# ---- arrays, programs ----------------------------------------------------------------


def test_columns_are_lazy_arrays():
    t = _table()
    assert isinstance(t["x"], da.asarray(1.0).__class__)
    query = t.where(t["k"] * 2 > 2)
    # What is computed of columns is in the query: no array is given to it.
    assert query.explain() == t.where(col("k") * 2 > 2).explain()
    assert query.to_dict()["k"] == [2, 2, 3]
    assert float(da.sum(t.where(col("k") == 2)["k"])) == 4
    assert t.with_columns(y=da.arange(4) * 2).to_dict()["y"] == [0, 2, 4, 6]
    assert t.where(np.array([True, False, False, True])).to_dict()["k"] == [2, 3]
    assert t.where(t["k"] > da.mean(t["k"])).to_dict()["k"] == [3]
    assert da.table({"y": t["k"] + 1}).to_dict() == {"y": [3, 2, 3, 4]}


def test_arrays_stand_beside_tables_that_are_computed_later():
    t = _table().with_columns(y=col("k") * 10)
    assert t.where(da.asarray([1, 0, 0, 1]) > 0).select("y").to_dict() == {"y": [20, 30]}
    assert not t.is_computed
    kept = t.where(col("k") > 1)
    assert kept.with_columns(z=np.arange(3)).to_dict()["z"] == [0, 1, 2]


def test_tables_are_arguments_of_programs():
    program = diablo.compile(
        "input A: list[<x: Double, k: Int>]; [ <k = k, n = count/x> | a <- A, let x = a.x, "
        "group by k: a.k, order by k ]"
    )
    result = program(A=_table())
    again = da.table(result)
    assert again.to_dict() == {"k": [1, 2, 3], "n": [1, 2, 1]}
    assert da.table(result).join(again, on="k").select("n_right").to_dict() == {
        "n_right": [1, 2, 1]
    }
    vector = diablo.compile("input V: vector[Double]; tensor(V.length)[ (i,2.0*v) | (i,v) <- V ]")
    doubled = da.asarray(vector(V=_table()["x"]))
    assert doubled[1] == 3.0
    nulls = da.table({"k": [1, None], "x": [1.0, 2.0]})
    with pytest.raises(InputError, match="'k' has no value in row 2"):
        program(A=nulls)


def test_queries_in_the_language():
    t = _table()
    made = diablo.query("[ <k = a.k, t = a.s + n> | a <- A, a.p ]", A=t, n="!")
    assert isinstance(made, da.Table)
    assert made.to_dict() == {"k": [2, 2, 3], "t": ["b!", "zä!", "b!"]}
    array = diablo.query("M @ v", M=np.eye(2), v=da.asarray([1.0, 2.0]))
    assert isinstance(array, da.asarray(1.0).__class__)
    assert array.tolist() == [1.0, 2.0]
    frame = pd.DataFrame({"a": [1, 2], "not a name": [1, 2]})
    assert diablo.query("+/[ r.a | r <- F ]", F=frame) == 3
    assert diablo.query("(n + 1, x)", n=1, x=0.5) == (2, 0.5)
    assert diablo.query("input n: Int8; n + n", n=100) == -56
    with pytest.raises(diablo.CompileError, match=r"<query>:1:6") as caught:
        diablo.query("1 + (b)", A=t)
    assert "list[<" not in str(caught.value)


# ---- what is refused -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda t: t.where(col("xs") > 1), "no column 'xs'; did you mean 'x'?"),
        (lambda t: t["q"], "no column 'q'; it has 'k', 'x', 's', 'p'"),
        (lambda t: t.where(col("x")), "a condition is true or false, and col('x') is float64"),
        (lambda t: t.where(col("s") > 1), "> takes no str and int64"),
        (lambda t: t.select(col("s") * 2), r"\* takes no str and int64"),
        (lambda t: t.select(col("x") & 1), "& takes no float64"),
        (lambda t: t.select(col("x") + 1, "x"), "several columns 'x'"),
        (lambda t: t.select(da.lit(1)), "needs a name"),
        (lambda t: t.where(col("x") > 1 and col("k") > 1), "joined by & and |"),
        (lambda t: t.group_by("k").agg(col("x")), "'x' is no key of the groups"),
        (lambda t: t.group_by("k").agg(k=da.count()), "'k' is a key of the groups"),
        (lambda t: t.group_by("k").agg(x="mode"), "there is no aggregate 'mode'"),
        (lambda t: t.agg(col("s").sum()), r"no sum\(\) of a column of str"),
        (lambda t: t.with_columns(y=col("x").sum()), "is of many rows"),
        (lambda t: t.join(t, on="z"), "no column 'z'"),
        (lambda t: t.join(t), "needs keys"),
        (lambda t: t.join(t, on=col("k")), "is no name of a column"),
        (lambda t: t.where("k > 1"), "'k > 1' is a string, and no condition"),
        (lambda t: t.where(col("s").is_in("ab")), "takes several values"),
        (lambda t: da.table(pd.Series([1, 2])), "a Series is one column"),
        (lambda t: t.write("t.xls"), r"t\.xls: a table is written to \.parquet"),
        (
            lambda t: t.with_columns(x_right=1).join(t, on="k"),
            "several columns 'x_right': suffix",
        ),
        (lambda t: t.join(t, on="k", how="upper"), "there is no join 'upper'"),
        (lambda t: t.join(t, left_on="k", right_on="s"), "no type in common"),
        (lambda t: t.with_columns(y=np.arange(3)), "has 3 elements, and the table 4 rows"),
        (lambda t: t.concat(t.select("k")), "the same columns"),
        (lambda t: t.order_by("k", descending=[True, False]), "1 keys, and 2 say"),
        (lambda t: t.head(-1), "takes a number that is 0 or more, and not -1"),
        (lambda t: t.select(col("k").cast("date")), "there is no type 'date'"),
        (lambda t: bool(t), "neither true nor false"),
        (lambda t: da.table({"a": [1, 2], "b": [1]}), "'a' has 2 rows, and 'b' 1 row"),
        (lambda t: da.table({"a": [1, "x"]}), "holds int and str"),
        (lambda t: da.table({}), "one column or more"),
        (lambda t: da.table(3), "int is no table"),
        (lambda t: da.table("no.csv"), "there is no file no.csv"),
        (
            lambda t: da.table({"d": np.array([1], "datetime64[as]")}),
            r"'d' holds datetime64\[as\], for which tables have no type",
        ),
        (lambda t: da.table(pa.table({"d": pa.array([[1]])})), "'d' holds list"),
    ],
)
def test_what_is_wrong_is_said_at_the_call(ask: Callable[[Any], Any], message: str):
    with pytest.raises(InputError, match=message.replace("('x')", r"\('x'\)")):
        ask(_table())


# ---- files, engines ------------------------------------------------------------------


def test_files(tmp_path: Path):
    from pyarrow import parquet

    table = pa.table({"k": [1, 2, 3], "s": ["a", None, "c"], "x": [0.5, 1.5, 2.5]})
    parquet.write_table(table, tmp_path / "t.parquet", row_group_size=2)
    t = da.table(tmp_path / "t.parquet")
    assert t.schema == {"k": "int64", "s": "str?", "x": "float64"}
    assert t.where(col("x") > 1).select("k").to_dict() == {"k": [2, 3]}
    assert sorted(t.plan.columns._columns) == [0, 2]
    assert t.to_arrow().to_pydict() == table.to_pydict()
    (tmp_path / "t.csv").write_text("day,n,x\n2024-01-01,1,0.5\n2024-01-02,,1.5\n")
    made = da.table(str(tmp_path / "t.csv"))
    assert made.to_dict() == {
        "day": [date(2024, 1, 1), date(2024, 1, 2)],
        "n": [1, None],
        "x": [0.5, 1.5],
    }
    for suffix in ("parquet", "csv", "tsv"):
        made.write(tmp_path / f"copy.{suffix}")
        assert da.table(tmp_path / f"copy.{suffix}").to_dict() == made.to_dict()
    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"bad\.parquet"):
        da.table(tmp_path / "bad.parquet")


@pytest.mark.spark
def test_queries_on_spark():
    frame = _frame(500)

    def queries() -> list[Any]:
        t, u = da.table(frame), da.table({"k": np.arange(0, 60, 2), "y": np.arange(30.0)})
        rows = t.where(col("x") > 0.1)
        joined = rows.join(u, on="k", how="left").group_by("s").agg(
            n=da.count(), total=col("y").sum(), kinds=col("g").n_unique()
        )  # fmt: skip
        # What is joined on Spark is in no order, so none of that is first.
        ordered = rows.group_by("s").agg(first=col("x").first())
        return [query.order_by("s") for query in (joined, ordered)]

    for here, there in zip(queries(), queries(), strict=True):
        found = there.collect(engine="spark", master="local[2]", block_size=100).to_dict()
        assert found == here.to_dict()


def test_tables_are_shown():
    text = repr(_table())
    assert text.splitlines()[:3] == [
        "    k        x    s      p",
        "int64  float64  str   bool",
        "    2      0.5    b   True",
    ]
    assert "[4 rows x 4 columns]" in text
    assert "<table>" in _table()._repr_html_()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("mode", ["always", "never"])
def test_numpys_functions_of_columns(mode: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("DIABLO_COMPILE", mode)
    x = np.array([1.26, -2.0, 3.5, 4.25])
    t = da.table({"x": x, "k": [1, 1, 2, 2]})
    found = t.select(
        where=np.where(col("x") > 1, col("x"), 0),
        clip=np.clip(col("x"), 0, 2),
        upper=col("x").clip(upper=2),
        tenths=np.round(col("x"), 1),
        tens=col("x").round(-1),
    ).to_dict()
    expected = {
        "where": np.where(x > 1, x, 0),
        "clip": np.clip(x, 0, 2),
        "upper": np.minimum(x, 2),
        "tenths": np.round(x, 1),
        "tens": np.round(x, -1),
    }
    assert found == {name: values.tolist() for name, values in expected.items()}
    tens = da.table({"i": np.array([15, -25, 4], np.int32), "f": np.array([1.25, 2, 3], "f4")})
    rounded = tens.select(i=col("i").round(-1), j=col("i").round(), f=col("f").round(1))
    assert rounded.schema == {"i": "int32", "j": "int32", "f": "float32"}
    assert rounded.to_dict()["i"] == np.array([15, -25, 4]).round(-1).tolist()
    assert rounded.to_dict()["f"] == np.array([1.25, 2, 3], "f4").round(1).tolist()
    folds = t.group_by("k").agg(total=np.sum(col("x")), most=np.max(col("x"))).to_dict()
    assert folds == {"k": [1, 2], "total": [1.26 - 2.0, 7.75], "most": [1.26, 4.25]}
    assert t.where(col("k").is_in(da.asarray([2, 5]))).to_dict()["k"] == [2, 2]
    spread = t.select(std=np.std(col("x")).over(), var=np.var(col("x"), ddof=1).over()).to_dict()
    np.testing.assert_allclose([spread["std"][0], spread["var"][0]], [x.std(), x.var(ddof=1)])
    assert t.select(y=np.clip(col("x"), min=0, max=2)).to_dict()["y"] == np.clip(x, 0, 2).tolist()
    texts = da.table({"s": ["a", "b"], "d": np.array(["2024-01-01", "2024-01-02"], "M8[D]")})
    assert texts.where(col("s").is_in(np.array(["b", "c"]))).to_dict()["s"] == ["b"]
    assert len(texts.where(col("d").is_in(np.array(["2024-01-02"], "M8[ns]"))).to_dict()["s"]) == 1


def test_a_choice_without_an_otherwise_is_null():
    t = da.table({"x": [1.5, -2.0, 3.5], "s": ["a", "b", "c"]})
    found = t.select(
        one=da.when(col("x") > 1).then(1),
        two=da.when(col("x") > 2).then(col("s")).when(col("x") < 0).then("less"),
        named=da.when(col("x") > 2).then(col("x")).otherwise(None),
    ).to_dict()
    assert found == {"one": [1, None, 1], "two": [None, "less", "c"], "named": [None, None, 3.5]}
    assert t.where(da.when(col("x") > 0).then(col("x") > 3)).to_dict()["x"] == [3.5]
    assert t.select(da.when(col("x") > 3).then(1).alias("q")).to_dict() == {"q": [None, None, 1]}
    choice: Any = da.when(col("x") > 1).then(col("x"))
    found = t.select(y=choice + 1, z=choice.is_null(), total=choice.sum().over()).to_dict()
    assert found == {"y": [2.5, None, 4.5], "z": [False, True, False], "total": [5.0] * 3}


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: np.fft.fft(col("x")), "numpy.fft is no function of column expressions"),
        (lambda: np.sum(col("x"), axis=0), "no option 'axis' left"),
        (lambda: da.table({"x": [1]}).select(a=da.when(col("x") > 1)), "needs a then"),
        (lambda: da.table({"x": [1]}).select(a=da.when(col("x")).then(1)), "true or false"),
    ],
)
def test_what_numpys_functions_of_columns_refuse(use: Callable[[], Any], message: str):
    with pytest.raises(InputError, match=message):
        use()
