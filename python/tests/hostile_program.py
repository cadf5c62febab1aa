"""Applies a pass for each attack of hostile.json to a graph of one node, and prints what the program itself sees of each."""

import json
import pathlib
import sys
import types

import torch
from torch._inductor import pattern_matcher as pm


class Raises:
    def __init__(self, error):
        self.error = error

    def __repr__(self):
        raise self.error

    def __bool__(self):
        raise self.error


class CutText(str):
    def __getitem__(self, key):
        raise ValueError("cut")


class Cut:
    def __repr__(self):
        return CutText("x" * 900)


class Lies:
    @property
    def __class__(self):
        raise ValueError("class")


class Claims:
    """Says that it is of another class, and has none of its attributes."""

    def __init__(self, other):
        self.other = other

    @property
    def __class__(self):
        return self.other


class Int(int):
    def __repr__(self):
        raise ValueError("int")


class Hashed:
    def __repr__(self):
        raise ValueError("key")


class Nameless:
    def __getattr__(self, name):
        raise ValueError(name)

    def __repr__(self):
        raise ValueError("repr")


class Module(types.ModuleType):
    def __getattribute__(self, name):
        raise ImportError(name)


class Caller:
    """A method that applies a pass, of an object that cannot be read."""

    def __init__(self, passes):
        object.__setattr__(self, "passes", passes)

    def __getattribute__(self, name):
        raise ValueError(name)

    def __call__(self, graph):
        return object.__getattribute__(self, "passes").apply(graph)


class Expr(pm.PatternExpr):
    def __repr__(self):
        raise SystemExit(3)

    def __getattr__(self, name):
        raise ValueError(name)


class Function:
    __name__ = property(lambda self: 1 / 0)

    def __call__(self, match):
        return None

    @property
    def __code__(self):
        raise ValueError("code")

    __closure__ = __code__


class Silent(Exception):
    def __str__(self):
        raise ValueError("str")


def attack(code):
    """What the program sees."""
    entry, p, g, n = pm.PatternEntry(lambda match: None), pm.PatternMatcherPass(), torch.fx.Graph(), torch.fx.Node()
    entry.register(p)
    vars(n).update(name="n", op="call_function", target="aten.relu.default", args=(), kwargs={}, meta={}, users={}, graph=g)
    g.nodes = [n]
    space = {**globals(), "entry": entry, "p": p, "g": g, "n": n, "apply": p.apply}
    exec(code, space)
    try:
        return f"returned {space['apply'](g)}"
    except BaseException as e:
        return f"raised {type(e).__name__}"


for one in json.loads(pathlib.Path(__file__).with_name("hostile.json").read_text()):
    print(attack(one["code"]), flush=True)
sys.exit(0)
