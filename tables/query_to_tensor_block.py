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
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    ArrayAttr,
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

from diablo.array.scalar_code import Code
from diablo.dialects import tensor_block
from diablo.dialects.bags import BagType, bag_columns
from diablo.dialects.comprehension import ListOp, MonoidOp, PackOp, UnpackOp
from diablo.dialects.comprehension import YieldOp as MonoidYieldOp
from diablo.dialects.monoids import combine, identity, zero_of
from diablo.dialects.scalar_types import is_complex
from diablo.dialects.string_functions import string
from diablo.table.column_values import INT64, ColumnType
from diablo.table.expression_binding import applied
from diablo.table.query_bodies import (
    BagColumn,
    BagRows,
    RowBody,
    Value,
    Write,
    computing,
    ir_type_of,
    reading,
)
from diablo.table.query_folds import (
    PARTIAL,
    Fold,
    finishing,
    fold_of,
    only_value,
    own_monoid,
    variance,
)
from diablo.table.query_plans import JoinKind, WindowFunction
from diablo.table.query_structure import Step
from diablo.table.table_aggregates import ROW_COUNT, Aggregate, aggregated
from diablo.table.typed_expressions import Typed, read


def write_query(steps: Sequence[Step], literals: Sequence[ColumnType]) -> ModuleOp:
    """Return the module of a structure, whose `main` takes tables and literals."""
    return _QueryWriter(steps, literals).module


class _QueryWriter:
    def __init__(self, steps: Sequence[Step], literals: Sequence[ColumnType]):
        self._block = Block()
        self._code = Code(self._block)
        self._monoids: dict[str, Operation] = {}
        self._rows: list[BagRows] = []
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

    def _write(self, step: Step, inputs: Sequence[BagRows]) -> BagRows:
        match step.operation:
            case "table":
                return BagRows(next(self._tables), _columns_of(step.types))
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
            case "window":
                return self.windowed(inputs[0], *step.parameters)
            case "sort":
                return self.sorted(inputs[0], *step.parameters)
            case "concat":
                sides = [
                    self.picked(rows, places, step.types)
                    for rows, places in zip(inputs, step.parameters, strict=True)
                ]
                bag = self._add(tensor_block.ConcatOp(sides[0].bag, sides[1].bag))
                return BagRows(bag, sides[0].columns)
            case operation:
                raise AssertionError(operation)

    def _add(self, op: Operation) -> SSAValue:
        return self._code.add(op)

    # ---- one row at a time ---------------------------------------------------------

    def filtered(self, rows: BagRows, condition: Typed) -> BagRows:
        """Write the rows for which a condition holds; where it is null it does not."""
        body = self._body(rows)
        value, valid = body.value(condition)
        if valid is not None:
            value = body.code.add(arith.AndIOp(value, valid))
        return BagRows(
            self._add(tensor_block.FilterOp(rows.bag, body.region([value]))), rows.columns
        )

    def _kept(self, rows: BagRows, holds: Callable[[RowBody], SSAValue]) -> BagRows:
        body = self._body(rows)
        region = body.region([holds(body)])
        return BagRows(self._add(tensor_block.FilterOp(rows.bag, region)), rows.columns)

    def computed(
        self, rows: BagRows, expressions: Sequence[Typed], types: Sequence[ColumnType]
    ) -> BagRows:
        """Write other columns of the same rows, nullable as their types say."""
        return self._made(
            rows,
            [computing(e) for e in expressions],
            types,
            [e.value if e.is_read else None for e in expressions],
        )

    def _made(
        self,
        rows: BagRows,
        values: Sequence[Write],
        types: Sequence[ColumnType],
        reads: Sequence[int | None] | None = None,
        *,
        canonical: bool = False,
    ) -> BagRows:
        """Write columns of rows; of those that are read as they are nothing is computed.

        `canonical` has the implicit value wherever there is none.
        """
        body = self._body(rows)
        made: list[SSAValue] = []
        places: list[int] = []
        columns: list[BagColumn] = []
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
            columns.append(BagColumn(type, len(places), len(places) + 1 if type.nullable else None))
            places += own
        bag = rows.bag
        if made:
            bag = self._add(tensor_block.ExtendOp(bag, body.region(made)))
        if places != list(range(len(bag_columns(bag)))):
            bag = self._add(tensor_block.ProjectOp(bag, places))
        return BagRows(bag, tuple(columns))

    def picked(self, rows: BagRows, places: Sequence[int], types: Sequence[ColumnType]) -> BagRows:
        """Write some columns, of which more may be nullable."""
        return self.computed(rows, [read(k, rows.columns[k].type) for k in places], types)

    # ---- joins ---------------------------------------------------------------------

    def joined(
        self,
        left: BagRows,
        right: BagRows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        kind: JoinKind,
    ) -> BagRows:
        """Write the pairs of rows that agree in their keys; a null agrees with nothing."""
        if kind == "right":
            rows = self.joined(right, left, right_keys, left_keys, "left")
            width = len(right.columns)
            places = [*range(width, len(rows.columns)), *range(width)]
            return BagRows(rows.bag, tuple([rows.columns[k] for k in places]))
        if kind == "outer":
            return self._joined_fully(left, right, left_keys, right_keys)
        right = self._with_keys(right, right_keys)
        if kind in ("semi", "anti"):
            right = self._distinct(self.picked(right, right_keys, _types(right, right_keys)))
            right_keys = range(len(right_keys))
        if kind in ("inner", "semi"):
            return self._inner(left, right, left_keys, right_keys, with_right=kind == "inner")
        return self._outer(left, right, left_keys, right_keys, kind)

    def _with_keys(self, rows: BagRows, keys: Sequence[int]) -> BagRows:
        """Write the rows that have a value for each key."""
        valid = [rows.columns[k].valid for k in keys]
        nullable = [place for place in valid if place is not None]
        if not nullable:
            return rows
        return self._kept(rows, lambda body: body.all([body.args[place] for place in nullable]))

    def _inner(
        self,
        left: BagRows,
        right: BagRows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        *,
        with_right: bool,
    ) -> BagRows:
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
            return BagRows(bag, (*left.columns, *_behind(right.columns, width)))
        return BagRows(self._add(tensor_block.ProjectOp(bag, range(width))), left.columns)

    def _outer(
        self,
        left: BagRows,
        right: BagRows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
        kind: JoinKind,
    ) -> BagRows:
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
            rows = BagRows(joined, left.columns)
            missing = self._kept(rows, lambda body: body.code.negated(body.args[found]))
            return BagRows(
                self._add(tensor_block.ProjectOp(missing.bag, range(width))), left.columns
            )
        columns = [
            BagColumn(c.type.with_nulls(), c.values, found if c.valid is None else c.valid)
            for c in _behind(right.columns, width)
        ]
        return BagRows(joined, (*left.columns, *columns))

    def _joined_fully(
        self,
        left: BagRows,
        right: BagRows,
        left_keys: Sequence[int],
        right_keys: Sequence[int],
    ) -> BagRows:
        """Write a left join, and the right rows for which there is no left one behind it."""
        types = [c.type.with_nulls() for c in (*left.columns, *right.columns)]
        whole = self.joined(left, right, left_keys, right_keys, "left")
        rest = self.joined(right, left, right_keys, left_keys, "anti")
        width = len(left.columns)

        def nothing(type: ColumnType) -> Write:
            return lambda body: (body.zero(type), body.truth(False))

        values = [nothing(c.type) for c in left.columns]
        values += [reading(rest.columns[k]) for k in range(len(right.columns))]
        other = self._made(rest, values, types)
        one = self.picked(whole, range(width + len(right.columns)), types)
        return BagRows(self._add(tensor_block.ConcatOp(one.bag, other.bag)), one.columns)

    # ---- groups --------------------------------------------------------------------

    def _distinct(self, rows: BagRows) -> BagRows:
        """Write the rows once each; nulls are implicit values already."""
        count = len(bag_columns(rows.bag))
        return BagRows(self._add(tensor_block.GroupReduceOp(rows.bag, count, [])), rows.columns)

    def grouped(
        self,
        rows: BagRows,
        keys: Sequence[Typed],
        aggregates: Sequence[Aggregate],
        types: Sequence[ColumnType],
    ) -> BagRows:
        """Write a row for each group: folds, and what is found otherwise joined with them."""
        if not keys:
            return self._whole(rows, aggregates, types)
        count = len(keys)
        folded = [a for a in aggregates if a.row.way not in ("row", "different", "moments")]
        branches: list[tuple[BagRows, list[Aggregate]]] = []
        for function in sorted({a.function for a in aggregates if a.row.way == "row"}):
            chosen = [a for a in aggregates if a.function == function]
            branches.append((self._rows_of_groups(rows, keys, chosen), chosen))
        branches += [
            (self._different(rows, keys, a), [a]) for a in aggregates if a.row.way == "different"
        ]
        branches += [
            (self._varying(rows, keys, a), [a]) for a in aggregates if a.row.way == "moments"
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
        self, rows: BagRows, aggregates: Sequence[Aggregate], types: Sequence[ColumnType]
    ) -> BagRows:
        """Write the one row of aggregates of all rows: their folds are single values."""
        body = RowBody(self._block, (), self._literals)
        parts: list[SSAValue] = []
        folds: list[tuple[BagRows, Fold]] = []
        for aggregate in aggregates:
            folds.append(self._whole_fold(rows, aggregate))
        shared = [fold for source, fold in folds if source is rows]
        values = [value for fold in shared for value in fold.values]
        made = iter(())
        if values:
            folded = self._made(rows, values, [PARTIAL] * len(values))
            made = iter(self._folds(folded.bag, [m for fold in shared for m in fold.monoids]))
        for (source, fold), type in zip(folds, types, strict=True):
            if source is rows:
                found = [next(made) for _ in fold.monoids]
            else:
                own = self._made(source, fold.values, [PARTIAL] * len(fold.values))
                found = self._folds(own.bag, fold.monoids)
            value, valid = fold.finished(body, found)
            parts.append(value)
            if type.nullable:
                parts.append(body.truth(True) if valid is None else valid)
        bag = self._add(ListOp([parts], _bag_type(types)))
        return BagRows(bag, _columns_of(types))

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

    def _whole_fold(self, rows: BagRows, aggregate: Aggregate) -> tuple[BagRows, Fold]:
        """Return an aggregate of all rows as a fold, of some of the rows if need be."""
        operand, way = aggregate.operand, aggregate.row.way
        if operand is None or way not in ("row", "different"):
            return rows, fold_of(aggregate, whole=True)
        if way == "different":
            keyed, _ = self._keyed(rows, [operand], [], [])
            return self._distinct(keyed), fold_of(ROW_COUNT)
        one = Typed("constant", INT64, (), 0)
        row = self._rows_of_groups(rows, [one], [aggregate])
        return row, only_value(read(1, row.columns[1].type))

    def _keyed(
        self, rows: BagRows, keys: Sequence[Typed], values: Sequence[Callable[[RowBody], Value]],
        types: Sequence[ColumnType],
    ) -> tuple[BagRows, int]:  # fmt: skip
        """Write the keys of rows and values behind them, and how many columns the keys have."""
        made = [*map(computing, keys), *values]
        reads = [*[k.value if k.is_read else None for k in keys], *[None] * len(values)]
        # Values that are missing come of no key that is told apart by them.
        rows = self._made(rows, made, [*[key.type for key in keys], *types], reads, canonical=True)
        width = sum([1 + (c.valid is not None) for c in rows.columns[: len(keys)]])
        return rows, width

    def _folded(
        self, rows: BagRows, keys: Sequence[Typed], aggregates: Sequence[Aggregate]
    ) -> BagRows:
        """Write the folds of groups."""
        return self._folded_by(rows, keys, aggregates, [fold_of(a) for a in aggregates])

    def _folded_by(
        self,
        rows: BagRows,
        keys: Sequence[Typed],
        aggregates: Sequence[Aggregate],
        folds: Sequence[Fold],
    ) -> BagRows:
        values = [partial for fold in folds for partial in fold.values]
        monoids = [monoid for fold in folds for monoid in fold.monoids]
        for monoid in monoids:
            if monoid.startswith("@"):
                self._define(monoid[1:])
        rows, width = self._keyed(rows, keys, values, [PARTIAL] * len(values))
        bag = self._add(tensor_block.GroupReduceOp(rows.bag, width, monoids))
        columns = list(rows.columns[: len(keys)])
        computed: list[Write] = []
        place = width
        for fold, aggregate in zip(folds, aggregates, strict=True):
            valid = place + 1 if len(fold.monoids) > 1 else None
            columns.append(BagColumn(aggregate.type, place, valid))
            if fold.finish is not None:
                computed.append(finishing(fold, place))
            place += len(fold.monoids)
        grouped = BagRows(bag, tuple(columns))
        if not computed:
            return grouped
        made = iter(computed)
        values = [reading(c) for c in columns[: len(keys)]]
        values += [
            reading(c) if fold.finish is None else next(made)
            for c, fold in zip(columns[len(keys) :], folds, strict=True)
        ]
        made_anew = [k + len(keys) for k, fold in enumerate(folds) if fold.finish is not None]
        reads = [None if k in made_anew else k for k in range(len(columns))]
        return self._made(grouped, values, [c.type for c in columns], reads)

    def _rows_of_groups(
        self, rows: BagRows, keys: Sequence[Typed], aggregates: Sequence[Aggregate]
    ) -> BagRows:
        """Write values of one row of each group, the first or the last, by several aggregates.

        Which row that is a fold of the numbers of rows says, by which it is found again.
        """
        place = len(bag_columns(rows.bag))
        rows = BagRows(self._add(tensor_block.NumberOp(rows.bag)), rows.columns)
        count = len(keys)
        operands = [a.operand for a in aggregates if a.operand is not None]

        def number(body: RowBody) -> Value:
            return body.args[place], None

        values = [number, *map(computing, operands)]
        types = [INT64, *[a.type for a in aggregates]]
        rows, width = self._keyed(rows, keys, values, types)
        bag = self._add(tensor_block.ProjectOp(rows.bag, range(width + 1)))
        grouped = self._add(tensor_block.GroupReduceOp(bag, width, [aggregates[0].row.monoid]))
        own = self.picked(rows, range(count, len(rows.columns)), types)
        found = self._add(tensor_block.JoinOp(own.bag, grouped, [0], [width]))
        behind = _behind(rows.columns[:count], len(bag_columns(own.bag)))
        whole = BagRows(found, (*behind, *own.columns[1:]))
        return self.picked(whole, range(len(whole.columns)), [c.type for c in whole.columns])

    def _varying(self, rows: BagRows, keys: Sequence[Typed], aggregate: Aggregate) -> BagRows:
        """Write the variance of groups: of the squares by which values differ from the mean."""
        operand, count = aggregate.operand, len(keys)
        assert operand is not None
        rows, _ = self._keyed(rows, keys, [computing(operand)], [operand.type])
        own = [read(k, key.type) for k, key in enumerate(keys)]
        value = read(count, operand.type)
        mean = aggregated(value, "mean", whole=False)
        whole = self._beside(rows, self._folded(rows, own, [mean]), count)
        apart = applied("subtract", value, read(2 * count + 1, mean.type))
        fold = variance(applied("multiply", apart, apart), aggregate.options[0])
        return self._folded_by(whole, own, [aggregate], [fold])

    def _different(self, rows: BagRows, keys: Sequence[Typed], aggregate: Aggregate) -> BagRows:
        """Write how many different values groups have."""
        operand = aggregate.operand
        assert operand is not None
        rows, _ = self._keyed(rows, [*keys, operand], [], [])
        rows = self._distinct(rows)
        own = [read(k, rows.columns[k].type) for k in range(len(keys))]
        return self._folded(rows, own, [ROW_COUNT])

    def _beside(self, one: BagRows, other: BagRows, keys: int) -> BagRows:
        """Write rows of equal groups beside each other; a NaN is equal to itself as a key."""
        sides = [self._comparable(rows, keys) for rows in (one, other)]
        (left, left_keys), (right, right_keys) = sides  # Equal keys are in equal places.
        width = len(bag_columns(left.bag))
        bag = self._add(tensor_block.JoinOp(left.bag, right.bag, left_keys, right_keys))
        return BagRows(bag, (*left.columns, *_behind(right.columns, width)))

    def _comparable(self, rows: BagRows, keys: int) -> tuple[BagRows, list[int]]:
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
        return BagRows(bag, rows.columns), places

    def _define(self, name: str) -> None:
        if name not in self._monoids:
            self._monoids[name] = own_monoid(name)

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

    def sorted(
        self, rows: BagRows, keys: Sequence[tuple[Typed, bool]], limit: int | None
    ) -> BagRows:
        """Write rows in an order, nulls last either way, and the first of them alone."""
        body = self._body(rows)
        width = len(bag_columns(rows.bag))
        made: list[SSAValue] = []
        by = self._places_by(rows, body, keys, made)
        bag = rows.bag
        if made:
            bag = self._add(tensor_block.ExtendOp(bag, body.region(made)))
        count = None
        if limit is not None:
            count = self._add(arith.IndexCastOp(self._literals[limit], IndexType()))
        bag = self._add(tensor_block.SortOp(bag, by, count))
        if made:
            bag = self._add(tensor_block.ProjectOp(bag, range(width)))
        return BagRows(bag, rows.columns)

    def _places_by(
        self,
        rows: BagRows,
        body: RowBody,
        keys: Sequence[tuple[Typed, bool]],
        made: list[SSAValue],
    ) -> list[tuple[int, bool]]:
        """Return by which columns rows are compared, some of them made behind their own."""
        width = len(bag_columns(rows.bag))
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
        return by

    # ---- windows -------------------------------------------------------------------

    def windowed(
        self,
        rows: BagRows,
        keys: Sequence[Typed],
        order: Sequence[tuple[Typed, bool]],
        functions: Sequence[WindowFunction],
    ) -> BagRows:
        """Write what rows are given of the others of their group behind their columns."""
        body = self._body(rows)
        width = len(bag_columns(rows.bag))
        made: list[SSAValue] = []
        # Nulls are one key: values that are missing are all the implicit one.
        grouped = [k for k, _ in self._places_by(rows, body, [(k, False) for k in keys], made)]
        by = self._places_by(rows, body, order, made)
        wanted: list[tensor_block.WindowFunctionAttr] = []
        sizes: list[SSAValue] = []
        for function in functions:
            place = -1
            if function.operand is not None:
                place = width + len(made)
                made.append(body.value(function.operand)[0])
            wanted.append(
                tensor_block.WindowFunctionAttr.of(
                    function.function, function.monoid, place, function.interpolation
                )
            )
            if function.size is not None:
                literal: int = function.size.value
                number: SSAValue = self._literals[literal]
                if not wanted[-1].form.interpolation:
                    number = self._add(arith.IndexCastOp(number, IndexType()))
                sizes.append(number)
        bag = rows.bag
        if made:
            bag = self._add(tensor_block.ExtendOp(bag, body.region(made)))
        bag = self._add(tensor_block.WindowOp(bag, grouped, by, wanted, sizes))
        if made:
            behind = range(width + len(made), len(bag_columns(bag)))
            bag = self._add(tensor_block.ProjectOp(bag, [*range(width), *behind]))
        types = [type for function in functions for type in function.types]
        columns = [BagColumn(type, width + k) for k, type in enumerate(types)]
        return BagRows(bag, (*rows.columns, *columns))

    def _body(self, rows: BagRows) -> RowBody:
        return RowBody(Block(arg_types=bag_columns(rows.bag)), rows.columns, self._literals)


# ---- columns -----------------------------------------------------------------------


def _columns_of(types: Sequence[ColumnType]) -> tuple[BagColumn, ...]:
    """Return where columns of some types are in a bag: values, and behind them where they are."""
    columns: list[BagColumn] = []
    place = 0
    for type in types:
        columns.append(BagColumn(type, place, place + 1 if type.nullable else None))
        place += 1 + type.nullable
    return tuple(columns)


def _bag_type(types: Sequence[ColumnType]) -> BagType:
    columns: list[Attribute] = []
    for type in types:
        columns += [ir_type_of(type), *([i1] if type.nullable else [])]
    return BagType(columns)


def _types(rows: BagRows, places: Sequence[int]) -> list[ColumnType]:
    return [rows.columns[k].type for k in places]


def _behind(columns: Sequence[BagColumn], width: int) -> list[BagColumn]:
    """Return columns that stand behind as many others."""
    return [
        BagColumn(c.type, width + c.values, None if c.valid is None else width + c.valid)
        for c in columns
    ]
