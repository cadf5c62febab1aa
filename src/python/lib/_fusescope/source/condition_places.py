"""Where the conditions of a file stand: the operands of its tests, and what runs only with one answer."""

import ast
import functools
from typing import NamedTuple

_EXITS = (ast.Continue, ast.Break, ast.Return, ast.Raise)

# Methods and functions of torch.fx that edit a graph, and attributes that do so when they are set.
_EDITS = frozenset(
    """call_function call_method call_module create_node get_attr placeholder output node_copy graph_copy erase_node
    replace_all_uses_with replace_input_with update_arg update_kwarg insert_arg prepend call_operator replace_pattern
    replace_pattern_with_filters replace_by_example replace_with_graph add_submodule delete_submodule""".split()
)
_SET = frozenset("target args kwargs meta".split())
# Of a list or a set: what a later loop edits. `node.append(other)` moves a node, too.
_COLLECTS = frozenset("append add extend update".split())


class Skipped(NamedTuple):
    """Lines that never ran, the answer of the whole test that kept them from running, whether they edit the graph, and whether they do so
    or collect what is edited later."""

    first: int
    last: int
    answer: bool
    edits: bool
    matters: bool


class Place:
    """One operand of a test."""

    def __init__(self, file, node, negated, statement, rest, editing):
        self.file, self.node, self.negated = file, node, negated
        self.statement, self.rest, self.editing = statement, rest, editing
        self.span = _span(node)
        self.names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
        self.beside = [self]  # the operands of the same test
        self.ends = None  # the answer that ends a returned `and` or `or`

    def skipped(self, ran: set) -> Skipped | None:
        """What never ran because the test had always the same answer. None: nothing, or only lines that neither edit nor are the
        rest of a block."""
        if isinstance(self.statement, ast.For):
            body = self.statement.body
            left = not self._ran(body, ran) and _edit(body, self.editing)
            return Skipped(body[0].lineno, body[-1].end_lineno, False, True, True) if left else None
        if not isinstance(self.statement, ast.If):
            return None
        body, other = self.statement.body, self.statement.orelse
        for block, answer in ((body, False), (other, True)):
            if block and not self._ran(block, ran) and _edit(block, self.editing | _COLLECTS):
                return self._skipped(block, answer)
        if not other and self.rest and isinstance(body[-1], _EXITS) and not self._ran(self.rest, ran):
            return self._skipped(self.rest, True)
        return None

    def _skipped(self, block, answer):
        edits = _edit(block, self.editing)
        matters = edits or _edit(block, _COLLECTS)
        return Skipped(block[0].lineno, block[-1].end_lineno, answer, edits, matters)

    def _ran(self, block, ran):
        # A block on the line of its test is not told from it.
        head = self.statement.iter if isinstance(self.statement, ast.For) else self.statement.test
        # Of a statement over several lines any can be the one that the event names.
        lines = range(block[0].lineno, block[0].end_lineno + 1)
        return lines[0] == head.end_lineno or any((self.file, line) in ran for line in lines)


def _span(node):
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


@functools.lru_cache(maxsize=32)
def places(file: str, text: str) -> dict[tuple | int, Place | list[Place]]:
    """By span as in co_positions; the operands of a returned `and` or `or` by its line. Empty for a text that does not parse or nests too deeply."""
    try:
        return _found(file, ast.parse(text))
    except (SyntaxError, RecursionError):  # of a thousand `not`
        return {}


def _found(file, module):
    editing = _editing(module)
    found = {}
    for parent in ast.walk(module):
        for test, statement, rest in _tests(parent):
            operands = [
                Place(file, node, negated, statement, rest, editing) for node, negated in _operands(test, False)
            ]
            for place in operands:
                place.beside = operands
                found[place.span] = place
        if isinstance(parent, ast.For):
            loop = Place(file, parent.iter, False, parent, [], editing)
            found[loop.span] = loop
        if isinstance(parent, ast.Return) and isinstance(parent.value, ast.BoolOp):
            values = [Place(file, node, False, None, [], editing) for node in parent.value.values]
            for place in values:
                place.beside, place.ends = values, isinstance(parent.value.op, ast.Or)
            found[parent.lineno] = values
    return found


def _tests(parent):
    """(test, its `if` or comprehension, the statements after that) in a node."""
    if isinstance(parent, ast.comprehension):
        yield from ((test, parent, []) for test in parent.ifs)
    if isinstance(parent, (ast.While, ast.IfExp)):
        yield parent.test, None, []
    for name in ("body", "orelse", "finalbody"):
        block = getattr(parent, name, None)
        for i, statement in enumerate(block if isinstance(block, list) else []):
            if isinstance(statement, ast.If):
                yield statement.test, statement, block[i + 1 :]


def _operands(test, negated):
    """(operand, whether an odd number of `not` stands above it), in order."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _operands(value, negated)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _operands(test.operand, not negated)
    else:
        yield test, negated


def _editing(module):
    """Names of the functions of a file that edit a graph, themselves or through others of it."""
    functions = [n for n in ast.walk(module) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))]
    names = set()
    while more := {f.name for f in functions if f.name not in names and _edit(f.body, names)}:
        names |= more
    return names


def _edit(block, editing):
    return any(_edits(node, editing) for statement in block for node in ast.walk(statement))


def _edits(node, editing):
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        return name in _EDITS or name in editing
    targets = node.targets if isinstance(node, ast.Assign) else ()
    each = (t for target in targets for t in (target.elts if isinstance(target, ast.Tuple) else [target]))
    # `node.meta["key"] = value` annotates it.
    changed = (t.value if isinstance(t, ast.Subscript) else t for t in each)
    return any(isinstance(t, ast.Attribute) and t.attr in _SET for t in changed)
