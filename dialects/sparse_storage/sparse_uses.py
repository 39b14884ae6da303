"""What a program asks of the index set of its sparse arrays: `#sparse_storage.uses`.

`infer-lattice-uses` puts it on the arguments and ops that make sparse arrays, and
`choose-layouts` turns it into a `#sparse_storage.layout`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.dialects.sparse_storage.sparse_storage_layout import Orders, verify_order

WORDS = ("any", "random", "boolean", "once", "band")
"""What is said in a word, in the order in which it is written."""

_LISTS = ("next", "previous")
_SLICES = ("slices", "single_slices")
_OTHERS = ("union", "intersect")

Numbers = ArrayAttr[IntAttr]
Names = ArrayAttr[StringAttr]


@irdl_attr_definition
class UsesAttr(ParametrizedAttribute):
    """What is asked of a region, an index set that arrays share, in the whole program.

    The name says which region; all arrays of a region carry equal attributes. `orders` are the
    orders of dimensions in which it is iterated, the outermost first: `[0, 1]` is row by row.
    `times` says how often an order is wished for by products with dense arrays, which can do
    without: in about so many executions, or 0 if something else needs it.
    `next` and `previous` list the dimensions in which a neighbour is read, `slices` the sets of
    dimensions in which indices are fixed while the others are gone through; in those of
    `single_slices` once for an array, and not in a loop. `union` and `intersect` name the regions
    that it is iterated together with. The words: it is iterated in `any` order, single elements
    are looked up (`random`), no values are kept (`boolean`), it is built `once` and read once,
    its indices lie in a `band` about the diagonal. A region without any of these is not looked
    at.

    ```mlir
    "test.op"() {
      rows = #sparse_storage.uses<"A", orders = [[0, 1]]>,
      columns = #sparse_storage.uses<"E", orders = [[1, 0]], slices = [[1]], random>,
      product = #sparse_storage.uses<"P", orders = [[0, 1], [1, 0]], times = [0, 25]>,
      sum = #sparse_storage.uses<"V", orders = [[0, 1, 2]], next = [0], union = ["W"], boolean>,
      nothing = #sparse_storage.uses<"N">
    } : () -> ()
    ```
    """

    name = "sparse_storage.uses"
    region: StringAttr = param_def()
    orders: Orders = param_def()
    times: Numbers = param_def()
    next: Numbers = param_def()
    previous: Numbers = param_def()
    slices: Orders = param_def()
    single_slices: Orders = param_def()
    union: Names = param_def()
    intersect: Names = param_def()
    words: Names = param_def()

    def __init__(
        self,
        region: str,
        orders: Sequence[Sequence[int]] = (),
        next: Sequence[int] = (),
        previous: Sequence[int] = (),
        slices: Sequence[Sequence[int]] = (),
        single_slices: Sequence[Sequence[int]] = (),
        union: Sequence[str] = (),
        intersect: Sequence[str] = (),
        words: Sequence[str] = (),
        times: Sequence[int] = (),
    ):
        super().__init__(
            StringAttr(region),
            ArrayAttr([_numbers(order) for order in orders]),
            _numbers(times if any(times) else ()),
            _numbers(next),
            _numbers(previous),
            ArrayAttr([_numbers(fixed) for fixed in slices]),
            ArrayAttr([_numbers(fixed) for fixed in single_slices]),
            _names(union),
            _names(intersect),
            _names([word for word in WORDS if word in words]),
        )

    @property
    def wished_times(self) -> dict[tuple[int, ...], int]:
        """Each order, and how often it is wished for; 0 if something needs it."""
        times = [number.data for number in self.times] or [0] * len(self.orders)
        return dict(zip(self.dimension_orders, times, strict=True))

    @property
    def dimension_orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders as tuples of dimensions."""
        return tuple(tuple(d.data for d in order) for order in self.orders)

    def fixed_dimensions(self, field: str) -> tuple[tuple[int, ...], ...]:
        """The sets of dimensions in `slices` or `single_slices`."""
        sets: Orders = getattr(self, field)
        return tuple(tuple(d.data for d in fixed) for fixed in sets)

    def dimensions(self, field: str) -> tuple[int, ...]:
        """The dimensions in `next` or `previous`."""
        numbers: Numbers = getattr(self, field)
        return tuple(d.data for d in numbers)

    def regions(self, field: str) -> tuple[str, ...]:
        """The names in `union` or `intersect`."""
        names: Names = getattr(self, field)
        return tuple(name.data for name in names)

    def says(self, word: str) -> bool:
        """Return whether one of the `WORDS` is there."""
        return any(found.data == word for found in self.words)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"A", orders = [[0, 1]], next = [0], union = ["B"], random>`."""
        names = (*_LISTS, *_SLICES, *_OTHERS)
        fields: dict[str, Attribute] = {name: ArrayAttr(()) for name in names}
        orders: Orders = ArrayAttr(())
        times: Numbers = ArrayAttr(())
        words: list[str] = []
        left = ["orders", "times", *fields, *WORDS]

        def parse_names() -> Names:
            return _names(parser.parse_comma_separated_list(square, parser.parse_str_literal))

        def parse_numbers() -> Numbers:
            return _numbers(parser.parse_comma_separated_list(square, parser.parse_integer))

        square = parser.Delimiter.SQUARE
        with parser.in_angle_brackets():
            start = parser.pos
            region = StringAttr(parser.parse_str_literal())
            while parser.parse_optional_punctuation(","):
                position = parser.pos
                name = parser.parse_identifier()
                if name not in left:
                    expected = " or ".join(left) or "the end of the uses"
                    parser.raise_error(f"expected {expected}, got '{name}'", position)
                left = left[left.index(name) + 1 :]
                if name in WORDS:
                    words.append(name)
                    continue
                parser.parse_punctuation("=")
                if name == "orders":
                    orders = ArrayAttr(parser.parse_comma_separated_list(square, parse_numbers))
                elif name == "times":
                    times = parse_numbers()
                elif name in _SLICES:
                    fields[name] = ArrayAttr(
                        parser.parse_comma_separated_list(square, parse_numbers)
                    )
                else:
                    fields[name] = parse_names() if name in _OTHERS else parse_numbers()
            try:
                _verify_orders(orders, times)
            except VerifyException as error:
                parser.raise_error(str(error), start)
        return (region, orders, times, *fields.values(), _names(words))

    def print_parameters(self, printer: Printer) -> None:
        """Print `<"A", orders = [[0, 1]], next = [0], union = ["B"], random>`."""
        with printer.in_angle_brackets():
            printer.print_string_literal(self.region.data)
            if self.orders.data:
                orders = [list(order) for order in self.dimension_orders]
                printer.print_string(f", orders = {orders}")
            if self.times.data:
                printer.print_string(f", times = {[number.data for number in self.times]}")
            for field in _LISTS:
                if dimensions := self.dimensions(field):
                    printer.print_string(f", {field} = {list(dimensions)}")
            for field in _SLICES:
                if sets := self.fixed_dimensions(field):
                    printer.print_string(f", {field} = {[list(fixed) for fixed in sets]}")
            for field in _OTHERS:
                if names := self.regions(field):
                    printer.print_string(f", {field} = ")
                    with printer.in_square_brackets():
                        printer.print_list(names, printer.print_string_literal)
            for word in self.words:
                printer.print_string(f", {word.data}")

    def verify(self) -> None:
        """Check the orders and the words."""
        _verify_orders(self.orders, self.times)
        for word in self.words:
            if word.data not in WORDS:
                raise VerifyException(f"the words of uses are {', '.join(WORDS)}, got {word.data}")


def _verify_orders(orders: Orders, times: Numbers) -> None:
    """Raise a `VerifyException` unless each is a permutation of the same dimensions."""
    if times.data and len(times.data) != len(orders.data):
        raise VerifyException(f"{len(times.data)} times are given for {len(orders.data)} orders")
    ranks = {len(order.data) for order in orders}
    if len(ranks) > 1:
        raise VerifyException("the orders are of different ranks")
    for order in orders:
        verify_order([d.data for d in order])


def _numbers(numbers: Sequence[int]) -> Numbers:
    return ArrayAttr([IntAttr(number) for number in numbers])


def _names(names: Sequence[str]) -> Names:
    return ArrayAttr([StringAttr(name) for name in names])
