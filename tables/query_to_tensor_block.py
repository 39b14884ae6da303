"""Write the structure of a query as a module of the `tensor_block` level.

    t.where(col("x") > 5.0).group_by("k").agg(col("x").sum())
  ==>
    %a = tensor_block.filter %t { %p = arith.cmpf ogt, %x, %literal … }
    %g = tensor_block.group_reduce %a keys 1 monoids(add)

A column that may hold nulls is two in the IR: the values, and truth values that say where there
are any. A value that is missing is any value there; where rows are told apart by it, as by keys, it
is the implicit one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    ModuleOp,
    StringAttr,
    TupleType,
    i1,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, TypeAttribute

from diablo.array.scalar_code import Code, element_type, scalar_code
from diablo.dialects import tensor_block
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.comprehension import ListOp, MonoidOp, PackOp, StringCallOp, StringOp, UnpackOp
from diablo.dialects.comprehension import YieldOp as MonoidYieldOp
from diablo.dialects.monoids import combine, identity, zero_of
from diablo.dialects.number_constants import constant_op
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.string_functions import string
from diablo.monoid_table import MONOIDS, monoid_on
from diablo.table.column_values import INT64, ColumnType
from diablo.table.query_plans import JoinKind
from diablo.table.query_structure import Step
from diablo.table.table_aggregates import ROW_COUNT, Aggregate
from diablo.table.typed_expressions import Typed, read

_EXTREMUM_OF_STRINGS = {"<": ("least_string", "lt"), ">": ("greatest_string", "gt")}
"""The monoid of strings that keeps the least or greatest, and the comparison that it makes."""


@dataclass(frozen=True)
class _Column:
    """A column of a table: where its values are in the bag, and where these are valid."""

    type: ColumnType
    values: int
    valid: int | None = None


@dataclass(frozen=True)
class _Rows:
    """A table in the IR."""

    bag: SSAValue
    columns: tuple[_Column, ...]


Value = tuple[SSAValue, SSAValue | None]
"""A single value, and whether there is one, if that is not always so."""
Write = Callable[["_Body"], Value]
"""What writes a value into a body."""


def ir_type_of(type: ColumnType) -> Attribute:
    """Return the IR's type for the values of a column."""
    return string if type.is_text else element_type(type.storage)


def write_query(steps: Sequence[Step], literals: Sequence[ColumnType]) -> ModuleOp:
    """Return the module of a structure, whose `main` takes tables and literals."""
    return _QueryWriter(steps, literals).module


class _QueryWriter:
    def __init__(self, steps: Sequence[Step], literals: Sequence[ColumnType]):
        self._block = Block()
        self._code = Code(self._block)
        self._monoids: dict[str, Operation] = {}
        self._rows: list[_Rows] = []
        tables = [step for step in steps if step.operation == "table"]
        arguments = [self._block.insert_arg(_bag_type(t.types), k) for k, t in enumerate(tables)]
        self._tables = iter(arguments)
        self._literals = [
            self._block.insert_arg(ir_type_of(type), len(self._block.args)) for type in literals
        ]
        for step in steps:
            self._rows.append(self._write(step, [self._rows[k] for k in step.inputs]))
        last = steps[-1].types
        result = self.picked(self._rows[-1], range(len(last)), last).bag
        self._block.add_op(ReturnOp(result))
        names = [*[f"t{k}" for k in range(len(tables))], *[f"n{k}" for k in range(len(literals))]]
        function = FuncOp(
            "main",
            FunctionType.from_lists([a.type for a in self._block.args], [result.type]),
            Region(self._block),
            arg_attrs=ArrayAttr([DictionaryAttr({"diablo.name": StringAttr(n)}) for n in names]),
        )
        for name, argument in zip(names, self._block.args, strict=True):
            argument.name_hint = name
        self.module = ModuleOp([*self._monoids.values(), function])

    def _write(self, step: Step, inputs: Sequence[_Rows]) -> _Rows:
        match step.operation:
            case "table":
                return _Rows(next(self._tables), _columns_of(step.types))
            case "filter":
                return self.filtered(inputs[0], step.parameters[0])
            case "compute":
                return self.computed(inputs[0], step.parameters, step.types)
            case "join":
                kind, left_keys, right_keys = step.parameters
                left, right = inputs
                return self.joined(left, right, left_keys, right_keys, kind)
            case "group":
                keys, aggregates = step.parameters
                return self.grouped(inputs[0], keys, aggregates, step.types)
            case "sort":
                return self.sorted(inputs[0], *step.parameters)
            case "concat":
                sides = [
                    self.picked(rows, places, step.types)
                    for rows, places in zip(inputs, step.parameters, strict=True)
                ]
                bag = self._add(tensor_block.ConcatOp(sides[0].bag, sides[1].bag))
                return _Rows(bag, sides[0].columns)
            case operation:
                raise AssertionError(operation)

    def _add(self, op: Operation) -> SSAValue:
        return self._code.add(op)

    # ---- one row at a time ---------------------------------------------------------

    def filtered(self, rows: _Rows, condition: Typed) -> _Rows:
        """Write the rows for which a condition holds; where it is null it does not."""
        body = self._body(rows)
        value, valid = body.value(condition)
        if valid is not None:
            value = body.code.add(arith.AndIOp(value, valid))
        return _Rows(self._add(tensor_block.FilterOp(rows.bag, body.region([value]))), rows.columns)

    def _kept(self, rows: _Rows, holds: Callable[[_Body], SSAValue]) -> _Rows:
        body = self._body(rows)
        region = body.region([holds(body)])
        return _Rows(self._add(tensor_block.FilterOp(rows.bag, region)), rows.columns)

    def computed(
        self, rows: _Rows, expressions: Sequence[Typed], types: Sequence[ColumnType]
    ) -> _Rows:
        """Write other columns of the same rows, nullable as their types say."""
        return self._made(
            rows,
            [_computing(e) for e in expressions],
            types,
            [e.value if e.is_read else None for e in expressions],
        )

    def _made(
        self,
        rows: _Rows,
        values: Sequence[Write],
        types: Sequence[ColumnType],
        reads: Sequence[int | None] | None = None,
        *,
        canonical: bool = False,
    ) -> _Rows:
        """Write columns of rows; of those that are read as they are nothing is computed.

        `canonical` has the implicit value wherever there is none.
        """
        body = self._body(rows)
        made: list[SSAValue] = []
        places: list[int] = []
        columns: list[_Column] = []
        width = len(bag_columns(rows.bag))

        def new(value: SSAValue) -> int:
            made.append(value)
            return width + len(made) - 1

        for number, (write, type) in enumerate(zip(values, types, strict=True)):
            place = None if reads is None else reads[number]
            source = None if place is None else rows.columns[place]
            if source is not None and type.nullable and source.valid is None:
                source = None
            if source is not None and canonical and type.nullable:
                source = None
            if source is not None:
                own = [source.values]
                if type.nullable and source.valid is not None:
                    own.append(source.valid)
            else:
                value, valid = write(body)
                if type.nullable and valid is None:
                    valid = body.truth(True)
                if canonical and valid is not None:
                    value = body.code.choose(valid, value, body.zero(type))
                own = [new(value)]
                if type.nullable and valid is not None:
                    own.append(new(valid))
            columns.append(_Column(type, len(places), len(places) + 1 if type.nullable else None))
            places += own
        bag = rows.bag
        if made:
            bag = self._add(tensor_block.ExtendOp(bag, body.region(made)))
        if places != list(range(len(bag_columns(bag)))):
            bag = self._add(tensor_block.ProjectOp(bag, places))
        return _Rows(bag, tuple(columns))

    def picked(self, rows: _Rows, places: Sequence[int], types: Sequence[ColumnType]) -> _Rows:
        """Write some columns, of which more may be nullable."""
        return self.computed(rows, [read(k, rows.columns[k].type) for k in places], types)

    # ---- joins ---------------------------------------------------------------------

    def joined(
        self,
        left: _Rows,
        right: _Rows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        kind: JoinKind,
    ) -> _Rows:
        """Write the pairs of rows that agree in their keys; a null agrees with nothing."""
        if kind == "right":
            rows = self.joined(right, left, right_keys, left_keys, "left")
            width = len(right.columns)
            places = [*range(width, len(rows.columns)), *range(width)]
            return _Rows(rows.bag, tuple([rows.columns[k] for k in places]))
        if kind == "outer":
            return self._joined_fully(left, right, left_keys, right_keys)
        right = self._with_keys(right, right_keys)
        if kind in ("semi", "anti"):
            right = self._distinct(self.picked(right, right_keys, _types(right, right_keys)))
            right_keys = range(len(right_keys))
        if kind in ("inner", "semi"):
            return self._inner(left, right, left_keys, right_keys, with_right=kind == "inner")
        return self._outer(left, right, left_keys, right_keys, kind)

    def _with_keys(self, rows: _Rows, keys: Sequence[int]) -> _Rows:
        """Write the rows that have a value for each key."""
        valid = [rows.columns[k].valid for k in keys]
        nullable = [place for place in valid if place is not None]
        if not nullable:
            return rows
        return self._kept(rows, lambda body: body.all([body.args[place] for place in nullable]))

    def _inner(
        self,
        left: _Rows,
        right: _Rows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        *,
        with_right: bool,
    ) -> _Rows:
        left = self._with_keys(left, left_keys)
        width = len(bag_columns(left.bag))
        op = tensor_block.JoinOp(
            left.bag,
            right.bag,
            [left.columns[k].values for k in left_keys],
            [right.columns[k].values for k in right_keys],
        )
        bag = self._add(op)
        if with_right:
            return _Rows(bag, (*left.columns, *_behind(right.columns, width)))
        return _Rows(self._add(tensor_block.ProjectOp(bag, range(width))), left.columns)

    def _outer(
        self,
        left: _Rows,
        right: _Rows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        kind: JoinKind,
    ) -> _Rows:
        """Write a left join, or the rows for which one finds nothing."""
        found_at = len(bag_columns(right.bag))
        body = self._body(right)
        bag = self._add(tensor_block.ExtendOp(right.bag, body.region([body.truth(True)])))
        ours = [left.columns[k].values for k in left_keys]
        theirs = [right.columns[k].values for k in right_keys]
        for k in left_keys:
            valid = left.columns[k].valid
            if valid is not None:  # A null agrees with nothing: on the right all is valid.
                ours.append(valid)
                theirs.append(found_at)
        width = len(bag_columns(left.bag))
        nothing = [StringAttr("") if type == string else zero_of(type) for type in bag_columns(bag)]
        joined = self._add(tensor_block.JoinOp(left.bag, bag, ours, theirs, nothing))
        found = width + found_at
        if kind == "anti":
            rows = _Rows(joined, left.columns)
            missing = self._kept(rows, lambda body: body.code.negated(body.args[found]))
            return _Rows(self._add(tensor_block.ProjectOp(missing.bag, range(width))), left.columns)
        columns = [
            _Column(c.type.with_nulls(), c.values, found if c.valid is None else c.valid)
            for c in _behind(right.columns, width)
        ]
        return _Rows(joined, (*left.columns, *columns))

    def _joined_fully(
        self,
        left: _Rows,
        right: _Rows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
    ) -> _Rows:
        """Write a left join, and the right rows for which there is no left one behind it."""
        types = [c.type.with_nulls() for c in (*left.columns, *right.columns)]
        whole = self.joined(left, right, left_keys, right_keys, "left")
        rest = self.joined(right, left, right_keys, left_keys, "anti")
        width = len(left.columns)

        def nothing(type: ColumnType) -> Write:
            return lambda body: (body.zero(type), body.truth(False))

        values = [nothing(c.type) for c in left.columns]
        values += [_reading(rest.columns[k]) for k in range(len(right.columns))]
        other = self._made(rest, values, types)
        one = self.picked(whole, range(width + len(right.columns)), types)
        return _Rows(self._add(tensor_block.ConcatOp(one.bag, other.bag)), one.columns)

    # ---- groups --------------------------------------------------------------------

    def _distinct(self, rows: _Rows) -> _Rows:
        """Write the rows once each; nulls are implicit values already."""
        count = len(bag_columns(rows.bag))
        return _Rows(self._add(tensor_block.GroupReduceOp(rows.bag, count, [])), rows.columns)

    def grouped(
        self,
        rows: _Rows,
        keys: Sequence[Typed],
        aggregates: Sequence[Aggregate],
        types: Sequence[ColumnType],
    ) -> _Rows:
        """Write a row for each group: folds, and what is found otherwise joined with them."""
        if not keys:
            return self._whole(rows, aggregates, types)
        count = len(keys)
        folded = [a for a in aggregates if a.row.way not in ("row", "different")]
        branches: list[tuple[_Rows, list[Aggregate]]] = []
        for function in sorted({a.function for a in aggregates if a.row.way == "row"}):
            chosen = [a for a in aggregates if a.function == function]
            branches.append((self._rows_of_groups(rows, keys, chosen), chosen))
        branches += [
            (self._different(rows, keys, a), [a]) for a in aggregates if a.row.way == "different"
        ]
        if folded or not branches:
            branches.insert(0, (self._folded(rows, keys, folded), folded))
        whole, found = branches[0]
        places = {id(a): count + k for k, a in enumerate(found)}
        for branch, others in branches[1:]:
            width = len(whole.columns)
            whole = self._beside(whole, branch, count)
            places |= {id(a): width + count + k for k, a in enumerate(others)}
        order = [*range(count), *[places[id(a)] for a in aggregates]]
        return self.picked(whole, order, types)

    def _whole(
        self, rows: _Rows, aggregates: Sequence[Aggregate], types: Sequence[ColumnType]
    ) -> _Rows:
        """Write the one row of aggregates of all rows: their folds are single values."""
        body = _Body(self._block, (), self._literals)
        parts: list[SSAValue] = []
        folds: list[tuple[_Rows, _Fold]] = []
        for aggregate in aggregates:
            folds.append(self._whole_fold(rows, aggregate))
        shared = [fold for source, fold in folds if source is rows]
        values = [value for fold in shared for value in fold.values]
        made = iter(())
        if values:
            folded = self._made(rows, values, [_PARTIAL] * len(values))
            made = iter(self._folds(folded.bag, [m for fold in shared for m in fold.monoids]))
        for (source, fold), type in zip(folds, types, strict=True):
            if source is rows:
                found = [next(made) for _ in fold.monoids]
            else:
                own = self._made(source, fold.values, [_PARTIAL] * len(fold.values))
                found = self._folds(own.bag, fold.monoids)
            value, valid = fold.finished(body, found)
            parts.append(value)
            if type.nullable:
                parts.append(body.truth(True) if valid is None else valid)
        bag = self._add(ListOp([parts], _bag_type(types)))
        return _Rows(bag, _columns_of(types))

    def _folds(self, bag: SSAValue, monoids: Sequence[str]) -> list[SSAValue]:
        """Write a fold of each column; those of built-in monoids are one, of tuples."""
        width = len(bag_columns(bag))
        first = width - len(monoids)
        types = bag_columns(bag)[first:]
        together = [
            k for k, m in enumerate(monoids) if not m.startswith("@") and not is_complex(types[k])
        ]
        found: dict[int, SSAValue] = {}
        if len(together) > 1:
            block = Block(arg_types=bag_columns(bag))
            packed = PackOp([block.args[first + k] for k in together])
            block.add_ops([packed, tensor_block.YieldOp(packed.results[0])])
            tuples = self._add(tensor_block.ExtendOp(bag, Region(block)))
            column = self._add(tensor_block.ProjectOp(tuples, [width]))
            name = self._define_together([(monoids[k], types[k]) for k in together])
            whole = UnpackOp(self._add(tensor_block.FoldOp(name, column)))
            self._block.add_op(whole)
            found = dict(zip(together, whole.results, strict=True))
        for k, monoid in enumerate(monoids):
            if k in found:
                continue
            if monoid.startswith("@"):
                self._define(monoid[1:])
            column = self._add(tensor_block.ProjectOp(bag, [first + k]))
            found[k] = self._add(tensor_block.FoldOp(monoid, column))
        return [found[k] for k in range(len(monoids))]

    def _whole_fold(self, rows: _Rows, aggregate: Aggregate) -> tuple[_Rows, _Fold]:
        """Return an aggregate of all rows as a fold, of some of the rows if need be."""
        operand, way = aggregate.operand, aggregate.row.way
        if operand is None or way not in ("row", "different"):
            return rows, _fold_of(aggregate, whole=True)
        if way == "different":
            keyed, _ = self._keyed(rows, [operand], [], [])
            return self._distinct(keyed), _fold_of(ROW_COUNT)
        one = Typed("constant", INT64, (), 0)
        row = self._rows_of_groups(rows, [one], [aggregate])
        return row, _only_value(read(1, row.columns[1].type))

    def _keyed(
        self, rows: _Rows, keys: Sequence[Typed], values: Sequence[Callable[[_Body], Value]],
        types: Sequence[ColumnType],
    ) -> tuple[_Rows, int]:  # fmt: skip
        """Write the keys of rows and values behind them, and how many columns the keys have."""
        made = [*map(_computing, keys), *values]
        reads = [*[k.value if k.is_read else None for k in keys], *[None] * len(values)]
        # Values that are missing come of no key that is told apart by them.
        rows = self._made(rows, made, [*[key.type for key in keys], *types], reads, canonical=True)
        width = sum([1 + (c.valid is not None) for c in rows.columns[: len(keys)]])
        return rows, width

    def _folded(self, rows: _Rows, keys: Sequence[Typed], aggregates: Sequence[Aggregate]) -> _Rows:
        """Write the folds of groups."""
        folds = [_fold_of(a) for a in aggregates]
        values = [partial for fold in folds for partial in fold.values]
        monoids = [monoid for fold in folds for monoid in fold.monoids]
        for monoid in monoids:
            if monoid.startswith("@"):
                self._define(monoid[1:])
        rows, width = self._keyed(rows, keys, values, [_PARTIAL] * len(values))
        bag = self._add(tensor_block.GroupReduceOp(rows.bag, width, monoids))
        columns = list(rows.columns[: len(keys)])
        computed: list[Write] = []
        place = width
        for fold, aggregate in zip(folds, aggregates, strict=True):
            valid = place + 1 if len(fold.monoids) > 1 else None
            columns.append(_Column(aggregate.type, place, valid))
            if fold.finish is not None:
                computed.append(_finishing(fold, place))
            place += len(fold.monoids)
        grouped = _Rows(bag, tuple(columns))
        if not computed:
            return grouped
        made = iter(computed)
        values = [_reading(c) for c in columns[: len(keys)]]
        values += [
            _reading(c) if fold.finish is None else next(made)
            for c, fold in zip(columns[len(keys) :], folds, strict=True)
        ]
        made_anew = [k + len(keys) for k, fold in enumerate(folds) if fold.finish is not None]
        reads = [None if k in made_anew else k for k in range(len(columns))]
        return self._made(grouped, values, [c.type for c in columns], reads)

    def _rows_of_groups(
        self, rows: _Rows, keys: Sequence[Typed], aggregates: Sequence[Aggregate]
    ) -> _Rows:
        """Write values of one row of each group, the first or the last, by several aggregates.

        Which row that is a fold of the numbers of rows says, by which it is found again.
        """
        place = len(bag_columns(rows.bag))
        rows = _Rows(self._add(tensor_block.NumberOp(rows.bag)), rows.columns)
        count = len(keys)
        operands = [a.operand for a in aggregates if a.operand is not None]

        def number(body: _Body) -> Value:
            return body.args[place], None

        values = [number, *map(_computing, operands)]
        types = [INT64, *[a.type for a in aggregates]]
        rows, width = self._keyed(rows, keys, values, types)
        bag = self._add(tensor_block.ProjectOp(rows.bag, range(width + 1)))
        grouped = self._add(tensor_block.GroupReduceOp(bag, width, [aggregates[0].row.monoid]))
        own = self.picked(rows, range(count, len(rows.columns)), types)
        found = self._add(tensor_block.JoinOp(own.bag, grouped, [0], [width]))
        behind = _behind(rows.columns[:count], len(bag_columns(own.bag)))
        whole = _Rows(found, (*behind, *own.columns[1:]))
        return self.picked(whole, range(len(whole.columns)), [c.type for c in whole.columns])

    def _different(self, rows: _Rows, keys: Sequence[Typed], aggregate: Aggregate) -> _Rows:
        """Write how many different values groups have."""
        operand = aggregate.operand
        assert operand is not None
        rows, _ = self._keyed(rows, [*keys, operand], [], [])
        rows = self._distinct(rows)
        own = [read(k, rows.columns[k].type) for k in range(len(keys))]
        return self._folded(rows, own, [ROW_COUNT])

    def _beside(self, one: _Rows, other: _Rows, keys: int) -> _Rows:
        """Write rows of equal groups beside each other; a NaN is equal to itself as a key."""
        sides = [self._comparable(rows, keys) for rows in (one, other)]
        (left, left_keys), (right, right_keys) = sides  # Equal keys are in equal places.
        width = len(bag_columns(left.bag))
        bag = self._add(tensor_block.JoinOp(left.bag, right.bag, left_keys, right_keys))
        return _Rows(bag, (*left.columns, *_behind(right.columns, width)))

    def _comparable(self, rows: _Rows, keys: int) -> tuple[_Rows, list[int]]:
        """Write numbers without NaN instead of floats that are keys, and whether they are NaN."""
        places: list[int] = []
        made: list[SSAValue] = []
        body = self._body(rows)
        width = len(bag_columns(rows.bag))
        for column in rows.columns[:keys]:
            if column.valid is not None:
                places.append(column.valid)
            if column.type.dtype.kind != "f":
                places.append(column.values)
                continue
            value, dtype = body.args[column.values], column.type.dtype
            is_nan = body.code.compare("not_equal", value, value, dtype)
            places += [width + len(made), width + len(made) + 1]
            made += [body.code.choose(is_nan, body.zero(column.type), value), is_nan]
        if not made:
            return rows, places
        bag = self._add(tensor_block.ExtendOp(rows.bag, body.region(made)))
        return _Rows(bag, rows.columns), places

    def _define(self, name: str) -> None:
        if name not in self._monoids:
            self._monoids[name] = _extremum_of_strings(name)

    def _define_together(self, folds: Sequence[tuple[str, Attribute]]) -> str:
        """Define the monoid of tuples that folds each part with a monoid, and return its name."""
        name = f"together_{len(self._monoids)}"
        parts = [cast("TypeAttribute", type) for _, type in folds]
        type = TupleType(ArrayAttr(parts))
        block = Block(arg_types=[type, type])
        one, other = (UnpackOp(argument) for argument in block.args)
        block.add_ops([one, other])
        made: list[SSAValue] = []
        for (monoid, _), a, b in zip(folds, one.results, other.results, strict=True):
            op = combine(monoid, a, b)
            block.add_op(op)
            made.append(op.results[0])
        packed = PackOp(made)
        block.add_ops([packed, MonoidYieldOp([], [packed.results[0]])])
        nothing = ArrayAttr[Attribute]([identity(monoid, type) for monoid, type in folds])
        self._monoids[name] = MonoidOp(name, type, nothing, Region(block))
        return f"@{name}"

    # ---- order ---------------------------------------------------------------------

    def sorted(self, rows: _Rows, keys: Sequence[tuple[Typed, bool]], limit: int | None) -> _Rows:
        """Write rows in an order, nulls last either way, and the first of them alone."""
        body = self._body(rows)
        width = len(bag_columns(rows.bag))
        made: list[SSAValue] = []
        by: list[tuple[int, bool]] = []
        for key, descending in keys:
            place: int = key.value if key.is_read else -1
            column = rows.columns[place] if key.is_read else None
            if column is not None and column.valid is None:
                by.append((column.values, descending))
                continue
            value, valid = body.value(key)
            if valid is not None:
                by.append((width + len(made), False))
                made.append(body.code.negated(valid))
                value = body.code.choose(valid, value, body.zero(key.type))
            by.append((width + len(made), descending))
            made.append(value)
        bag = rows.bag
        if made:
            bag = self._add(tensor_block.ExtendOp(bag, body.region(made)))
        count = None
        if limit is not None:
            count = self._add(arith.IndexCastOp(self._literals[limit], IndexType()))
        bag = self._add(tensor_block.SortOp(bag, by, count))
        if made:
            bag = self._add(tensor_block.ProjectOp(bag, range(width)))
        return _Rows(bag, rows.columns)

    def _body(self, rows: _Rows) -> _Body:
        return _Body(Block(arg_types=bag_columns(rows.bag)), rows.columns, self._literals)


class _Body:
    """A block in which single values are computed: the body of an op on rows, those of a row."""

    def __init__(self, block: Block, columns: Sequence[_Column], literals: Sequence[SSAValue]):
        self._block = block
        self.code = Code(block)
        self.args: Sequence[SSAValue] = block.args
        self._columns = columns
        self._literals = literals
        self._known: dict[Typed, Value] = {}

    def region(self, values: Sequence[SSAValue]) -> Region:
        """Return the region that yields some values."""
        self._block.add_op(tensor_block.YieldOp(*values))
        return Region(self._block)

    def column(self, column: _Column) -> Value:
        """Return the value of a column."""
        valid = None if column.valid is None else self.args[column.valid]
        return self.args[column.values], valid

    def truth(self, value: bool) -> SSAValue:
        """Write true or false."""
        return self.code.add(arith.ConstantOp(BoolAttr.from_bool(value)))

    def constant(self, value: object, type: ColumnType) -> SSAValue:
        """Write a number, a truth value or a string."""
        if type.is_text:
            return self.code.add(StringOp(str(value)))
        return self.code.constant(value, type.storage)

    def zero(self, type: ColumnType) -> SSAValue:
        """Write the implicit value of a type."""
        return self.constant("" if type.is_text else type.storage.type(0), type)

    def all(self, truths: Sequence[SSAValue]) -> SSAValue:
        """Write whether several truth values hold, of which there is one at least."""
        result, *others = truths
        for other in others:
            result = self.code.add(arith.AndIOp(result, other))
        return result

    def _both(self, values: Sequence[Value]) -> SSAValue | None:
        """Write whether there are values for all operands."""
        found = list(dict.fromkeys(valid for _, valid in values if valid is not None))
        return self.all(found) if found else None

    def value(self, expression: Typed) -> Value:
        """Write an expression, equal ones once."""
        found = self._known.get(expression)
        if found is None:
            found = self._known[expression] = self._written(expression)
        return found

    def _written(self, expression: Typed) -> Value:
        match expression.kind:
            case "read":
                place: int = expression.value
                return self.column(self._columns[place])
            case "literal":
                number: int = expression.value
                return self._literals[number], None
            case "constant":
                return self.constant(expression.value, expression.type), None
            case "and" | "or":
                return self._truth(expression)
            case "is_null":
                _, valid = self.value(expression.operands[0])
                return (self.truth(False) if valid is None else self.code.negated(valid)), None
            case "fill_null":
                one, other = map(self.value, expression.operands)
                return self._filled(one, other)
            case "choose":
                condition, one, other = map(self.value, expression.operands)
                return self._chosen(condition, one, other)
            case _:
                operands = [self.value(operand) for operand in expression.operands]
                return self._applied(expression, [v for v, _ in operands]), self._both(operands)

    def _applied(self, expression: Typed, values: Sequence[SSAValue]) -> SSAValue:
        """Write a function of values that are there."""
        type = expression.type
        if expression.kind == "text":
            return self.code.add(StringCallOp(expression.value, values))
        inputs = tuple([operand.type.storage for operand in expression.operands])
        if expression.kind == "convert":
            return self.code.convert(values[0], inputs[0], type.storage)
        write = scalar_code(expression.value, inputs, type.dtype)
        assert write is not None
        return write(self.code, values, inputs[0])

    def _truth(self, expression: Typed) -> Value:
        """Write `and` or `or`, of which one operand may decide where the other is null."""
        (one, first), (other, second) = [self.value(operand) for operand in expression.operands]
        is_and = expression.kind == "and"
        result = self.code.add(arith.AndIOp(one, other) if is_and else arith.OrIOp(one, other))
        if first is None and second is None:
            return result, None
        deciding: list[SSAValue] = []
        for value, valid in ((one, first), (other, second)):
            decides = self.code.negated(value) if is_and else value
            deciding.append(
                decides if valid is None else self.code.add(arith.AndIOp(decides, valid))
            )
        both = self._both([(one, first), (other, second)])
        assert both is not None
        decided = self.code.add(arith.OrIOp(deciding[0], deciding[1]))
        settled = self.code.negated(decided) if is_and else decided
        # What one operand decides the other, which may be null, has no say in.
        result = self.code.choose(decided, settled, result)
        return result, self.code.add(arith.OrIOp(both, decided))

    def _filled(self, one: Value, other: Value) -> Value:
        value, valid = one
        if valid is None:
            return one
        chosen = self.code.choose(valid, value, other[0])
        return chosen, None if other[1] is None else self.code.add(arith.OrIOp(valid, other[1]))

    def _chosen(self, condition: Value, one: Value, other: Value) -> Value:
        """Write a choice; a condition that is null does not hold."""
        holds, known = condition
        if known is not None:
            holds = self.code.add(arith.AndIOp(holds, known))
        value = self.code.choose(holds, one[0], other[0])
        if one[1] is None and other[1] is None:
            return value, None
        there, elsewhere = (
            self.truth(True) if side[1] is None else side[1] for side in (one, other)
        )
        return value, self.code.choose(holds, there, elsewhere)


# ---- folds -------------------------------------------------------------------------

_PARTIAL = ColumnType(np.dtype(np.float64))
"""Stands for the type of what is folded, which nobody asks for."""


@dataclass(frozen=True)
class _Fold:
    """An aggregate by monoids: what is folded of each row, and what becomes of the folds.

    Without `finish` the first fold is the value, and the second one says whether there is one.
    """

    values: Sequence[Write]
    monoids: Sequence[str]
    finish: Callable[[_Body, Sequence[SSAValue]], Value] | None = None

    def finished(self, body: _Body, folds: Sequence[SSAValue]) -> Value:
        """Write the aggregate of its folds."""
        if self.finish is not None:
            return self.finish(body, folds)
        return folds[0], folds[1] if len(folds) > 1 else None


def _fold_of(aggregate: Aggregate, *, whole: bool = False) -> _Fold:
    """Return an aggregate as folds; `whole` says that there may be no row at all."""
    operand, row = aggregate.operand, aggregate.row
    if operand is None:
        return _Fold([_one], ["add"])
    if row.way == "count":
        return _Fold([lambda body: _counted(body, operand)], ["add"])
    may_be_none = row.null_of_none and (whole or operand.type.nullable)
    if row.is_divided:
        return _mean(operand, row.monoid, may_be_none=may_be_none)
    return _values(operand, row.monoid, may_be_none=may_be_none)


def _computing(expression: Typed) -> Write:
    return lambda body: body.value(expression)


def _reading(column: _Column) -> Write:
    return lambda body: body.column(column)


def _finishing(fold: _Fold, first: int) -> Write:
    """Return what makes an aggregate of its folds, which begin at a column."""
    behind = first + len(fold.monoids)
    return lambda body: fold.finished(body, body.args[first:behind])


def _one(body: _Body) -> Value:
    return body.constant(1, INT64), None


def _counted(body: _Body, operand: Typed) -> Value:
    _, valid = body.value(operand)
    one = body.constant(1, INT64)
    return (one if valid is None else body.code.choose(valid, one, body.zero(INT64))), None


def _or(body: _Body, operand: Typed, monoid: str) -> Value:
    """Write a value, or what changes nothing where there is none."""
    value, valid = body.value(operand)
    if valid is None:
        return value, None
    neutral = identity(monoid, value.type)
    return body.code.choose(valid, value, body.code.add(constant_op(neutral))), None


def _mean(operand: Typed, monoid: str, *, may_be_none: bool) -> _Fold:
    """Fold values and how many there are, of which the quotient is taken."""
    dtype = operand.type.dtype

    def finish(body: _Body, folds: Sequence[SSAValue]) -> Value:
        total, number = folds
        count = body.code.convert(number, INT64.dtype, dtype)
        divide = scalar_code("divide", (dtype, dtype), dtype)
        assert divide is not None
        some = body.code.compare("not_equal", number, body.zero(INT64), INT64.dtype)
        return divide(body.code, (total, count), dtype), some if may_be_none else None

    values: list[Write] = [
        lambda body: _or(body, operand, monoid),
        lambda body: _counted(body, operand),
    ]
    return _Fold(values, [monoid, "add"], finish)


def _only_value(operand: Typed) -> _Fold:
    """Fold the value of one row, if there is that row."""
    is_complex_number = operand.type.dtype.kind == "c"  # Which have no order, but a sum.
    return _values(operand, "add" if is_complex_number else "max", may_be_none=True)


def _values(operand: Typed, monoid: str, *, may_be_none: bool) -> _Fold:
    """Fold values by a monoid, beside whether there are any if there may be none."""
    if operand.type.is_text:
        return _extremum_of_text(operand, MONOIDS[monoid].extremum, may_be_none=may_be_none)
    if operand.type.is_truth:
        monoid = monoid_on("boolean", monoid) or monoid
    if not may_be_none:
        return _Fold([lambda body: _or(body, operand, monoid)], [monoid])

    def is_there(body: _Body) -> Value:
        _, valid = body.value(operand)
        return (body.truth(True) if valid is None else valid), None

    return _Fold([lambda body: _or(body, operand, monoid), is_there], [monoid, "or"])


def _extremum_of_text(operand: Typed, sign: str, *, may_be_none: bool) -> _Fold:
    """Fold strings, of which there is no greatest, beside whether there is one."""

    def packed(body: _Body) -> Value:
        value, valid = body.value(operand)
        there = body.truth(True) if valid is None else valid
        return body.code.add(PackOp([value, there])), None

    def finish(body: _Body, folds: Sequence[SSAValue]) -> Value:
        op = UnpackOp(folds[0])
        body.code.add(op)
        return op.results[0], op.results[1] if may_be_none else None

    name, _ = _EXTREMUM_OF_STRINGS[sign]
    return _Fold([packed], [f"@{name}"], finish)


def _extremum_of_strings(name: str) -> MonoidOp:
    """Return the monoid of strings, each beside whether there is one."""
    comparison = dict(_EXTREMUM_OF_STRINGS.values())[name]
    type = TupleType(ArrayAttr[TypeAttribute]([string, i1]))
    block = Block(arg_types=[type, type])
    code = Code(block)
    one, other = (UnpackOp(argument) for argument in block.args)
    block.add_ops([one, other])
    before = code.add(StringCallOp(comparison, [other.results[0], one.results[0]]))
    better = code.add(arith.OrIOp(code.negated(one.results[1]), before))
    takes = code.add(arith.AndIOp(other.results[1], better))
    chosen = code.choose(takes, block.args[1], block.args[0])
    block.add_op(MonoidYieldOp([], [chosen]))
    nothing = ArrayAttr[Attribute]([StringAttr(""), BoolAttr.from_bool(False)])
    return MonoidOp(name, type, nothing, Region(block), any_order=True)


# ---- columns -----------------------------------------------------------------------


def _columns_of(types: Sequence[ColumnType]) -> tuple[_Column, ...]:
    """Return where columns of some types are in a bag: values, and behind them where they are."""
    columns: list[_Column] = []
    place = 0
    for type in types:
        columns.append(_Column(type, place, place + 1 if type.nullable else None))
        place += 1 + type.nullable
    return tuple(columns)


def _bag_type(types: Sequence[ColumnType]) -> BagType:
    columns: list[Attribute] = []
    for type in types:
        columns += [ir_type_of(type), *([i1] if type.nullable else [])]
    return BagType(columns)


def _types(rows: _Rows, places: Sequence[int]) -> list[ColumnType]:
    return [rows.columns[k].type for k in places]


def _behind(columns: Sequence[_Column], width: int) -> list[_Column]:
    """Return columns that stand behind as many others."""
    return [
        _Column(c.type, width + c.values, None if c.valid is None else width + c.valid)
        for c in columns
    ]
