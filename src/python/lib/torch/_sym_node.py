"""What pass files ask of the node of a symbolic value: its expression, its symbols, its hint."""

import re

from _fusescope import frames


class Expr(str):
    """The expression of a symbolic value; sympy is not there."""

    @property
    def free_symbols(self):
        return {Expr(name) for name in re.findall(r"\b[A-Za-z]\w*\b(?!\()", self) if name not in ("True", "False")}


class SymNode:
    """What pass files ask of `SymInt.node`."""

    def __init__(self, value):
        self._value = value

    expr = _expr = property(lambda self: Expr(self._value))
    hint = property(lambda self: self._value._number())
    pytype = property(lambda self: {"SymInt": int, "SymFloat": float, "SymBool": bool}[type(self._value).__name__])

    def has_hint(self):
        return self._value._hint() is not None

    def require_hint(self):
        return self.hint

    def is_symbolic(self):
        return True

    def is_constant(self):
        return False

    def maybe_as_int(self):
        return None

    def __str__(self):
        return str(self.expr)

    __repr__ = __str__


class GuardOnDataDependentSymNode(RuntimeError):
    """A condition on a size that the values of a tensor decide: it has no answer when a graph is compiled."""

    def __init__(self, cond):
        place = frames.user_place()
        caused = "\nCaused by: ({}:{} in {})".format(*place) if place else ""
        super().__init__(
            f"Could not guard on data-dependent expression {cond} (unhinted: {cond}).  (Size-like symbols: none)\n\n"
            "consider using data-dependent friendly APIs such as guard_or_false, guard_or_true and statically_known_true."
            + caused
        )
        self.cond = cond


GuardOnDataDependentSymNode.__module__ = "torch.fx.experimental.symbolic_shapes"
