"""What a program declares: its inputs, its variables, and the types of its results.

input n: Int = 4;
->
InputDeclaration("n", INT, 4)
"""

from __future__ import annotations

from functools import lru_cache

from diablo.diagnostics import CompileError, Diagnostic
from diablo.frontend.checking.check_program import check_program
from diablo.frontend.checking.checked import Checked
from diablo.frontend.checking.constants import complex_constant, literal_of
from diablo.frontend.checking.program_interface import SEED, InputDeclaration, ProgramInterface
from diablo.frontend.checking.types import INT, STRING, Type, is_complex, is_floating, is_inexact
from diablo.frontend.parsing import statements, syntax
from diablo.frontend.parsing.parser import parse
from diablo.frontend.parsing.tokens import Source
from diablo.frontend.parsing.tree_walk import children, find_call, walk
from diablo.frontend.parsing.unsized_arrays import size_arrays


def program_inputs(text: str, file_name: str) -> list[InputDeclaration]:
    """The inputs that a program declares, the files that it reads, and `seed` if it is random."""
    program, checked, _ = check_text(text, file_name)
    inputs: list[InputDeclaration] = []
    all_decide, limits = _numbers_decide(program), _loop_limits(program)
    read = _names(program)
    for statement in program.statements:
        if isinstance(statement, statements.Input):
            type = checked.symbols[statement.name].type
            default = default_of(checked, statement, type)
            name = statement.name.name
            measures = is_inexact(type) or type == STRING
            decides = all_decide or (not measures and name not in limits)
            span = statement.name.span
            is_read = name in read
            inputs.append(InputDeclaration(name, type, default, None, decides, is_read, span))
    inputs += [InputDeclaration(path, type, None, path) for path, type in checked.files.items()]
    if find_call(program.statements, "random"):
        inputs.append(InputDeclaration(SEED, INT, 0, decides=False))
    return inputs


def _numbers_decide(program: statements.Program) -> bool:
    """Whether a program makes sparse arrays, or powers for which a known exponent is faster."""
    for node in walk(program.statements):
        match node:
            case statements.RegionDef() | syntax.Constructor(sparse=[_, *_]):
                return True
            case syntax.Call(function="pow", arguments=[*_, exponent]):
                if any(isinstance(part, syntax.Name) for part in walk(exponent)):
                    return True
            case _:
                pass
    return False


def declared_variables(
    program: statements.Program, checked: Checked
) -> dict[str, statements.Var | statements.Input]:
    """Return what a program declares outside of blocks and may assign: inputs too if it does."""
    return {
        s.name.name: s
        for s in program.statements
        if isinstance(s, statements.Var)
        or (isinstance(s, statements.Input) and checked.symbols[s.name].kind == "variable")
    }


def program_interface(text: str, file_name: str) -> ProgramInterface:
    """Return what callers see of a program; a `CompileError` if it is wrong."""
    program, checked, _ = check_text(text, file_name)
    variables = {
        name: checked.types[checked.shown[statement.name]]
        if statement.name in checked.shown
        else checked.symbols[statement.name].type
        for name, statement in declared_variables(program, checked).items()
    }
    *_, end = program.statements or [None]
    last = checked.types[end.value] if isinstance(end, statements.ExprStatement) else None
    return ProgramInterface(program_inputs(text, file_name), variables, last)


def _names(program: statements.Program) -> set[str]:
    """The names that stand anywhere but in the declarations of inputs."""
    rest = [s for s in program.statements if not isinstance(s, statements.Input)]
    return {node.name for node in walk(rest) if isinstance(node, syntax.Name)}


def _loop_limits(program: statements.Program) -> set[str]:
    """The names that only the conditions of `while` loops read."""
    conditions: set[str] = set()
    others: set[str] = set()
    waiting: list[object] = list(program.statements)
    while waiting:
        node = waiting.pop()
        match node:
            case statements.Input():
                pass
            case statements.While():
                names = [n.name for n in walk(node.condition) if isinstance(n, syntax.Name)]
                conditions.update(names)
                waiting.append(node.body)
            case syntax.Name(name=name):
                others.add(name)
            case _:
                waiting += children(node)
    return conditions - others


@lru_cache(maxsize=8)
def check_text(text: str, file_name: str) -> tuple[statements.Program, Checked, Source]:
    """Parse and check a program; raises `CompileError`.

    A compilation asks several times, so the last programs are kept: nobody changes them.
    """
    source = Source(text, file_name)
    try:
        program = parse(source)
        size_arrays(program)
        return program, check_program(program, source), source
    except RecursionError:
        raise too_deep(source) from None


def too_deep(source: Source) -> CompileError:
    """The error for a program on which the recursion of a step ran out of stack."""
    message = "an expression of this program is nested too deeply"
    hint = "compute its parts in variables of their own"
    return CompileError([Diagnostic("error", message, hint=hint)], {source.file: source.text})


def default_of(
    checked: Checked, statement: statements.Input, type: Type
) -> bool | int | float | complex | str | None:
    """The default of an input, as a value of its type; a character is a string of one."""
    if statement.default is None:
        return None
    value = literal_of(statement.default)
    if is_complex(type) and not isinstance(value, str):
        number = complex_constant(checked, statement.default) if value is None else complex(value)
        assert number is not None
        return number
    assert value is not None
    return float(value) if is_floating(type) else value
