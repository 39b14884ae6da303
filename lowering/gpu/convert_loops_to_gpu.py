"""Turn loops over buffers into kernels for a GPU, and what is around them into launches of these.

Reads functions of `scf` over `memref` without results, one loop for each dimension (what
`convert-multiloop-to-loops{plain=true}` writes, functions on numbers written out); writes a
`gpu.module` beside each, with a `gpu.func` for what its threads do at a time, and a function of the
same name and arguments that launches them in order.

    func.func @k(%a: memref<?xf64>, %n: index, %r: memref<f64>) {
      %s = scf.for %i = %zero to %n step %one iter_args(%acc = %x) -> (f64) {
        %e = memref.load %a[%i]
        %next = arith.addf %acc, %e fastmath<reassoc,contract> : f64
        …
      memref.store %s, %r[]

becomes

    gpu.module @k_kernels {
      gpu.func @k_0(%a, %n, %partials) kernel { … }       each block folds its share
      gpu.func @k_1(%count, %partials, …, %r) kernel { … }    one block folds what these left
    }
    func.func @k(%a: memref<?xf64>, %n: index, %r: memref<f64>) {
      …
      gpu.launch_func @k_kernels::@k_0 …
      gpu.launch_func @k_kernels::@k_1 …

Loops over the same points that follow one another are fused first (`fuse_loops`). The outermost
loops have to be independent iterations, or folds in an order that is free; integers
may meet in memory, where they are combined in one step, and floats under a condition. What fits no
mapping (`kernel_mappings`) leaves the function as it is, and a remark says why.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import partial

from xdsl.context import Context
from xdsl.dialects import func, gpu, math, memref, scf
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.utils.hints import isa

from diablo.dialects.comprehension.function_ops import overload_of
from diablo.dialects.locations import located, remark
from diablo.dialects.simt import LookOp, SlicedProductOp, SortOp, allow_fast_atomics
from diablo.lowering.gpu.computed_places import Scatter, find_scatters
from diablo.lowering.gpu.fuse_loops import fuse_loops
from diablo.lowering.gpu.kernel_mappings import GridMapping, use_atomics
from diablo.lowering.gpu.kernel_writer import IndexWriter, can_compute_again
from diablo.lowering.gpu.launch_writer import LaunchWriter
from diablo.lowering.gpu.loop_structure import (
    Accumulation,
    Chain,
    Nest,
    Scan,
    check_apart,
    find_chain,
    find_nest,
    find_scan,
    is_scan,
    row_folds,
)
from diablo.lowering.gpu.owned_places import map_owned
from diablo.lowering.gpu.scan_mapping import map_scan
from diablo.lowering.gpu.scatter_loops import order_scatters
from diablo.lowering.gpu.sliced_products import map_sliced_product
from diablo.lowering.gpu.sort_mapping import map_sort
from diablo.lowering.llvm.convert_kernel_to_llvm import is_known
from diablo.passes.analyses.refused import Refused

_OnHost = memref.AllocOp | LookOp | SortOp | SlicedProductOp
"""What whoever launches kernels does between loops."""


@dataclass(frozen=True)
class Section:
    """What is done between two points at which all threads have to be done.

    Either a nest, with the folds in its body that are shared, or a fold and what stands behind it,
    or a scan, or what is combined at places of which each is a thread's, or what one thread does,
    or what whoever launches kernels does or chooses.
    """

    nest: Nest | None = None
    rows: Sequence[Chain] = ()
    total: Chain | None = None
    scan: Scan | None = None
    host: Operation | None = None
    owned: Scatter | None = None
    choice: Choice | None = None
    accumulations: Sequence[Accumulation] = ()
    ops: Sequence[Operation] = ()


@dataclass(frozen=True)
class Choice:
    """What whoever launches kernels chooses to do, by the condition of a branch, and what of that
    is left for what comes behind."""

    branch: scf.IfOp
    then: Sequence[Section]
    otherwise: Sequence[Section]


def plan_sections(function: func.FuncOp) -> list[Section]:
    """Return what a function does, cut where all threads have to be done.

    Raises
    ------
    Refused
        If it cannot be done by many threads.
    """
    _check(function)
    stored = {op.memref for op in function.walk() if isinstance(op, memref.StoreOp)}
    return _plan(function.body.block, stored)


def _plan(block: Block, stored: Container[SSAValue]) -> list[Section]:
    """The sections of a block; `stored` are the buffers that are stored to anywhere."""
    sections: list[Section] = []
    pending: list[Operation] = []
    for op in block.ops:
        if isinstance(op, func.ReturnOp | scf.YieldOp) or can_compute_again(op):
            continue
        if isinstance(op, memref.LoadOp) and op.memref not in stored:
            continue
        if isinstance(op, memref.StoreOp):
            pending.append(op)
            continue
        is_choice = isinstance(op, scf.IfOp) and op.false_region.blocks
        if not isinstance(op, scf.ForOp | _OnHost) and not is_choice:
            raise Refused(f"{op.name} stands between loops")
        _settle(sections, pending)
        pending = []
        if isinstance(op, scf.IfOp):
            branches = [_plan(region.block, stored) for region in op.regions]
            sections.append(Section(choice=Choice(op, *branches)))
            continue
        if not isinstance(op, scf.ForOp):
            sections.append(Section(host=op))
            continue
        scatters = find_scatters(op)
        if len(scatters) == 1 and not scatters[0].is_free:
            sections.append(Section(owned=scatters[0]))
        elif op.results and is_scan(op):
            sections.append(Section(scan=find_scan(op)))
        elif op.results:
            chain = find_chain(op)
            sections.append(Section(total=chain, accumulations=_meetings(chain)))
        else:
            nest = find_nest(op)
            sections.append(Section(nest, row_folds(nest)))
    _settle(sections, pending)
    return sections


def _settle(sections: list[Section], ops: list[Operation]) -> None:
    """Let ops between loops be done behind the fold before them, or by a kernel of their own."""
    if not ops:
        return
    if sections and sections[-1].total is not None and not sections[-1].ops:
        last = sections.pop()
        sections.append(Section(total=last.total, accumulations=last.accumulations, ops=ops))
    else:
        sections.append(Section(ops=ops))


def _meetings(chain: Chain) -> Sequence[Accumulation]:
    """Return where iterations of a fold meet in memory; its innermost loop stores what it does."""
    inner = set(chain.inner.walk())
    if any(isinstance(op, memref.StoreOp) and op not in inner for op in chain.outer.walk()):
        raise Refused("a fold stores elements beside its innermost loop")
    return check_apart(chain.loops)


def _check(function: func.FuncOp) -> None:
    if len(function.body.blocks) != 1:
        raise Refused("it has no single block")
    if not all(op is function or _has_form(op) for op in function.walk()):
        raise Refused("an op of it has no machine code")
    for op in function.walk():
        overload = overload_of(op)
        if overload is None or overload.expansion is not None:
            continue
        if overload.is_library_call:
            raise Refused(f"{op.name} is a call of the C library")


def _has_form(op: Operation) -> bool:
    """Return whether an op is for kernels, or for whoever launches them."""
    return isinstance(op, _OnHost | math.CountLeadingZerosOp) or is_known(op)


def convert_function(function: func.FuncOp) -> gpu.ModuleOp:
    """Rewrite a function in place; return the module of its kernels.

    Raises
    ------
    Refused
        If it cannot be done by many threads; what is left of it is of no use then.
    """
    order_scatters(function)
    fuse_loops(function)
    sections = plan_sections(function)
    name = function.sym_name.data
    old, new = function.body.block, Block(arg_types=function.body.block.arg_types)
    arguments: dict[SSAValue, SSAValue] = {}
    for before, after in zip(old.args, new.args, strict=True):
        after.name_hint = before.name_hint
        arguments[before] = after
    host = IndexWriter(function, new)
    end = old.last_op
    assert isinstance(end, func.ReturnOp)
    launches = LaunchWriter(f"{name}_kernels", name, host, arguments)
    mapping = GridMapping(launches)
    for section in sections:
        _write(mapping, section)
    returned = [_returned(launches, value) for value in end.arguments]
    host.put(func.ReturnOp(*returned))
    function.body.detach_block(old)
    old.drop_all_references()
    function.body.add_block(new)
    body = Region(Block(launches.kernels))
    return located(
        gpu.ModuleOp.build(properties={"sym_name": StringAttr(launches.module)}, regions=[body]),
        function,
    )


def _write(mapping: GridMapping, section: Section) -> None:
    """Append the kernels of a section, and their launches."""
    launches = mapping.launches
    use_atomics(section.accumulations)
    if section.nest is not None and section.rows:
        mapping.rows(section.nest, section.rows)
    elif section.nest is not None:
        mapping.points(section.nest)
    elif section.scan is not None:
        map_scan(mapping, section.scan)
    elif section.owned is not None:
        map_owned(mapping, section.owned)
    elif section.choice is not None:
        _choose(mapping, section.choice)
    elif isinstance(section.host, SortOp):
        map_sort(mapping, section.host)
    elif isinstance(section.host, SlicedProductOp):
        map_sliced_product(mapping, section.host)
    elif section.host is not None:
        launches.do(section.host, mapping.left)
    elif section.total is not None:
        mapping.total(section.total, section.ops)
    else:
        mapping.single(section.ops)


def _choose(mapping: GridMapping, choice: Choice) -> None:
    """Append a branch with the launches of either side."""
    launches = mapping.launches
    condition = launches.value(choice.branch.cond)
    if condition is None:
        raise Refused("which loops are run shows on the device alone")

    def write(sections: Sequence[Section], region: Region) -> Sequence[SSAValue]:
        for section in sections:
            _write(mapping, section)
        end = region.block.last_op
        assert end is not None
        return [_returned(launches, value) for value in end.operands]

    regions = zip((choice.then, choice.otherwise), choice.branch.regions, strict=True)
    then, otherwise = (launches.inside(partial(write, *each)) for each in regions)
    made = scf.IfOp(condition, choice.branch.result_types, then, otherwise)
    launches.host.put(made)
    for old, new in zip(choice.branch.results, made.results, strict=True):
        launches.move(old, new)


def _returned(launches: LaunchWriter, value: SSAValue) -> SSAValue:
    found = launches.value(value)
    if found is None:
        raise Refused("it returns what the device alone knows")
    return found


def is_loops(function: func.FuncOp) -> bool:
    """Return whether a function is loops over buffers."""
    return (
        bool(function.body.blocks)
        and all(isinstance(t, MemRefType | IndexType) for t in function.function_type.outputs)
        and any(isa(argument.type, MemRefType[Attribute]) for argument in function.args)
        and any(isinstance(op, memref.StoreOp | SlicedProductOp) for op in function.walk())
    )


@dataclass(frozen=True)
class ConvertLoopsToGPUPass(ModulePass):
    """Turns loops over buffers into kernels for a GPU and their launches."""

    name = "convert-loops-to-gpu"
    fast_atomics: bool = False
    """Whether floats may be added in memory in the order in which threads come, so that equal runs
    may differ in the last bits."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Convert every function of loops that can be; leave the others alone."""
        for function in list(op.ops):
            if not isinstance(function, func.FuncOp) or not is_loops(function):
                continue
            name = function.sym_name.data
            launching = function.clone()
            if self.fast_atomics:
                allow_fast_atomics(launching)
            op.body.block.insert_op_before(launching, function)
            try:
                kernels = convert_function(launching)
            except Refused as why:
                launching.detach()
                remark(function, f"'{name}' does not run on a GPU: {why}")
                continue
            op.body.block.insert_op_before(kernels, launching)
            function.detach()
            function.erase()
            op.attributes["gpu.container_module"] = UnitAttr()
