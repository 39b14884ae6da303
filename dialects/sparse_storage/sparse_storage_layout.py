"""How the index set of a sparse array is laid out: `#sparse_storage.layout` and its text.

The same text names a layout everywhere: in the IR, as the discardable attribute
`sparse_storage.layout` of arguments and ops, and in the emitted program, which hands it to
the runtime. A layout is a wish, never a condition: what it leaves out is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from diablo.format_table import form_names, named, spelled_forms

DIRECTORIES = ("none", "array", "hash")
"""What finds an index without a search."""
WIDTHS = (0, 32, 64)
"""The bits of an index or link; 0 takes what the sizes need."""

Orders = ArrayAttr[ArrayAttr[IntAttr]]


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    """What is stored of the index set of a sparse array.

    `form` says how the indices are held: `compressed` (a start for each index of the leading
    dimension, and the other indices), `hypersparse` (the same for the leading indices that
    have entries alone), `coordinates` (an index vector for each dimension), `band`
    (diagonals), `bitmap` (a bit for each index of the box), `full` (every index of the box),
    or `auto` (chosen from statistics). The names that matrices in them have elsewhere may be
    given too (`CSR`, `CSC`, `DCSR`, `DCSC`, `COO`, `diagonal`).

    `orders` are the orders of the dimensions in which the set is iterated. The first is the
    order of the values, so `[[0, 1]]` is row by row and `[[1, 0]]` column by column; each
    further order is a permutation of the positions. `directory` is what random access goes
    through, and `width` the bits of an index (0: by size). All but the form may be left out.

    ```mlir
    "test.op"() {
      rows = #sparse_storage.layout<form = compressed>,
      both = #sparse_storage.layout<form = compressed, orders = [[0, 1], [1, 0]], width = 32>,
      found = #sparse_storage.layout<form = coordinates, directory = hash>
    } : () -> ()
    ```
    """

    name = "sparse_storage.layout"
    form: StringAttr = param_def()
    orders: Orders = param_def()
    directory: StringAttr = param_def()
    width: IntAttr = param_def()

    def __init__(
        self,
        form: str | StringAttr,
        orders: Sequence[Sequence[int]] | Orders = (),
        directory: str | StringAttr = "none",
        width: int | IntAttr = 0,
    ):
        super().__init__(
            StringAttr(form) if isinstance(form, str) else form,
            orders
            if isinstance(orders, ArrayAttr)
            else ArrayAttr([ArrayAttr([IntAttr(d) for d in order]) for order in orders]),
            StringAttr(directory) if isinstance(directory, str) else directory,
            IntAttr(width) if isinstance(width, int) else width,
        )

    @property
    def dimension_orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders as tuples of dimensions; none if the layout leaves them out."""
        return tuple(tuple(d.data for d in order) for order in self.orders)

    @property
    def text(self) -> str:
        """The text between the angle brackets: the name of the layout at run time."""
        fields = [f"form = {self.form.data}"]
        if self.orders.data:
            fields.append(f"orders = {[list(order) for order in self.dimension_orders]}")
        if self.directory.data != "none":
            fields.append(f"directory = {self.directory.data}")
        if self.width.data:
            fields.append(f"width = {self.width.data}")
        return ", ".join(fields)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<form = compressed, orders = [[0, 1]], directory = hash, width = 32>`."""

        def parse_order() -> ArrayAttr[IntAttr]:
            position = parser.pos
            order = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
            _check(parser, position, verify_order, order)
            return ArrayAttr([IntAttr(d) for d in order])

        fields: dict[str, Attribute] = {
            "orders": ArrayAttr(()),
            "directory": StringAttr("none"),
            "width": IntAttr(0),
        }
        with parser.in_angle_brackets():
            start = parser.pos
            parser.parse_keyword("form")
            parser.parse_punctuation("=")
            word = parser.parse_identifier()
            form, order = named(word)
            said = None if order is None else ArrayAttr([IntAttr(d) for d in order])
            if said is not None and order == (1, 0):
                fields["orders"] = ArrayAttr([said])
            left = list(fields)
            while parser.parse_optional_punctuation(","):
                position = parser.pos
                name = parser.parse_identifier()
                if name not in left:
                    expected = " or ".join(left) or "the end of the layout"
                    parser.raise_error(f"expected {expected}, got '{name}'", position)
                left = left[left.index(name) + 1 :]
                parser.parse_punctuation("=")
                if name == "orders":
                    orders = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_order)
                    if said is not None and orders and orders[0] != said:
                        first = list(order or ())
                        parser.raise_error(f"the first order of {word} is {first}", position)
                    fields[name] = ArrayAttr(orders)
                elif name == "directory":
                    fields[name] = StringAttr(parser.parse_identifier())
                else:
                    fields[name] = IntAttr(parser.parse_integer())
            parameters = (StringAttr(form), fields["orders"], fields["directory"], fields["width"])
            _check(parser, start, verify_layout, *parameters)
        return parameters

    def print_parameters(self, printer: Printer) -> None:
        """Print `<form = compressed, orders = [[0, 1]], directory = hash, width = 32>`."""
        with printer.in_angle_brackets():
            printer.print_string(self.text)

    def verify(self) -> None:
        """Check the words, and that the orders are those of one rank."""
        verify_layout(self.form, self.orders, self.directory, self.width)


def verify_order(order: Sequence[int]) -> None:
    """Raise a `VerifyException` unless `order` names each of its dimensions once."""
    if sorted(order) != list(range(len(order))):
        raise VerifyException(f"{list(order)} is no order of {len(order)} dimensions")


def verify_layout(form: StringAttr, orders: Orders, directory: StringAttr, width: IntAttr) -> None:
    """Raise a `VerifyException` unless these parameters make a layout."""
    if form.data not in form_names():
        message = f"the form of a layout is one of {spelled_forms()}, got {form.data}"
        raise VerifyException(message)
    _verify_word("directory", directory.data, DIRECTORIES)
    _verify_word("width", width.data, WIDTHS)
    found: list[list[int]] = []
    for entry in orders:
        order = [d.data for d in entry]
        verify_order(order)
        if found and len(order) != len(found[0]):
            raise VerifyException(f"{found[0]} and {order} are orders of different ranks")
        if order in found:
            raise VerifyException(f"the order {order} is given twice")
        found.append(order)


def _verify_word(field: str, word: object, words: Sequence[object]) -> None:
    if word not in words:
        expected = ", ".join(str(known) for known in words)
        raise VerifyException(f"the {field} of a layout is one of {expected}, got {word}")


def _check(
    parser: AttrParser, position: int, verify: Callable[..., None], *parameters: object
) -> None:
    """Report what `verify` says of parsed parameters at their place."""
    try:
        verify(*parameters)
    except VerifyException as error:
        parser.raise_error(str(error), position)


AUTO = LayoutAttr("auto")
"""The layout that leaves everything to the pattern's statistics."""


@irdl_attr_definition
class RegionType(ParametrizedAttribute, TypeAttribute):
    """A set of indices of some rank, within a box whose lower bounds are 0, and its layout.

    Each index has a *position*, by which the values of any number of arrays over the region
    are found in their vectors. Without a layout it is `#sparse_storage.layout<form = auto>`.

    ```mlir
    %any = "test.op"() : () -> !sparse_storage.region<3>
    %rows = "test.op"() : () -> !sparse_storage.region<2, #sparse_storage.layout<form = compressed>>
    ```
    """

    name = "sparse_storage.region"
    rank: IntAttr = param_def()
    layout: LayoutAttr = param_def()

    def __init__(self, rank: int | IntAttr, layout: LayoutAttr = AUTO):
        super().__init__(IntAttr(rank) if isinstance(rank, int) else rank, layout)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<2>` or `<2, #sparse_storage.layout<form = compressed>>`."""
        layout: Attribute = AUTO
        with parser.in_angle_brackets():
            position = parser.pos
            rank = IntAttr(parser.parse_integer())
            if parser.parse_optional_punctuation(","):
                layout = parser.parse_attribute()
                if not isinstance(layout, LayoutAttr):
                    parser.raise_error("expected the layout of a region", position)
            _check(parser, position, verify_region, rank, layout)
        return (rank, layout)

    def print_parameters(self, printer: Printer) -> None:
        """Print `<2>` or `<2, #sparse_storage.layout<form = compressed>>`."""
        with printer.in_angle_brackets():
            printer.print_string(str(self.rank.data))
            if self.layout != AUTO:
                printer.print_string(", ")
                printer.print_attribute(self.layout)

    def verify(self) -> None:
        """Check that the layout is one of this rank."""
        verify_region(self.rank, self.layout)


def verify_region(rank: IntAttr, layout: LayoutAttr) -> None:
    """Raise a `VerifyException` unless a region of `rank` may have this layout."""
    if rank.data < 0:
        raise VerifyException("the rank of a region cannot be negative")
    for order in layout.dimension_orders:
        if len(order) != rank.data:
            raise VerifyException(f"{list(order)} is no order of a region of rank {rank.data}")
