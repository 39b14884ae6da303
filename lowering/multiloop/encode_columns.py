"""Let numbers stand for values that machine code has none of, where a loop only moves them.

Reads and writes the `multiloop` level. Strings by which rows are grouped or found are numbers of a
dictionary, the same for equal strings, also of other bags that they are compared with. What is only
collected (strings, lists, arrays) is the number of the row that has it: its bag gets a column of
these. The function says in `multiloop.columns` how each of its columns is meant: `code0` is a
number of dictionary 0, `row` that of a row, `row0.2` that of a row of argument 0, which has the
value in its column 2; without a word a column is as it was. Neighbours that would be numbers of the
same rows are one column, `row0.2+3`.

    func.func @k(%L: bag<string, i64>)           func.func @k(%L: bag<i32, i64, i32>
        -> bag<string, i64> {                        {["", "", "row"]})
      multiloop.loop rows(%L) … {                    -> (bag<i32, i64> {["row0.0", ""]}) {
      ^bb0(%s: string, %x: i64, %all: …):  ==>     multiloop.loop rows(%L) … {
        multiloop.emit %all(%s, %x)                ^bb0(%s: i32, %x: i64, %row: i32, %all: …):
      }                                              multiloop.emit %all(%row, %x)

A string of which only the length is asked becomes that, which has the word `length`. One of which
characters are read at positions becomes a list of these, with the word `text`, and characters are
integers (number_characters.py).

    ^bb0(%s: string, …):                                       ^bb0(%s: bag<i32>, …):
      %n = comprehension.string_call "length"(%s)      ==>       %n = comprehension.length %s
      %c = comprehension.string_call "char_at"(%s, %i)           %c = comprehension.element %s[%i]

A list that a row has stays what it is where a loop goes through it or reads it at a position, and
is the number of its row where it is collected. A function that does anything else with such a value
is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    StringAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from diablo.dialects.bags import BagType
from diablo.dialects.comprehension import ElementOp, LengthOp, StringCallOp, StringOp
from diablo.dialects.locations import located, remark
from diablo.dialects.monoids import ANY
from diablo.dialects.multiloop import (
    BucketCollectType,
    BucketReduceType,
    CollectType,
    EmitOp,
    GeneratorType,
    LoopOp,
)
from diablo.dialects.string_functions import StringType
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.signature_parts import number_name
from diablo.lowering.multiloop.number_characters import NUMBER, number_characters
from diablo.passes.analyses.refused import Refused
from diablo.row_kernel_signature import LENGTH, ROW, TEXT, code_element, place_element

COLUMNS = "multiloop.columns"
"""The attribute of arguments and results that says how their columns are meant."""

_LENGTH, _CHARACTER = "length", "char_at"
"""The functions of strings that do not need all of them."""

_Column = tuple[int, int]
"""The number of an argument, and of a column of it."""
_Slot = tuple[SSAValue, bool, int]
"""A generator, whether one of its keys is meant rather than one of its values, and which."""
_CHARACTERS = BagType([NUMBER])


@dataclass
class _Encoding:
    """What is known of the values of a function that machine code has none of."""

    columns: dict[SSAValue, _Column]
    """The column that each element of a loop is of, for those of such columns."""
    same: dict[_Column | _Slot, _Column | _Slot] = field(
        default_factory=dict[_Column | _Slot, _Column | _Slot]
    )
    """A forest: what has one dictionary has one root."""
    placed: dict[_Slot, _Column] = field(default_factory=dict[_Slot, _Column])
    """What becomes a value of a generator as the number of a row."""
    looped: set[_Column] = field(default_factory=set[_Column])
    """The columns of lists that are gone through."""
    spelled: set[_Column] = field(default_factory=set[_Column])
    """The columns of strings of which characters are read."""
    measured: set[_Column] = field(default_factory=set[_Column])
    """The columns of strings of which the length is asked."""

    def root(self, of: _Column | _Slot) -> _Column | _Slot:
        """Return what stands for all that has one dictionary with this."""
        parent = self.same.setdefault(of, of)
        return of if parent == of else self.root(parent)

    def join(self, one: _Column | _Slot, other: _Column | _Slot) -> None:
        """Let both have one dictionary."""
        self.same[self.root(one)] = self.root(other)

    def place(self, slot: _Slot, value: SSAValue) -> None:
        """Let a generator have the numbers of rows, or refuse those of two columns."""
        if self.placed.setdefault(slot, self.columns[value]) != self.columns[value]:
            raise Refused("a column that is made has values of two columns")

    def type_of(self, column: _Column, type: Attribute) -> Attribute:
        """Return the type that a column has then."""
        if column in self.spelled:
            return _CHARACTERS
        if column in self.measured:
            return i64
        return i32 if _has_no_number(type) and column not in self.looped else type

    def word_of(self, column: _Column) -> str:
        """Return the word for a column of strings that are read."""
        return TEXT if column in self.spelled else LENGTH if column in self.measured else ""

    def dictionaries(self) -> dict[_Column | _Slot, str]:
        """Return the word for the dictionary of each column and key that has one."""
        numbers: dict[_Column | _Slot, int] = {}
        roots = {of: self.root(of) for of in list(self.same)}
        return {
            of: code_element(numbers.setdefault(root, len(numbers))) for of, root in roots.items()
        }


def _has_no_number(type: Attribute) -> bool:
    """Return whether machine code has no values of the type of a column."""
    if is_tensor(type):
        return True
    try:
        number_name(type)
    except Refused:
        return True
    return False


def _encoding(function: func.FuncOp) -> _Encoding:
    """Find out what is done with the values that machine code has none of.

    Raises
    ------
    Refused
        If one is used otherwise than a number could be.
    """
    columns: dict[SSAValue, _Column] = {}
    for loop, number in _loops_over(function):
        for column, element in enumerate(loop.elements):
            if _has_no_number(element.type):
                columns[element] = number, column
    found = _Encoding(columns)
    for value in columns:
        for use in value.uses:
            op = use.operation
            match op:
                case EmitOp():
                    _note_emit(found, op, value, use.index - 1)
                case LoopOp() if op.source.data == "rows":
                    found.looped.add(columns[value])
                case LengthOp() | ElementOp():
                    found.looped.add(columns[value])
                case StringCallOp() if op.function.data == _CHARACTER:
                    found.spelled.add(columns[value])
                case StringCallOp() if op.function.data == _LENGTH:
                    found.measured.add(columns[value])
                case LoopOp() if 0 < use.index <= len(op.matched):
                    _note_match(found, op, value, op.matched[use.index - 1])
                case _:
                    raise Refused(f"{op.name} needs the values of a column")
    if any(column in found.same for column in found.spelled | found.measured):
        raise Refused("strings are compared, and their characters read or counted")
    for op in function.walk():
        if isinstance(op, EmitOp):
            _check_emitted(op, columns)
    return found


def _check_emitted(emit: EmitOp, columns: Mapping[SSAValue, _Column]) -> None:
    """Raise `Refused` if a row has a value that machine code has none of and no column has."""
    if not isinstance(emit.generator.type, CollectType | BucketReduceType | BucketCollectType):
        return
    for value in (*emit.keys, *emit.values):
        if isinstance(value.owner, LoopOp) and isinstance(emit.generator.type, CollectType):
            continue  # A list that is made for the row.
        if _has_no_number(value.type) and value not in columns:
            raise Refused(f"values of type {value.type} are made")


def _drop_unused_strings(function: func.FuncOp) -> None:
    """Erase the constants that nothing reads, as the row that a join lacks where no column is."""
    for op in list(function.walk()):
        if isinstance(op, StringOp) and not op.result.uses:
            Rewriter.erase_op(op)


def _loops_over(function: func.FuncOp) -> Iterator[tuple[LoopOp, int]]:
    """Yield the loops over rows of each argument that is a bag, with its number."""
    for number, argument in enumerate(function.args):
        if not isinstance(argument.type, BagType):
            continue
        for use in argument.uses:
            if isinstance(use.operation, LoopOp) and use.index == 0:
                yield use.operation, number
            elif not isinstance(use.operation, LengthOp):
                raise Refused(f"{use.operation.name} is no loop")


def _note_emit(found: _Encoding, emit: EmitOp, value: SSAValue, number: int) -> None:
    """Note that a value is an operand, with a number, of what a generator is handed."""
    generator = emit.generator
    slot = generator, number < len(emit.keys), number
    match generator.type:
        case BucketReduceType() | BucketCollectType() if number < len(emit.keys):
            _check_compared(value.type)
            found.join(slot, found.columns[value])
        case BucketReduceType(monoids=monoids):
            slot = generator, False, number - len(emit.keys)
            if monoids.data[slot[2]].data != ANY:
                raise Refused(f"values of type {value.type} are combined")
            found.place(slot, value)
        case CollectType():
            found.place(slot, value)
        case BucketCollectType():
            found.place((generator, False, number - len(emit.keys)), value)
        case _:
            raise Refused(f"values of type {value.type} are combined")


def _note_match(found: _Encoding, loop: LoopOp, value: SSAValue, column: int) -> None:
    """Note that rows whose column has a value are looked for."""
    _check_compared(value.type)
    bag = loop.inputs[0]
    if not isinstance(bag, BlockArgument):
        raise Refused("it looks for rows among those that it makes")
    found.join((bag.index, column), found.columns[value])


def _check_compared(type: Attribute) -> None:
    """Raise `Refused` unless equal values of a type can be numbered."""
    if not isinstance(type, StringType):
        raise Refused(f"there is no hash of {type}")


def encode_columns(function: func.FuncOp) -> bool:
    """Rewrite a function, in place; return whether it has columns that numbers stand for now.

    Raises
    ------
    Refused
        If it does with their values what needs these; the function is of no use then.
    """
    _drop_unused_strings(function)
    number_characters(function)
    bags = [argument.type for argument in function.args if isinstance(argument.type, BagType)]
    if not any(_has_no_number(type) for bag in bags for type in bag.columns):
        return False
    found = _encoding(function)
    results = _results(function)
    dictionaries = found.dictionaries()
    with_places = {argument for argument, _ in found.placed.values()}
    words: dict[int, list[str]] = {}
    loops = list(_loops_over(function))
    for number, argument in enumerate(function.args):
        if not isinstance(argument.type, BagType):
            continue
        columns = [
            found.word_of((number, column)) or dictionaries.get((number, column), "")
            for column in range(len(argument.type.columns))
        ]
        words[number] = [*columns, ROW] if number in with_places else columns
        types = [
            found.type_of((number, column), type)
            for column, type in enumerate(argument.type.columns)
        ] + [i32] * (number in with_places)
        Rewriter.replace_value_with_new_type(argument, BagType(types))
    for loop, number in loops:
        _retype_elements(loop, found, number in with_places)
    for loop in [op for op in function.walk() if isinstance(op, LoopOp)]:
        _retype_generators(loop, found)
    made = [
        _result_words(generator, _merge_places(generator, found), dictionaries)
        for generator in results
    ]
    function.function_type = FunctionType.from_lists(
        [argument.type for argument in function.args], [value.type for value in _returned(function)]
    )
    function.arg_attrs = _with_words(function.arg_attrs, len(function.args), words)
    function.res_attrs = _with_words(
        function.res_attrs, len(made), {n: own for n, own in enumerate(made) if any(own)}
    )
    return True


def _returned(function: func.FuncOp) -> Sequence[SSAValue]:
    end = function.body.block.last_op
    return end.operands if isinstance(end, func.ReturnOp) else ()


def _results(function: func.FuncOp) -> list[SSAValue]:
    """Return the generators that make the results of a function."""
    generators: list[SSAValue] = []
    for value in _returned(function):
        loop = value.owner
        if not isinstance(loop, LoopOp):
            raise Refused("it returns something else than what its loop makes")
        generators.append(loop.generators[loop.made.index(value)])
    kept = set(generators)
    for loop in [op for op in function.walk() if isinstance(op, LoopOp)]:
        for generator, made in zip(loop.generators, loop.made, strict=True):
            if isinstance(made.type, BagType) and any(map(_has_no_number, made.type.columns)):
                uses = [use.operation for use in made.uses]
                if generator not in kept or not all(isinstance(u, func.ReturnOp) for u in uses):
                    raise Refused("it goes through rows that it makes")
    return generators


def _retype_elements(loop: LoopOp, found: _Encoding, has_places: bool) -> None:
    """Give the body of a loop numbers, and those of rows where they are collected."""
    body = loop.body.block
    row: SSAValue | None = None
    elements = list(loop.elements)
    if has_places:
        row = body.insert_arg(i32, len(elements))
        row.name_hint = "row"
    for element in elements:
        if element not in found.columns:
            continue
        for use in list(element.uses):
            op = use.operation
            if isinstance(op, EmitOp) and use.index > len(op.keys):
                assert row is not None
                op.operands[use.index] = row
        type = found.type_of(found.columns[element], element.type)
        if type != element.type:
            element = Rewriter.replace_value_with_new_type(element, type)
        for use in list(element.uses):
            if isinstance(use.operation, StringCallOp):
                _read_characters(use.operation)


def _read_characters(op: StringCallOp) -> None:
    """Read the list of the characters of a string, or its length."""
    string, *position = op.arguments
    if isinstance(string.type, BagType):
        read = ElementOp(string, position[0]) if position else LengthOp(string)
        Rewriter.replace_op(op, located(read, op))
    else:
        Rewriter.replace_op(op, [], [string])


def _retype_generators(loop: LoopOp, found: _Encoding) -> None:
    """Give the generators of a loop, and its results, the types of what they are handed now."""
    for generator, made in zip(loop.generators, loop.made, strict=True):
        type = generator.type
        assert isinstance(type, GeneratorType)
        match type:
            case CollectType(columns=columns):
                type = CollectType(
                    [
                        i32 if (generator, False, number) in found.placed else column
                        for number, column in enumerate(columns)
                    ]
                )
            case BucketReduceType(key=key, monoids=monoids, elements=elements):
                type = BucketReduceType(
                    [i32 if _has_no_number(c) else c for c in key],
                    [monoid.data for monoid in monoids],
                    [
                        i32 if (generator, False, number) in found.placed else element
                        for number, element in enumerate(elements)
                    ],
                )
            case BucketCollectType(key=key, lists=lists):
                type = BucketCollectType(
                    [i32 if _has_no_number(c) else c for c in key],
                    [[i32 if _has_no_number(c) else c for c in rows.columns] for rows in lists],
                )
            case _:
                continue
        if type != generator.type:
            Rewriter.replace_value_with_new_type(generator, type)
            Rewriter.replace_value_with_new_type(made, type.result)


def _merge_places(generator: SSAValue, found: _Encoding) -> list[list[_Column]]:
    """Leave one of columns side by side that have the numbers of the same rows.

    Return the columns of arguments that each column stands for, for all that a generator makes.
    """
    type = generator.type
    if not isinstance(type, CollectType | BucketReduceType | BucketCollectType):
        return []
    places = [found.placed.get((generator, False, number)) for number in range(len(type.values))]
    meant = [[] if place is None else [place] for place in places]
    assert isinstance(generator, BlockArgument)
    # It may have another type by now, and what was noted is noted of the one before.
    generator = generator.block.args[generator.index]
    loop = generator.block.parent_op()
    emits = [use.operation for use in generator.uses]
    if not isinstance(generator.type, CollectType) or not isinstance(loop, LoopOp):
        return meant
    if not emits or not all(isinstance(op, EmitOp) for op in emits):
        return meant
    rows = [cast(EmitOp, op).values for op in emits]
    kept: list[int] = []
    merged: list[list[_Column]] = []
    for number, own in enumerate(meant):
        # Each column has numbers of one argument's rows, so that equal values are of one.
        if own and kept and merged[-1] and all(row[number] is row[number - 1] for row in rows):
            merged[-1] += own
        else:
            kept.append(number)
            merged.append(own)
    if len(kept) == len(meant):
        return meant
    narrow = CollectType([generator.type.columns.data[number] for number in kept])
    made = loop.made[list(loop.generators).index(generator)]
    generator = Rewriter.replace_value_with_new_type(generator, narrow)
    Rewriter.replace_value_with_new_type(made, narrow.result)
    for op, row in zip(emits, rows, strict=True):
        Rewriter.replace_op(op, located(EmitOp(generator, [row[number] for number in kept]), op))
    return merged


def _result_words(
    generator: SSAValue,
    places: Sequence[Sequence[_Column]],
    dictionaries: Mapping[_Column | _Slot, str],
) -> list[str]:
    """Return how the columns that a generator makes are meant."""
    type = generator.type
    if not isinstance(type, CollectType | BucketReduceType | BucketCollectType):
        return []
    keys = [dictionaries.get((generator, True, number), "") for number in range(len(type.keys))]
    return [*keys, *[_place_word(meant) for meant in places]]


def _place_word(columns: Sequence[_Column]) -> str:
    """The word for a column that stands for columns of one argument, or for none."""
    if not columns:
        return ""
    return place_element(columns[0][0], [column for _, column in columns])


def _with_words(
    attributes: ArrayAttr[DictionaryAttr] | None, count: int, words: Mapping[int, Sequence[str]]
) -> ArrayAttr[DictionaryAttr]:
    """Return the attributes of arguments or results with what is said of their columns."""
    before = [DictionaryAttr({})] * count if attributes is None else list(attributes)
    return ArrayAttr(
        [
            DictionaryAttr({**own.data, COLUMNS: ArrayAttr(map(StringAttr, words[number]))})
            if any(words.get(number, ()))
            else own
            for number, own in enumerate(before)
        ]
    )


def column_words(attributes: ArrayAttr[DictionaryAttr] | None, number: int) -> Sequence[str]:
    """Return how the columns of an argument, or of a result, are meant, where that is said."""
    said = None if attributes is None else attributes.data[number].data.get(COLUMNS)
    if said is None:
        return ()
    return [word.data for word in cast("ArrayAttr[StringAttr]", said)]


@dataclass(frozen=True)
class EncodeColumnsPass(ModulePass):
    """Let numbers stand for what loops over rows only move, group by, or look for."""

    name = "encode-columns"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite every function of loops that can be; leave the others alone."""
        for function in op.ops:
            if not isinstance(function, func.FuncOp) or len(function.body.blocks) != 1:
                continue
            if not any(isinstance(inner, LoopOp) for inner in function.body.block.ops):
                continue
            copy = function.clone()
            try:
                encode_columns(copy)
            except Refused as reason:
                remark(function, f"columns stay as they are: {reason}")
                continue
            Rewriter.replace_op(function, copy)
