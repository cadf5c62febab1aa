"""Facts from the syntax of the user's files: loops around a line, source text of numbers."""

import ast
import functools
from types import CodeType
from typing import Any

from .. import frames

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LEAVES = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)


_FACTS = ("loops", "constants", "imported", "floats", "lambdas", "scopes")


class _File:
    """The facts of one file, computed once: builtin values only, which marshal keeps."""

    def __init__(self, text):
        self.lines = text.encode().splitlines()
        self.loops = []  # (span, names it binds, names assigned within), outer before inner
        self.constants = []
        self.imported = []  # names imported at module level
        self.floats = {}  # value → texts
        self.lambdas = {}  # first line → [(span of the body, text)]
        self.scopes = []
        self.bound = {}  # name → number of places that bind it
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for node in _nodes(module):
            if visit := _VISITS.get(type(node)):
                visit(self, node)
        self._constants(module)
        self.loops.sort(key=lambda loop: loop[0][0])

    def _name(self, node):
        if type(node.ctx) is ast.Store:
            self.bound[node.id] = self.bound.get(node.id, 0) + 1

    def _for(self, node):
        self.loops.append((_span(node.body[0], node.body[-1]), _names(node.target), _assigned(node.body)))

    def _while(self, node):
        self.loops.append((_span(node.body[0], node.body[-1]), [], _assigned(node.body)))

    def _comprehension(self, node):
        names = [n for g in node.generators for n in _names(g.target)]
        self.loops.append((_span(node, node), names, []))

    def _constant(self, node):
        if type(node.value) is float:
            self.floats.setdefault(node.value, set()).add(self.segment(node))

    def _lambda(self, node):
        self.lambdas.setdefault(node.lineno, []).append((_span(node.body, node.body), self.segment(node)[:200]))
        self._scope(node)

    def _scope(self, node):
        # A decorator is evaluated outside the decorated function.
        self.scopes.append(((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)))

    def segment(self, node):
        """The text of a node, with line breaks and indentation as single spaces."""
        lines = self.lines[node.lineno - 1 : node.end_lineno]
        lines[-1] = lines[-1][: node.end_col_offset]
        lines[0] = lines[0][node.col_offset :]
        return " ".join(b" ".join(lines).decode(errors="replace").split())

    def _constants(self, module):
        """Names bound once at module level, except loop variables."""
        for node in module.body:
            if isinstance(node, ast.ImportFrom):
                self.imported += [a.asname or a.name for a in node.names]
            targets = (
                node.targets
                if isinstance(node, ast.Assign)
                else [node.target]
                if isinstance(node, ast.AnnAssign)
                else []
            )
            self.constants += [n for t in targets for n in _names(t) if self.bound.get(n) == 1]


_VISITS = {
    ast.Name: _File._name,
    ast.For: _File._for,
    ast.AsyncFor: _File._for,
    ast.While: _File._while,
    **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), _File._comprehension),
    ast.Constant: _File._constant,
    ast.Lambda: _File._lambda,
    **dict.fromkeys((ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef), _File._scope),
}


def _nodes(root):
    """As ast.walk, in its order, without the nodes that have no fields. Takes a tenth of its time."""
    nodes = [root]
    for node in nodes:  # grows
        kind = type(node)
        if kind is ast.Name or kind is ast.Constant:
            continue  # half of all nodes, and no node below them counts
        fields = vars(node)
        for name in kind._fields:
            value = fields.get(name)
            if type(value) is list:
                nodes += [v for v in value if isinstance(v, ast.AST) and not isinstance(v, _LEAVES)]
            elif isinstance(value, ast.AST) and not isinstance(value, _LEAVES):
                nodes.append(value)
    return nodes


@functools.lru_cache(maxsize=256)
def _parsed(text):
    return _File(text)


_remembered = {}  # text → _File
quoted = []  # whether registrations have texts of floats or lambdas


def facts_of(text: str) -> tuple:
    """The facts of a file as builtin values, for remember."""
    file = _File(text)
    return tuple(getattr(file, name) for name in _FACTS)


def remember(text: str, facts: tuple) -> None:
    """Facts of a file that were computed in an earlier run."""
    file = _remembered[text] = object.__new__(_File)
    vars(file).update(zip(_FACTS, facts))


def _of(filename):
    text = frames.sources.get(filename, "")
    return _remembered.get(text) or _parsed(text)


def quotes(text: str) -> tuple:
    """What registrations quote of a file's text."""
    file = _remembered.get(text) or _parsed(text)
    return file.floats, [[line, [found for _, found in at]] for line, at in file.lambdas.items()]


def loops_at(filename: str, place: tuple) -> list[tuple]:
    """[(names, names assigned within)] of the loops around a place (line, column) of its function, outermost first."""
    file = _of(filename)
    scope = max((s for s in file.scopes if _holds(s, place)), default=None)
    return [
        (names, assigned)
        for span, names, assigned in file.loops
        if _holds(span, place) and (scope is None or scope[0] <= span[0])
    ]


def constants(filename: str) -> list[str]:
    return _of(filename).constants


def imported(filename: str) -> list[str]:
    return _of(filename).imported


def float_text(value: Any) -> str | None:
    """The source text of a float: `1e-5` instead of Python's repr 1e-05. None if the files use different texts or
    compute it."""
    if type(value) is not float:
        return None
    written = set()
    quoted[:] = [True]
    for filename in frames.user_modules():
        written |= _of(filename).floats.get(abs(value), set())
    return ("-" if value < 0 else "") + written.pop() if len(written) == 1 else None


@functools.lru_cache(maxsize=1024)
def lambda_text(code: CodeType) -> str:
    """A lambda's source text; None if it is not a user lambda."""
    quoted[:] = [True]
    file = _of(code.co_filename)
    found = file.lambdas.get(code.co_firstlineno, [])
    if len(found) > 1:
        spans = [p for p in code.co_positions() if None not in p and p[3] > 0]
        found = [(body, text) for body, text in found if spans and all(_holds(body, (p[0], p[2])) for p in spans)]
    return found[0][1] if len(found) == 1 else None


def _span(first, last):
    start = min([first, *getattr(first, "decorator_list", [])], key=lambda n: n.lineno)
    return (start.lineno, start.col_offset), (last.end_lineno, last.end_col_offset)


def _holds(span, place):
    return span[0] <= place < span[1]


def _names(target):
    return [n.id for n in _nodes(target) if isinstance(n, ast.Name)]


def _assigned(body):
    """Names that a loop's statements assign, except inside nested functions."""
    found, todo = [], list(body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, _SCOPES):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id not in found:
            found.append(node.id)
        todo += ast.iter_child_nodes(node)
    return found
