"""torchgen.model: the schema of an operator, read from its text."""

import dataclasses
import re

from _fusescope import partial_modules as _partial

_SCHEMA = re.compile(r"\s*([\w:]+)(?:\.(\w+))?\s*\((.*)\)\s*->\s*(.+?)\s*", re.S)


@dataclasses.dataclass(frozen=True)
class BaseOperatorName:
    base: str
    inplace: bool
    dunder_method: bool
    functional_overload: bool = False

    @staticmethod
    def parse(op):
        if not op or op.endswith("_out"):
            raise AssertionError(f"{op!r} is no name of an operator: _out suffix is reserved")
        dunder = re.fullmatch(r"__(\w+)__", op)
        base = dunder[1] if dunder else op
        inplace = base.startswith("i") and base[1:] in _INPLACE if dunder else base.endswith("_")
        if inplace:
            base = base[1:] if dunder else base[:-1]
        return BaseOperatorName(base, inplace, bool(dunder))

    def __str__(self):
        if self.dunder_method:
            return f"__{'i' if self.inplace else ''}{self.base}__"
        return f"{self.base}{'_' if self.inplace else '_functional' if self.functional_overload else ''}"


_INPLACE = frozenset("add sub mul truediv floordiv mod pow lshift rshift and xor or".split())


@dataclasses.dataclass(frozen=True)
class OperatorName:
    name: BaseOperatorName
    overload_name: str

    @staticmethod
    def parse(op_name):
        name, _, overload = op_name.partition(".")
        return OperatorName(BaseOperatorName.parse(name), overload)

    def unambiguous_name(self):
        return f"{self.name}_{self.overload_name}" if self.overload_name else f"{self.name}"

    def __str__(self):
        return f"{self.name}.{self.overload_name}" if self.overload_name else f"{self.name}"


@dataclasses.dataclass(frozen=True)
class Argument:
    name: str
    type: str
    default: str | None

    @staticmethod
    def parse(arg):
        kind, _, rest = arg.strip().rpartition(" ")
        name, equals, default = rest.partition("=")
        return Argument(name, kind.strip(), default if equals else None)

    def __str__(self):
        return f"{self.type} {self.name}{'' if self.default is None else f'={self.default}'}"


@dataclasses.dataclass(frozen=True)
class Return:
    name: str | None
    type: str


@dataclasses.dataclass(frozen=True)
class Arguments:
    flat_positional: tuple
    flat_kwarg_only: tuple

    @property
    def flat_all(self):
        return [*self.flat_positional, *self.flat_kwarg_only]

    @property
    def flat_non_out(self):
        return [a for a in self.flat_all if not (a in self.flat_kwarg_only and "!" in a.type)]


@dataclasses.dataclass(frozen=True)
class FunctionSchema:
    name: OperatorName
    arguments: Arguments
    returns: tuple

    @staticmethod
    def parse(func):
        read = _SCHEMA.fullmatch(func)
        if read is None:
            raise AssertionError(f"unrecognized schema: {func!r}")
        name, overload, given, returned = read.groups()
        before, _, after = f",{','.join(_split(given))},".partition(",*,")
        sides = [tuple(Argument.parse(a) for a in _split(side) if a) for side in (before, after)]
        inner = returned[1:-1] if returned.startswith("(") and returned.endswith(")") else returned
        return FunctionSchema(
            OperatorName.parse(f"{name}.{overload}" if overload else name),
            Arguments(*sides),
            tuple(_return(r) for r in _split(inner)),
        )

    def __str__(self):
        sides = [*map(str, self.arguments.flat_positional)]
        if self.arguments.flat_kwarg_only:
            sides += ["*", *map(str, self.arguments.flat_kwarg_only)]
        returned = ", ".join(f"{r.type} {r.name}" if r.name else r.type for r in self.returns)
        return f"{self.name}({', '.join(sides)}) -> {returned if len(self.returns) == 1 else f'({returned})'}"


def _return(text):
    kind, _, name = text.partition(" ")
    return Return(name.strip() or None, kind)


def _split(text):
    """The parts between commas outside of brackets and quotes, without blanks around them."""
    parts, depth, part, quote = [], 0, "", ""
    for c in text:
        quote = "" if c == quote else quote or (c if c in "\"'" else "")
        depth += (c in "([") - (c in ")]") if not quote else 0
        if c == "," and depth == 0 and not quote:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return [p for p in (*parts, part.strip()) if p]


__getattr__ = _partial.of_pytorch(__name__, listed=False)
