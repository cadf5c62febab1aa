"""SymInt, SymFloat, SymBool, and torch.sym_int and the like. The tracer does the arithmetic and records it."""

import math
import re
import sys

from _fusescope import engine, environment, frames, wire

from ._sym_node import GuardOnDataDependentSymNode, SymNode


def _computed(target, *args):
    return wire.decode(engine.sym(target, [wire.encode(a) for a in args], environment.hints()))


class _Sym:
    """A symbolic size, an expression such as `s72`. Two results with one expression are different nodes of a trace."""

    __slots__ = ("_expr", "_result")

    def __init__(self, expr, result=None):
        self._expr = str(expr)
        self._result = result

    def __repr__(self):
        return self._expr

    def __hash__(self):
        raise TypeError(f"unhashable type: non-nested {type(self).__name__}")

    def _hint(self, kind="int"):
        return _computed(f"builtins.{kind}", self)

    def _number(self, kind="int"):
        number = self._hint(kind)
        if number is None:
            raise RuntimeError(
                f"the size {self._expr} is symbolic: it has no number while a pattern is traced, unless the environment gives its symbols values (s72=1024)"
            )
        return number

    __int__ = _number

    def __float__(self):
        return self._number("float")

    def __bool__(self):
        return bool(self != 0)

    @property
    def node(self):
        return SymNode(self)


class SymInt(_Sym):
    __slots__ = ()

    __index__ = _Sym._number

    def __round__(self, ndigits=None):
        return self


class SymFloat(_Sym):
    __slots__ = ()

    def __round__(self, ndigits=None):
        return _computed("builtins.round", self, ndigits)


_UNBACKED = re.compile(r"\bu\d+\b")


class SymBool(_Sym):
    """A relation of two sizes, or several relations joined. Where sympy decides it, the expression is True or False."""

    __slots__ = ("_join", "_parts", "_nodes")

    def __init__(self, expr, nodes, join, *parts, result=None):
        super().__init__(expr, result)
        self._nodes = nodes
        self._join = join
        self._parts = parts

    def _decided(self, how):
        """`hint`: by the values of the symbols; `guard`: so in user code; `static`: by their ranges, and None where these do not tell."""
        if self._join == "is":
            return self._parts[0]
        if self._join == "not":
            answer = _decided(self._parts[0], how)
            return None if answer is None else not answer
        if self._join not in ("and", "or"):
            return _computed(f"{how}.{self._join}", *self._parts)
        answers = [_decided(part, how) for part in self._parts]
        absorbing = self._join == "or"
        return absorbing if absorbing in answers else None if None in answers else not absorbing

    def _hint(self, kind="int"):
        return int(bool(self))

    def __bool__(self):
        users = sys._getframe(1).f_code.co_filename.startswith(frames.WORKSPACE)
        if not users or not self._unbacked():
            return self._decided("guard" if users else "hint")
        answer = self._decided("static")
        if answer is None:
            raise GuardOnDataDependentSymNode(self)
        return answer

    def _unbacked(self):
        return set(_UNBACKED.findall(self._expr)) - {name for name, _ in environment.hints()}

    def __and__(self, other):
        return _joined("and", self, other)

    def __or__(self, other):
        return _joined("or", self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self):
        return sym_not(self)

    def __eq__(self, other):
        return bool(self) == bool(other)

    def __ne__(self, other):
        return bool(self) != bool(other)

    __hash__ = _Sym.__hash__


def _decided(part, how):
    return part._decided(how) if isinstance(part, SymBool) else bool(part)


def _constant(value):
    return SymBool(str(value), 1, "is", value)


def _joined(join, a, b):
    absorbing = join == "or"
    for one, other in ((a, b), (b, a)):
        known = one if isinstance(one, bool) else one._parts[0] if one._join == "is" else None
        if known is not None:
            return _constant(absorbing) if known is absorbing else other
    parts = [part for x in (a, b) for part in (x._parts if x._join == join else (x,))]
    # sympy.ordered: by the number of nodes, then by the class.
    parts.sort(key=lambda x: (x._nodes, _ORDER.find(x._join), str(x)))
    texts = [str(x) if x._join in ("eq", "ne") else f"({x})" for x in parts]
    nodes = 1 + sum(x._nodes for x in parts)
    return SymBool((" & " if join == "and" else " | ").join(texts), nodes, join, *parts)


_ORDER = "and eq ge le or gt lt ne"
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def _relation(name, a, b, recorded=True):
    if isinstance(b, float) and math.isnan(b):
        return _constant(name == "ne")
    answer = _computed(f"{'operator' if recorded else 'plain'}.{name}", a, b)
    if isinstance(answer, bool):
        return _constant(answer)
    expr, nodes, result = answer
    return SymBool(expr, nodes, name, a, b, result=result)


def _call(target, condition, *args):
    """Records a call on a relation."""
    data = {"s": condition._expr, "r": condition._result}
    return wire.decode(engine.sym(target, [data, *map(wire.encode, args)], environment.hints()))


for _class in (SymInt, SymFloat, SymBool):
    _class.__module__ = "torch"
wire.register(
    _Sym,
    lambda value: {"s": value._expr, "r": value._result},
    "s",
    lambda data: (SymFloat if "float" in data else SymInt)(data["s"], data.get("r")),
    subclasses=True,
)
# The engine records no relation: it takes the answer.
wire.register(SymBool, bool, "sb", None)


def _binary(target, swapped=False):
    def method(self, other):
        if not isinstance(other, (int, float, _Sym)):
            return NotImplemented
        return _computed(target, other, self) if swapped else _computed(target, self, other)

    return method


def _unary(target):
    return lambda self: _computed(target, self)


for _name in ("add", "sub", "mul", "floordiv", "mod", "pow", "truediv", "lshift", "rshift", "and", "or", "xor"):
    _target = f"operator.{_name}_" if _name in ("and", "or") else f"operator.{_name}"
    setattr(_Sym, f"__{_name}__", _binary(_target))
    setattr(_Sym, f"__r{_name}__", _binary(_target, True))


def _compared(name):
    def method(self, other):
        if not isinstance(other, (int, float, _Sym)):
            return NotImplemented
        # A relation that a user's code makes is a node; the library asks for answers only.
        return _relation(name, self, other, sys._getframe(1).f_code.co_filename.startswith(frames.WORKSPACE))

    return method


for _name in _OPPOSITE:
    setattr(_Sym, f"__{_name}__", _compared(_name))
for _name in ("neg", "pos", "abs"):
    setattr(_Sym, f"__{_name}__", _unary(f"operator.{_name}"))
for _name in ("floor", "ceil", "trunc"):
    setattr(_Sym, f"__{_name}__", _unary(f"math.{_name}"))


def sym_float(a):
    if isinstance(a, SymFloat):
        return a
    return _computed("torch.sym_float", a) if isinstance(a, SymInt) else float(a)


def sym_int(a):
    if isinstance(a, SymInt):
        return a
    return math.trunc(a) if isinstance(a, SymFloat) else int(a)


def sym_not(a):
    if not isinstance(a, SymBool):
        return not a
    if a._join == "is":
        return _constant(not a._parts[0])
    if a._join in _OPPOSITE:
        made = _relation(_OPPOSITE[a._join], *a._parts, recorded=False)
    else:
        made = SymBool(f"~({a})", a._nodes + 1, "not", a)
    if a._result is not None:
        made._result = _call("torch.sym_not", a)._result
    return made


def sym_sum(*args):
    items = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    symbolic = any(isinstance(a, SymInt) for a in items) and all(isinstance(a, (int, SymInt)) for a in items)
    return _computed("torch.sym_sum", tuple(items)) if symbolic else sum(items)


def _extreme(name, of_numbers):
    def function(a, b):
        if isinstance(a, _Sym):
            return _computed(f"torch.{name}", a, b)
        if isinstance(b, _Sym):
            return _computed(f"torch.{name}", b, a)
        picked = of_numbers(a, b)
        return float(picked) if isinstance(a, float) or isinstance(b, float) else picked

    function.__name__ = function.__qualname__ = name
    return function


sym_max = _extreme("sym_max", max)
sym_min = _extreme("sym_min", min)


def sym_ite(b, t, f):
    if type(t) is not type(f):
        raise AssertionError(f"type mismatch: {type(t)} vs {type(f)}")
    if isinstance(b, SymBool) and b._result is not None:
        return _call("torch.sym_ite", b, t, f)
    return t if b else f


def _of_math(name):
    def function(a):
        return _computed(f"torch._sym_{name}", sym_float(a)) if isinstance(a, _Sym) else getattr(math, name)(a)

    function.__name__ = function.__qualname__ = f"_sym_{name}"
    return function


_NAMES = ("sqrt", "cos", "cosh", "sin", "sinh", "tan", "tanh", "asin", "acos", "atan", "log2")
OF_MATH = {f"_sym_{name}": _of_math(name) for name in _NAMES}
sym_sqrt = OF_MATH["_sym_sqrt"]
SYM_FUNCTIONS = {
    **{f.__name__: f for f in (sym_float, sym_int, sym_ite, sym_max, sym_min, sym_not, sym_sum)},
    **OF_MATH,
}
