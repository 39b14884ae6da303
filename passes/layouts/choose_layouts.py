"""Choose what is stored of the index sets of sparse arrays, by what the program asks of them.

Works at the `tensor_block` level, on what `infer-lattice-uses` found, whose attribute it
replaces. All arrays of a region get one layout; what the runtime does without being told
(compressed rows, or what the number of entries suggests) is not written down.

```mlir
%E = tensor_block.from_bag %rows … {        ==>   %E = tensor_block.from_bag %rows … {
  sparse_storage.uses =                              sparse_storage.layout =
    #sparse_storage.uses<"E",                          #sparse_storage.layout<form = auto,
      orders = [[1, 0]]>} … -> !sparse                   orders = [[1, 0]]>} … -> !sparse
```

With `report` the bytes of every field go to standard error, next to those of compressed rows
and of the full lattice: numbers where the shape (`diablo.shape`) and the entries (`diablo.nnz`)
of an argument are known, formulas otherwise. With `force="TEXT"` the regions get the layouts of
the text instead, `form = hypersparse`, or `E: form = compressed; form = hypersparse` for `E` and
all others. No layout changes what a program computes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.ir import BlockArgument
from xdsl.passes import ModulePass

from diablo.diagnostics import CompileError, Diagnostic
from diablo.dialects.encodings import array_type
from diablo.dialects.locations import remark
from diablo.dialects.sparse_storage import LayoutAttr, UsesAttr
from diablo.dialects.sparse_storage.sparse_storage_layout import AUTO
from diablo.dialects.tensor_block import FromBagOp
from diablo.format_table import known_name
from diablo.passes.analyses.sparsity.lattice_regions import Variable
from diablo.passes.analyses.values.all_values import source_name
from diablo.passes.analyses.values.dimensions import known_extents
from diablo.passes.layouts.annotations import (
    LAYOUT,
    USES,
    Made,
    annotate,
    annotated,
    argument_attribute,
    place_of,
)
from diablo.passes.layouts.forced_layouts import (
    ForcedLayouts,
    LayoutTextError,
    forced_layout,
    parse_forced_layouts,
)
from diablo.passes.layouts.layout_choice import Choice, Origin, choose_layout
from diablo.passes.layouts.layout_report import (
    HeldArray,
    StoredArray,
    StoredRegion,
    layout_report,
)


@dataclass(eq=False)
class AnnotatedRegion:
    """A region as its attributes tell: what is asked of it, and what makes its arrays."""

    uses: UsesAttr
    made: list[Made] = field(default_factory=list[Made])

    def stored(
        self, layout: LayoutAttr, held: Mapping[str, HeldArray] | None = None
    ) -> StoredRegion:
        """Return what a layout stores of it; `held` is what arrays held in a run, by name."""
        arrays = self.arrays
        found = {a.name: held[a.name] for a in arrays if a.name in held} if held else {}
        found = {name: array for name, array in found.items() if len(array.shape) == self.rank}
        return StoredRegion(self.uses, layout, arrays, self.shape, self.entries, found)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return array_type(self.made[0]).get_num_dims()

    @property
    def shape(self) -> list[int | None]:
        """The extents that are known of any of its arrays."""
        shape: list[int | None] = [None] * self.rank
        for value in self.made:
            for axis, extent in enumerate(known_extents(value)):
                shape[axis] = extent if shape[axis] is None else shape[axis]
        return shape

    @property
    def entries(self) -> int | None:
        """The number of entries, if one of its arrays is an input of which it is known."""
        for value in self.made:
            if isinstance(value, BlockArgument):
                known = argument_attribute(value, "diablo.nnz")
                if isinstance(known, IntegerAttr):
                    return known.value.data
        return None

    @property
    def arrays(self) -> list[StoredArray]:
        """The arrays by their names; what has one name holds one vector of values."""
        found: dict[str, StoredArray] = {}
        for value in self.made:
            name = source_name(value) or "array"
            boolean = Variable([value]).is_boolean
            size = 0 if boolean else _value_bytes(value)
            found.setdefault(name, StoredArray(name, size))
        return list(found.values())


@dataclass(frozen=True)
class ChooseLayoutsPass(ModulePass):
    """Choose what is stored of the index sets of sparse arrays."""

    name = "choose-layouts"
    report: bool = False
    """Print the bytes of every field, to standard error."""
    force: str | None = None
    """Take the layouts of this text, such as "E: form = compressed; form = hypersparse"."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Turn uses into layouts."""
        try:
            forced: ForcedLayouts = {}
            if self.force is not None:
                forced = parse_forced_layouts(self.force)
        except LayoutTextError as error:
            raise CompileError([Diagnostic("error", str(error))]) from None
        for region, choice in chosen_layouts(op, forced):
            _explain(region, choice)
            if self.report:
                sys.stderr.write(layout_report(region.stored(choice.layout)))
            for value in region.made:
                annotate(value, USES, None)
                annotate(value, LAYOUT, None if choice.layout == AUTO else choice.layout)


def chosen_layouts(module: ModuleOp, forced: ForcedLayouts) -> list[tuple[AnnotatedRegion, Choice]]:
    """The regions whose uses are known, in the order of their first arrays, and their layouts."""
    return [(region, _choice(region, forced)) for region in _regions(module)]


def _choice(region: AnnotatedRegion, forced: ForcedLayouts) -> Choice:
    layout = forced_layout(forced, region.uses.region.data, region.rank)
    if layout is not None:
        return Choice(layout, ["it is forced"])
    return choose_layout(region.uses, region.rank, region.shape, _origin(region.made[0]))


def _origin(first: Made) -> Origin:
    """Return what a region comes from, by the first of its arrays."""
    if isinstance(first, BlockArgument):
        return "input"
    return "rows" if isinstance(first.op, FromBagOp) else "computed"


def _regions(module: ModuleOp) -> Iterable[AnnotatedRegion]:
    found: dict[str, AnnotatedRegion] = {}
    for value, attribute in annotated(module, USES):
        if isinstance(attribute, UsesAttr):
            region = found.setdefault(attribute.region.data, AnnotatedRegion(attribute))
            region.made.append(value)
    return found.values()


def _explain(region: AnnotatedRegion, choice: Choice) -> None:
    if choice.reasons:
        name, layout = region.uses.region.data, choice.layout.text
        reasons = "; ".join(choice.reasons)
        form, orders = choice.layout.form.data, choice.layout.dimension_orders
        order = next(iter(orders), range(region.rank))
        known = known_name(form, region.rank, order)
        also = f" ({known})" if known else ""
        remark(place_of(region.made[0]), f"the layout of {name} is '{layout}'{also}: {reasons}")


def _value_bytes(value: Made) -> int:
    """The bytes of an element, with 8 for what has no size of its own."""
    element = array_type(value).get_element_type()
    return getattr(element, "size", 8)
