"""Reads symbolic sizes by their syntax."""

import ast
import functools
import re

import torch


class Sizes:
    """Evaluates sizes as sympy prints them: `s72`, `2*s72`, `(s72//2)`, `Max(1, u0)`. Other syntax raises ValueError."""

    CALLS = {
        "Max": lambda *sizes: functools.reduce(torch.sym_max, sizes),
        "Min": lambda *sizes: functools.reduce(torch.sym_min, sizes),
        "FloorDiv": lambda a, b: a // b,
        "CleanDiv": lambda a, b: a // b,
        "Mod": lambda a, b: a % b,
        "PythonMod": lambda a, b: a % b,
    }
    OPERATIONS = {
        ast.Add: lambda a, b: a + b,
        ast.Sub: lambda a, b: a - b,
        ast.Mult: lambda a, b: a * b,
        ast.Div: lambda a, b: a / b,
        ast.FloorDiv: lambda a, b: a // b,
        ast.Mod: lambda a, b: a % b,
    }

    def __init__(self, symbol):
        self.symbol = symbol

    def read(self, text):
        if len(text) > 2000:
            raise ValueError(f"A size of {len(text)} characters is too long.")
        try:
            return self._value(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, RecursionError, MemoryError, ArithmeticError):
            raise ValueError(f"{text!r} is no size.") from None

    def _value(self, node, exponents=64):
        """exponents: the greatest product of the exponents of powers in each other."""
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value < 2**62:
            return node.value
        if isinstance(node, ast.Name) and re.fullmatch(r"[a-z]{1,4}[0-9]{1,9}", node.id):
            return self.symbol(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand, exponents)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            exponent = self._value(node.right, exponents)
            if type(exponent) is int and 0 <= exponent <= exponents:
                return self._value(node.left, exponents // max(exponent, 1)) ** exponent
        if isinstance(node, ast.BinOp) and type(node.op) in self.OPERATIONS:
            return self.OPERATIONS[type(node.op)](self._value(node.left, exponents), self._value(node.right, exponents))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id in self.CALLS and not any(isinstance(a, ast.Starred) for a in node.args):
                return self.CALLS[node.func.id](*[self._value(a, exponents) for a in node.args])
        raise ValueError(f"{type(node).__name__} is no part of a size.")
