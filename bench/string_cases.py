"""Cases of strings: words, groups by strings, and the h2o questions with string keys."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from answers import Table
from case_table import Work, by_hand, case, random_of, rows, shown
from group_questions import add_questions
from numpy_groups import Groups
from peers import Columns, Text, given, given_strings, queries


def _words(name: str, count: int, most: int) -> Text:
    """Words of which few are frequent, as in a text."""
    drawn = random_of(name).zipf(1.3, count) % most
    letters = "etaoinshrdlu"
    words = [
        f"{letters[k % 12]}{letters[k // 12 % 12]}{letters[k // 144 % 12]}{k}" for k in range(most)
    ]
    return Text(words, drawn)


def _counts(words: Text, table: Columns) -> dict[str, Any]:
    fixed = words.fixed()

    def numpy() -> Table:
        return Table(np.unique(fixed, return_counts=True))

    return {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select w, count(*) from t group by w",
        lambda pl, t: t["t"].group_by("w").agg(pl.len()),
        lambda pd, t: t["t"].groupby("w", as_index=False, sort=False).size(),
        lambda t: t["t"].groupby("w").size().reset_index(),
    )


@case("strings", "word count, groups")
def word_count(scale: float) -> Work:
    words = _words("word count", rows(1e6, scale), 50_000)
    table = {"w": words}
    source = "input W: list[String]; [ (w, count/one) | w <- W, let one = 1, group by w ]"
    size = f"{shown(len(words))} words"
    return Work(size, source, {"W": given_strings(words)}, _counts(words, table))


@case("strings", "word count, map")
def word_count_by_map(scale: float) -> Work:
    words = _words("word count", rows(1e6, scale), 50_000)
    table = {"w": words}
    source = """
        input W: list[String];
        var counts: map[String,Int] = map();
        for w in W do counts[w] += 1;
        counts
    """
    size = f"{shown(len(words))} words"
    return Work(size, source, {"W": given_strings(words)}, _counts(words, table))


@case("strings", "word count, lines")
def word_count_of_lines(scale: float) -> Work:
    words = _words("lines", rows(1e6, scale, least=60) // 10 * 10, 50_000)
    given_words = words.objects().reshape(-1, 10)
    lines = Text([" ".join(line) for line in given_words.tolist()], np.arange(len(given_words)))
    source = """
        input lines: list[String];
        [ (w, count/one) | line <- lines, w <- line.split(" "), let one = 1, group by w ]
    """

    def python() -> Table:
        counts = Counter(w for line in lines.words for w in line.split(" "))
        return Table((list(counts), list(counts.values())))

    ways = {"Python": by_hand(python)} | queries(
        {"t": {"line": lines}},
        "select w, count(*) from (select unnest(string_split(line, ' ')) as w from t) group by w",
        lambda pl, t: (
            t["t"].select(pl.col("line").str.split(" ").explode()).group_by("line").agg(pl.len())
        ),
        lambda pd, t: t["t"].line.str.split(" ").explode().value_counts().reset_index(),
    )
    size = f"{shown(len(lines))} lines, {shown(len(words))} words"
    return Work(size, source, {"lines": given_strings(lines)}, ways)


@case("strings", "group by, string keys")
def group_by_strings(scale: float) -> Work:
    count = rows(1e6, scale, least=200)
    generator = random_of("string keys")
    keys = Text([f"key{k:05d}" for k in range(10_000)], generator.integers(0, 10_000, count))
    values = generator.random(count)
    fixed = keys.fixed()
    source = """
        input L: list[(String,Double)];
        [ (k, +/x, mean/x) | (k,x) <- L, group by k ]
    """

    def numpy() -> Table:
        groups = Groups([fixed])
        return Table([*groups.keys, groups.sum(values), groups.mean(values)])

    table = {"k": keys, "x": values}
    ways = {"NumPy": by_hand(numpy)} | queries(
        {"t": table},
        "select k, sum(x), avg(x) from t group by k",
        lambda pl, t: t["t"].group_by("k").agg(pl.sum("x"), pl.mean("x").alias("m")),
        lambda pd, t: t["t"].groupby("k", as_index=False).agg(s=("x", "sum"), m=("x", "mean")),
    )
    return Work(f"{shown(count)} rows", source, {"L": given(table)}, ways)


@case("strings", "filter by prefix")
def filter_by_prefix(scale: float) -> Work:
    words = _words("prefix", rows(1e6, scale), 50_000)
    source = 'input W: list[String]; [ w.toUpper() | w <- W, w.startsWith("t"), w.length > 5 ]'
    objects = words.objects()

    def python() -> Table:
        return Table([[w.upper() for w in objects if w.startswith("t") and len(w) > 5]])

    ways = {"Python": by_hand(python)} | queries(
        {"t": {"w": words}},
        "select upper(w) from t where starts_with(w, 't') and length(w) > 5",
        lambda pl, t: (
            t["t"]
            .filter(pl.col("w").str.starts_with("t") & (pl.col("w").str.len_chars() > 5))
            .select(pl.col("w").str.to_uppercase())
        ),
        lambda pd, t: (
            t["t"].w[t["t"].w.str.startswith("t") & (t["t"].w.str.len() > 5)].str.upper().to_frame()
        ),
    )
    return Work(f"{shown(len(words))} words", source, {"W": given_strings(words)}, ways)


add_questions("strings", strings=True)
