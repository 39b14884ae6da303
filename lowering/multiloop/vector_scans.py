"""Kernels that scan vectors as loops over buffers, the points of which threads may share.

    %s, %all = multiloop.loop range(%zero, %n : index, index) -> tensor<?xf64>, f64 {
    ^bb0(%i: index, %vector: !multiloop.place<f64>, %sums: !multiloop.scan<add : f64>):
      %e = tensor.extract %x[%i] : tensor<?xf64>
      %sum = multiloop.emit %sums(%e : f64)
      multiloop.emit %vector[%i : index](%sum : f64)
    }

becomes

    func.func @k(%n: index, %x: memref<?xf64>, %vector: memref<?xf64>) {
      %acc = memref.alloca() : memref<1xf64>        what the elements so far come to
      …
      scf.for %row = %zero to %n step %one {
        …
        memref.store %sum, %vector[%row]

What the function makes is known by its extents before, as of kernels over dense arrays: the vectors
and numbers that it returns are buffers behind the other arguments.

With `split` come arguments behind these by which pieces of the work are done side by side. Each
scan has a buffer with a cache line for what each piece comes to; then follow the points of the
piece, how many pieces are before it, and whether it is to fold its points and to do nothing else.
Once the pieces but the last have done that, all of them go through their points, and begin with
what those before come to (reduce-then-scan: Blelloch, "Prefix sums and their applications", 1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from diablo.dialects.bags import BagType
from diablo.dialects.monoids import is_user_defined
from diablo.dialects.multiloop import EmitOp, LoopOp, PlaceType, ReduceType, ScanType
from diablo.kernel_signature import PIECE_LINE
from diablo.lowering.kernel_types import is_tensor
from diablo.lowering.llvm.kernel_loops import memref_type
from diablo.lowering.llvm.monoid_folds import Fold
from diablo.lowering.loop_functions import replace_body
from diablo.lowering.multiloop.generator_code import (
    Accumulator,
    Frame,
    GeneratorCode,
    ReduceCode,
    VectorCode,
    column_type,
)
from diablo.lowering.multiloop.loop_body import LoopBody
from diablo.lowering.multiloop.op_writer import OpWriter
from diablo.lowering.multiloop.row_loop import fold_or_all, near_or_far


def scans_vectors(function: func.FuncOp, loop: LoopOp) -> bool:
    """Return whether the loop of a function scans vectors, and makes vectors and numbers alone."""
    if loop.source.data != "range" or any(isinstance(a.type, BagType) for a in function.args):
        return False
    pairs = list(zip(loop.generators, loop.made, strict=True))
    scans = [made for generator, made in pairs if isinstance(generator.type, ScanType)]
    others = [g for g, _ in pairs if not isinstance(g.type, ScanType)]
    return (
        bool(scans)
        and not any(made.uses for made in scans)
        and all(
            isinstance(g.type, ReduceType)
            or (isinstance(g.type, PlaceType) and g.type.rank.data == 1)
            for g in others
        )
    )


def has_pieces(loop: LoopOp) -> bool:
    """Return whether what pieces of the work come to can be combined, and is known before."""
    return all(
        not hangs_on_scans(loop, generator)
        if isinstance(generator.type, ScanType)
        else not isinstance(generator.type, ReduceType)
        or not is_user_defined(generator.type.monoid.data)
        for generator in loop.generators
    )


def hangs_on_scans(loop: LoopOp, generator: SSAValue) -> bool:
    """Return whether what is emitted to a generator, or when, hangs on what a scan gives."""
    pending: list[Operation] = [use.operation for use in generator.uses]
    seen = set(pending)
    while pending:
        op = pending.pop()
        owners = [operand.owner for inner in op.walk() for operand in inner.operands]
        around = op.parent_op()
        if around is not None and around is not loop:
            owners.append(around)
        for owner in owners:
            if isinstance(owner, EmitOp):
                return True
            if isinstance(owner, Operation) and owner not in seen and loop.is_ancestor(owner):
                seen.add(owner)
                pending.append(owner)
    return False


class _TotalCode(ReduceCode):
    """Combines what is emitted in a register, which a call begins with the identity."""

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin with the identity."""
        self._buffers = buffers
        self._accumulator = Accumulator.of(frame, self.fold)
        self._accumulator.clear(frame.entry)


@dataclass
class _Piece:
    """Which points a call goes through, how many pieces are before, and whether it just folds."""

    begin: SSAValue
    end: SSAValue
    before: SSAValue
    folds: SSAValue


@dataclass
class _ScanCode(_TotalCode):
    """The same of a scan, of which a piece begins with what those before it come to."""

    is_split: bool = False
    piece: _Piece | None = None

    def __post_init__(self) -> None:
        types = self.fold.types if self.is_split else []
        self.arguments = [(column_type(type), "parts") for type in types]

    def begin(self, frame: Frame, number: int, buffers: Sequence[SSAValue]) -> None:
        """Begin with the identity, or with what the pieces before come to in their order."""
        super().begin(frame, number, buffers)
        if self.piece is None:
            return
        entry, register = frame.entry, self._accumulator.register
        first, one, before = frame.zero, entry.index(1), self.piece.before
        carried = entry.inner()
        register.write(carried, [carried.add(memref.LoadOp.get(b, [first])) for b in buffers])
        later = carried.inner([IndexType()])
        (place,) = later.block.args
        place = later.add(arith.MuliOp(place, later.index(PIECE_LINE)))
        held = register.read(later)
        parts = [later.add(memref.LoadOp.get(buffer, [place])) for buffer in buffers]
        register.write(later, self.fold.combine(later.block, later.op, held, parts))
        later.put(scf.YieldOp())
        carried.put(scf.ForOp(one, before, one, [], Region(later.block)))
        carried.put(scf.YieldOp())
        no = entry.add(arith.ConstantOp(IntegerAttr(0, i1)))
        is_whole = entry.add(arith.CmpiOp(self.piece.folds, no, "eq"))
        is_later = entry.add(arith.CmpiOp(before, first, "sgt"))
        is_later = entry.add(arith.AndIOp(is_whole, is_later))
        entry.put(scf.IfOp(is_later, [], Region(carried.block)))

    def end(self, writer: OpWriter) -> None:
        """Leave what a piece comes to for those behind it."""
        assert self.piece is not None
        place = writer.add(arith.MuliOp(self.piece.before, writer.index(PIECE_LINE)))
        parts = self._accumulator.register.read(writer)
        for buffer, part in zip(self._buffers, parts, strict=True):
            writer.put(memref.StoreOp.get(part, buffer, [place]))


def convert_scans(function: func.FuncOp, loop: LoopOp, *, split: bool) -> None:
    """Rewrite a function whose loop `scans_vectors`, in place; in pieces if that `has_pieces`.

    Raises
    ------
    Refused
        If an op in its loop has no form over buffers; the function is as it was then.
    """
    block, body = Block(), LoopBody()

    def argument(type: Attribute, hint: str | None) -> SSAValue:
        added = block.insert_arg(type, len(block.args))
        added.name_hint = hint
        return added

    for old in function.args:
        if is_tensor(old.type):
            body.arrays[old] = argument(memref_type(old.type), old.name_hint)
        else:
            body.bind(old, [argument(old.type, old.name_hint)])
    codes = [_code_of(generator, loop, split=split) for generator in loop.generators]
    hints = [made.name_hint or "result" for made in loop.made]
    buffers: list[list[SSAValue]] = [[] for _ in codes]
    # What is made comes first.
    for is_scan in (False, True):
        for code, hint, own in zip(codes, hints, buffers, strict=True):
            if isinstance(code, _ScanCode) == is_scan:
                own += [argument(type, name if is_scan else hint) for type, name in code.arguments]
    piece: _Piece | None = None
    if split:
        begin, end, before = (argument(IndexType(), name) for name in ("begin", "end", "before"))
        piece = _Piece(begin, end, before, argument(i1, "folds"))
    for code in codes:
        if isinstance(code, _ScanCode):
            code.piece = piece

    entry = OpWriter(loop, block)
    zero = entry.index(0)
    always = entry.add(arith.ConstantOp(IntegerAttr(1, i1)))
    body.frame = frame = Frame(entry, always, zero, zero)
    for op in function.body.block.ops:
        if op is not loop and not isinstance(op, func.ReturnOp):
            body.copy([op], block)
    for number, (code, own) in enumerate(zip(codes, buffers, strict=True)):
        code.begin(frame, number, own)
    body.emits.update(zip(loop.generators, codes, strict=True))
    scans = [code for code in codes if isinstance(code, _ScanCode)]
    others = [code for code in codes if not isinstance(code, _ScanCode)]
    if piece is None:
        near_or_far(loop, body, codes, entry, (zero, body.trips(loop, entry)))
        _end(others, entry)
    else:
        fold_or_all(loop, body, codes, entry, piece.folds, (piece.begin, piece.end))
        left, made = _end(scans, entry.inner()), _end(others, entry.inner())
        for inner in (left, made):
            inner.put(scf.YieldOp())
        entry.put(scf.IfOp(piece.folds, [], Region(left.block), Region(made.block)))
    block.add_op(func.ReturnOp())
    replace_body(function, block)


def _end(codes: Sequence[GeneratorCode], writer: OpWriter) -> OpWriter:
    for code in codes:
        code.end(writer)
    return writer


def _code_of(generator: SSAValue, loop: LoopOp, *, split: bool) -> GeneratorCode:
    match generator.type:
        case PlaceType(element=element):
            return VectorCode(element)
        case ReduceType(monoid=monoid, element=element):
            return _TotalCode(Fold.of(monoid.data, element, loop))
        case type:
            assert isinstance(type, ScanType)
            return _ScanCode(Fold.of(type.monoid.data, type.element, loop), is_split=split)
