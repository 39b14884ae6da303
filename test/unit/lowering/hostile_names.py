"""A module under other names, and whether two emitted programs are the same but for names.

Everything that comes from outside is renamed: files, symbols, inputs, results, values, strings.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import cf, func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FileLineColLoc,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation, SSAValue

from diablo.dialects import comprehension

Rename = Callable[[str, str], str]
"""From what is named (`"file"`, `"symbol"`, `"text"`, `"value"`) and its name to a new one."""


def renamed(module: ModuleOp, rename: Rename) -> ModuleOp:
    """A copy of `module` in which everything has the name that `rename` gives it."""
    module = module.clone()
    symbols: dict[str, str] = {}

    def symbol(old: str) -> str:
        if old not in symbols:
            new = rename("symbol", old)
            while new in symbols.values():  # A module has each symbol once.
                new += "'"
            symbols[old] = new
        return symbols[old]

    def attribute(value: Attribute) -> Attribute:
        match value:
            case SymbolRefAttr():
                return SymbolRefAttr(symbol(value.string_value()))
            case StringAttr() if value.data.startswith("@"):
                return StringAttr(f"@{symbol(value.data[1:])}")
            case ArrayAttr():
                return ArrayAttr([attribute(part) for part in value])
            case _:
                return value

    for op in module.walk():
        op.location = _location(op.location, rename)
        op.properties = {key: attribute(value) for key, value in op.properties.items()}
        for value in _values(op):
            if value.name_hint is not None:
                value.name_hint = rename("value", value.name_hint)
        match op:
            case func.FuncOp():
                op.properties["sym_name"] = StringAttr(symbol(op.sym_name.data))
                for key in ("arg_attrs", "res_attrs"):
                    if isinstance(attributes := op.properties.get(key), ArrayAttr):
                        op.properties[key] = _argument_names(attributes, rename)
            case comprehension.MonoidOp():
                op.properties["sym_name"] = StringAttr(symbol(op.sym_name.data))
            case comprehension.StringOp():
                op.properties["value"] = StringAttr(rename("text", op.value.data))
            case cf.AssertOp():
                op.properties["msg"] = StringAttr(rename("text", op.msg.data))
            case _:
                pass
    return module


def _location(location: Attribute, rename: Rename) -> Attribute:
    if not isinstance(location, FileLineColLoc):
        return location
    file = StringAttr(rename("file", location.filename.data))
    return FileLineColLoc(file, location.line, location.column)


def _argument_names(attributes: ArrayAttr[Attribute], rename: Rename) -> ArrayAttr[DictionaryAttr]:
    entries: list[DictionaryAttr] = []
    for entry in attributes:
        assert isinstance(entry, DictionaryAttr)
        entries.append(
            DictionaryAttr(
                {
                    key: StringAttr(rename("text", value.data))
                    if isinstance(value, StringAttr)
                    else value
                    for key, value in entry.data.items()
                }
            )
        )
    return ArrayAttr(entries)


def _values(op: Operation) -> Iterator[SSAValue]:
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.args


# -- Programs that differ in names alone ------------------------------------------------------


@dataclass
class _Names:
    """Which name stands for which, one to one; `local` are the variables of both functions."""

    local: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    to: dict[str, str] = field(default_factory=dict[str, str])
    back: dict[str, str] = field(default_factory=dict[str, str])

    def pair(self, one: str, other: str) -> bool:
        return self.to.setdefault(one, other) == other and self.back.setdefault(other, one) == one


def difference(one: str, other: str) -> str | None:
    """Return where two Python programs differ in more than names, strings and comments, if at all.

    The variables of a function and what the module defines may have other names, one to one; what
    it imports, and Python's own functions, may not.
    """
    trees = ast.parse(one), ast.parse(other)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(trees[0])
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    fixed = frozenset({"main", "LLVM", *imported})
    return _Comparison([_defined(tree) - fixed for tree in trees], fixed).compare(
        trees, _Names(), ()
    )


def _locals(function: ast.FunctionDef) -> frozenset[str]:
    nodes = list(ast.walk(function))
    stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(stored | {n.arg for n in nodes if isinstance(n, ast.arg)})


def _defined(module: ast.Module) -> frozenset[str]:
    """Return what the top level defines and does not import."""
    names = {
        target.id
        for statement in module.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    names |= {s.name for s in module.body if isinstance(s, ast.FunctionDef)}
    return frozenset(names)


@dataclass
class _Comparison:
    defined: Sequence[frozenset[str]]
    fixed: frozenset[str]
    globals: _Names = field(default_factory=_Names)

    def compare(self, nodes: tuple[object, object], names: _Names, path: tuple[str, ...]):
        """The first difference of two subtrees; `names` are those of the function around."""
        one, other = nodes
        where = "/".join(path)
        if type(one) is not type(other):
            return f"{where}: {_shown(one)} and {_shown(other)}"
        if isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return f"{where}: {len(one)} and {len(other)} parts"
            for k, pair in enumerate(zip(one, other, strict=True)):
                if (found := self.compare(pair, names, (*path, str(k)))) is not None:
                    return found
            return None
        if isinstance(one, str) and isinstance(other, str):
            return None if self.same_name(one, other, names) else f"{where}: {one} and {other}"
        if not isinstance(one, ast.AST) or not isinstance(other, ast.AST):
            return None if one == other else f"{where}: {one!r} and {other!r}"
        if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
            strings = isinstance(one.value, str) and isinstance(other.value, str)
            same = strings or repr(one.value) == repr(other.value)
            return None if same else f"{where}: {one.value!r} and {other.value!r}"
        if isinstance(one, ast.Delete) and isinstance(other, ast.Delete):
            # In the order of their names.
            pairs = [{t.id for t in d.targets if isinstance(t, ast.Name)} for d in (one, other)]
            return None if {names.to.get(n) for n in pairs[0]} == pairs[1] else f"{where}: del"
        if isinstance(one, ast.FunctionDef) and isinstance(other, ast.FunctionDef):
            if not self.same_name(one.name, other.name, names):
                return f"{where}: def {one.name} and {other.name}"
            names = _Names((_locals(one), _locals(other)))
            parts = [(f.args, f.body) for f in (one, other)]
            return self.compare((list(parts[0]), list(parts[1])), names, (*path, one.name))
        # The names of what is imported, of parts and of parameters are the runtime's.
        is_fixed = isinstance(one, ast.Attribute | ast.keyword | ast.alias)
        for key in one._fields:
            pair = getattr(one, key), getattr(other, key)
            step = f"{type(one).__name__}.{key}"
            if is_fixed and isinstance(pair[0], str):
                if pair[0] != pair[1]:
                    return f"{where}/{step}: {pair[0]} and {pair[1]}"
                continue
            if (found := self.compare(pair, names, (*path, step))) is not None:
                return found
        return None

    def same_name(self, one: str, other: str, names: _Names) -> bool:
        """Whether two names may stand for the same."""
        is_local = [name in found for name, found in zip((one, other), names.local, strict=True)]
        if is_local[0] != is_local[1]:
            return False
        if not is_local[0] and (one in self.defined[0] or other in self.defined[1]):
            return self.globals.pair(one, other)
        fixed = one in self.fixed or hasattr(builtins, one)
        return (one == other or not fixed) and names.pair(one, other)


def _shown(node: object) -> str:
    return ast.unparse(node)[:80] if isinstance(node, ast.AST) else repr(node)[:80]
