"""Random comprehensions as text of the `comprehension` level: nested, grouped, correlated.

A generator of statements keeps what is in scope by type: numbers (`i64`), floats (`f64`),
strings, bags of numbers or of pairs, arrays. Every program is well typed; no read or division
fails, since guards or branches stand before them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

ARGUMENTS = {
    "%L": "!comprehension.bag<i64, f64>",
    "%R": "!comprehension.bag<i64, i64>",
    "%W": "!comprehension.bag<!comprehension.string, i64>",
    "%M": "!comprehension.bag<keys = 1, i64, f64>",
    "%v": "tensor<?xf64, #tensor_block.tiles<dense = 1>>",
    "%S": "tensor<?x?xf64, #tensor_block.tiles<dense = 1>>",
}
PAIRS = "!comprehension.bag<i64, f64>"
NUMBERS = "!comprehension.bag<i64>"
LOCAL = "tensor<?xf64>"


@dataclass
class Scope:
    """Names by type."""

    values: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    outer: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Of these, what the comprehensions around this one bind."""

    def child(self) -> Scope:
        """A scope inside of a comprehension or a branch."""
        copy = {type: list(names) for type, names in self.values.items()}
        return Scope(copy, {type: list(names) for type, names in self.values.items()})

    def add(self, type: str, name: str) -> str:
        """Bring a name into scope."""
        self.values.setdefault(type, []).append(name)
        return name


class Programs:
    """Makes one random program."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.indent = 1

    def name(self) -> str:
        """A new name."""
        self.count += 1
        return f"%x{self.count}"

    def emit(self, line: str) -> None:
        """Append a line."""
        self.lines.append("  " * self.indent + line)

    def let(self, scope: Scope, type: str, op: str) -> str:
        """Emit `op` and bring its result into scope."""
        name = self.name()
        self.emit(f"{name} = {op}")
        return scope.add(type, name)

    def pick(self, scope: Scope, type: str) -> str:
        """A name of `type`, recent ones more often."""
        names = scope.values.get(type)
        if not names:
            return self.constant(scope, type)
        return self.random.choice(names[-4:] if self.random.random() < 0.7 else names)

    def constant(self, scope: Scope, type: str) -> str:
        """A small constant."""
        k = self.random.randrange(4)
        match type:
            case "i64":
                return self.let(scope, type, f"arith.constant {k} : i64")
            case "f64":
                return self.let(scope, type, f"arith.constant {k / 2} : f64")
            case "i1":
                return self.condition(scope)
            case "index":
                return self.let(scope, type, f"arith.constant {k} : index")
            case "!comprehension.string":
                return self.let(scope, type, f'comprehension.string "{"ab a"[:k]}"')
            case _:
                raise AssertionError(type)

    # ---- expressions ---------------------------------------------------------------

    def number(self, scope: Scope) -> str:
        """A computed integer."""
        a, b = self.pick(scope, "i64"), self.pick(scope, "i64")
        op = self.random.choice(["addi", "subi", "maxsi"])
        return self.let(scope, "i64", f"arith.{op} {a}, {b} : i64")

    def float(self, scope: Scope) -> str:
        """A computed float."""
        a, b = self.pick(scope, "f64"), self.pick(scope, "f64")
        op = self.random.choice(["addf", "subf", "maximumf"])
        return self.let(scope, "f64", f"arith.{op} {a}, {b} : f64")

    def condition(self, scope: Scope) -> str:
        """A comparison."""
        a, b = self.pick(scope, "i64"), self.pick(scope, "i64")
        relation = self.random.choice(["eq", "ne", "slt", "sle"])
        return self.let(scope, "i1", f"arith.cmpi {relation}, {a}, {b} : i64")

    def index(self, scope: Scope) -> str:
        """An integer as an index."""
        return self.let(
            scope, "index", f"arith.index_cast {self.pick(scope, 'i64')} : i64 to index"
        )

    def divided(self, scope: Scope) -> str:
        """A division, which must be protected by the caller."""
        a, b = self.pick(scope, "i64"), self.pick(scope, "i64")
        zero = self.let(scope, "i64", "arith.constant 0 : i64")
        nonzero = self.let(scope, "i1", f"arith.cmpi ne, {b}, {zero} : i64")
        result = self.name()
        self.emit(f"{result} = scf.if {nonzero} -> (i64) {{")
        self.indent += 1
        inner = scope.child()
        quotient = self.let(inner, "i64", f"arith.divsi {a}, {b} : i64")
        if self.random.random() < 0.6:
            quotient = self.nested_number(inner, extra=quotient)
        self.emit(f"scf.yield {quotient} : i64")
        self.indent -= 1
        self.emit("} else {")
        self.emit(f"  scf.yield {a} : i64")
        self.emit("}")
        return scope.add("i64", result)

    def read(self, scope: Scope) -> str:
        """A read that may miss."""
        value, found = self.name(), self.name()
        choice = self.random.choice(["%M", "%v", "%S"])
        if choice == "%M":
            keys = self.pick(scope, "i64")
        else:
            rank = 1 if choice == "%v" else 2
            keys = ", ".join(self.index(scope) for _ in range(rank))
        self.emit(f"{value}, {found} = comprehension.probe {choice}[{keys}] : {ARGUMENTS[choice]}")
        scope.add("i1", found)
        if self.random.random() < 0.5:
            self.emit(f"comprehension.guard {found}")
        return scope.add("f64", value)

    # ---- nested comprehensions -----------------------------------------------------

    def nested_number(self, scope: Scope, extra: str | None = None) -> str:
        """An aggregate of integers."""
        monoid = self.random.choice(["add", "max", "min"])
        result = self.name()
        self.emit(f"{result} = comprehension.aggregate {monoid} : i64 {{")
        inner = scope.child()
        if extra is not None:
            inner.add("i64", extra)
        self.body(inner)
        self.finish(f"comprehension.yield {self.pick(inner, 'i64')}")
        # The identities of min and max overflow when they are added to.
        limit = self.let(scope, "i64", "arith.constant 1000 : i64")
        least = self.let(scope, "i64", "arith.constant -1000 : i64")
        below = self.let(scope, "i64", f"arith.minsi {result}, {limit} : i64")
        return self.let(scope, "i64", f"arith.maxsi {below}, {least} : i64")

    def nested_float(self, scope: Scope) -> str:
        """An aggregate of floats."""
        result = self.name()
        self.emit(
            f"{result} = comprehension.aggregate {self.random.choice(['add', 'add'])} : f64 {{"
        )
        inner = scope.child()
        self.body(inner)
        self.finish(f"comprehension.yield {self.pick(inner, 'f64')}")
        return scope.add("f64", result)

    def nested_pairs(self, scope: Scope) -> str:
        """A list of pairs."""
        result = self.name()
        self.emit(f"{result} = comprehension.collect : {PAIRS} {{")
        inner = scope.child()
        self.body(inner)
        self.finish(f"comprehension.yield ({self.pick(inner, 'i64')}) {self.pick(inner, 'f64')}")
        return scope.add(PAIRS, result)

    def nested_array(self, scope: Scope) -> str:
        """An array; its elements depend on nothing but their index, lest order should matter."""
        extent = self.index(scope)
        result = self.name()
        self.emit(f"{result} = comprehension.build ({extent}) : {LOCAL} {{")
        inner = scope.child()
        self.body(inner)
        index = self.index(inner)
        group, bags, total = self.name(), self.name(), self.name()
        value = self.pick(inner, "f64")
        self.emit(
            f"{group}, {bags} = comprehension.group_by keys({index}) values({value}) : "
            "index, !comprehension.bag<f64>"
        )
        self.emit(f"{total} = comprehension.reduce add {bags} : !comprehension.bag<f64>")
        self.finish(f"comprehension.yield ({group}) {total}")
        return scope.add(LOCAL, result)

    def finish(self, head: str) -> None:
        """End a comprehension."""
        self.emit(head)
        self.indent -= 1
        self.emit("}")

    # ---- qualifiers ----------------------------------------------------------------

    def generator(self, scope: Scope) -> None:
        """A generator over an input, a range, or a collection of the row."""
        rows = [(PAIRS, name) for name in scope.values.get(PAIRS, ())]
        arrays = [(LOCAL, name) for name in scope.values.get(LOCAL, ())]
        inputs = [(type, name) for name, type in ARGUMENTS.items()]
        own = rows + arrays
        type, name = self.random.choice(own if own and self.random.random() < 0.5 else inputs)
        if self.random.random() < 0.15:
            lower = self.let(scope, "index", "arith.constant 0 : index")
            upper = self.index(scope)
            bound = self.name()
            self.emit(f"{bound} = comprehension.range {lower} to {upper}")
            scope.add("index", bound)
            self.let(scope, "i64", f"arith.index_cast {bound} : index to i64")
            return
        columns = _columns(type)
        names = [self.name() for _ in columns]
        full = " full" if type.startswith("tensor") and self.random.random() < 0.4 else ""
        self.emit(f"{', '.join(names)} = comprehension.each {name}{full} : {type}")
        for bound, column in zip(names, columns, strict=True):
            scope.add(column, bound)
            if column == "index":
                self.let(scope, "i64", f"arith.index_cast {bound} : index to i64")

    def tie(self, scope: Scope) -> None:
        """An equality guard, between what an outer comprehension and what this one binds."""
        type = self.random.choice(["i64", "i64", "!comprehension.string"])
        mine = [v for v in scope.values.get(type, ()) if v not in scope.outer.get(type, ())]
        theirs = scope.outer.get(type, [])
        if not mine or not theirs:
            return
        a, b = self.random.choice(mine), self.random.choice(theirs)
        if type == "i64":
            equal = self.let(scope, "i1", f"arith.cmpi eq, {a}, {b} : i64")
        else:
            equal = self.let(
                scope,
                "i1",
                f'comprehension.string_call "eq" ({a}, {b}) : ({type}, {type}) -> i1',
            )
        self.emit(f"comprehension.guard {equal}")

    def group(self, scope: Scope) -> Scope:
        """A group-by; the scope of what comes after it."""
        keys = [(type, self.pick(scope, type)) for type in ("i64",)]
        if self.random.random() < 0.4:
            keys.append(("!comprehension.string", self.pick(scope, "!comprehension.string")))
        number, value = self.pick(scope, "i64"), self.pick(scope, "f64")
        names = [self.name() for _ in keys]
        floats, pairs = self.name(), self.name()
        self.emit(
            f"{', '.join([*names, floats, pairs])} = comprehension.group_by "
            f"keys({', '.join(key for _, key in keys)}) values({value}, {number}, {value}) : "
            f"{', '.join(type for type, _ in keys)}, !comprehension.bag<f64>, {PAIRS}"
        )
        after = replace(scope, values={t: list(names) for t, names in scope.outer.items()})
        for name, (type, _) in zip(names, keys, strict=True):
            after.add(type, name)
        monoid = self.random.choice(["add", "max"])
        self.let(after, "f64", f"comprehension.reduce {monoid} {floats} : !comprehension.bag<f64>")
        if self.random.random() < 0.4:
            self.let(after, "i64", f"comprehension.length {floats} : !comprehension.bag<f64>")
        if self.random.random() < 0.4:
            after.add(PAIRS, pairs)
        return after

    def body(self, scope: Scope) -> None:
        """Qualifiers; `scope` ends as that of the head."""
        self.indent += 1
        if self.indent < 3 or self.random.random() < 0.95:
            self.generator(scope)
        depth = self.indent
        for _ in range(self.random.randrange(1, 4 if depth < 4 else 3)):
            choice = self.random.random()
            if choice < 0.15:
                self.generator(scope)
            elif choice < 0.3:
                self.emit(f"comprehension.guard {self.condition(scope)}")
            elif choice < 0.45:
                self.tie(scope)
            elif choice < 0.55:
                self.read(scope)
            elif choice < 0.65:
                self.number(scope)
                self.float(scope)
            elif choice < 0.72 and depth < 4:
                self.divided(scope)
            elif choice < 0.8:
                scope.values = self.group(scope).values
            elif depth < 4:
                self.random.choice(
                    [self.nested_number, self.nested_float, self.nested_pairs, self.nested_array]
                )(scope)

    def program(self) -> str:
        """The text of a module with one function `main`."""
        arguments = ", ".join(f"{name}: {type}" for name, type in ARGUMENTS.items())
        self.lines = [f"func.func @main({arguments}) -> {PAIRS} {{"]
        result = self.nested_pairs(Scope())
        self.emit(f"func.return {result} : {PAIRS}")
        self.lines.append("}")
        return "\n".join(self.lines)


def _columns(type: str) -> list[str]:
    """Return what a generator over `type` binds."""
    match type.split("<")[0]:
        case "tensor":
            return ["index"] * type.count("?") + ["f64"]
        case _:
            columns = type.removeprefix("!comprehension.bag<").removesuffix(">")
            return [c for c in columns.split(", ") if not c.startswith("keys")]


def random_program(seed: int) -> str:
    """The text of a random module with a function `main` of the arguments `ARGUMENTS`."""
    return Programs(seed).program()
