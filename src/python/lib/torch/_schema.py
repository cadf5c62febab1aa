"""OpOverload._schema: an operator's schema."""

import re

from _fusescope import wire


class SchemaType(str):
    """The type of an argument: `Tensor`, `Optional[int]`, `List[Tensor]`."""

    def kind(self):
        return f"{self.partition('[')[0]}Type"


class TensorType(SchemaType):
    pass


def _type(text):
    return (TensorType if text == "Tensor" else SchemaType)(text)


class AliasInfo:
    """The alias set of an argument or a return: `a!` of Tensor(a!)."""

    def __init__(self, is_write, names):
        self.is_write, self.before_set, self.after_set = is_write, names, names


class Argument:
    """One argument of a schema, or one return."""

    def __init__(self, name, text, alias, kwarg_only=False, default=None, has_default=False):
        self.name, self.type, self.real_type, self.alias_info = name, _type(text), _type(text), alias
        self.kwarg_only, self.default_value, self._has_default = kwarg_only, default, has_default
        self.is_write = alias is not None and alias.is_write
        self.is_out = kwarg_only and self.is_write

    def has_default_value(self):
        return self._has_default


def _argument(data):
    alias = AliasInfo(data["written"], {"a"}) if data["written"] or data["aliased"] else None
    default = wire.decode(data["default"])
    return Argument(data["name"], data["type"] or "Any", alias, data["kwargOnly"], default, data["hasDefault"])


_RETURN = re.compile(r"(\w+)(?:\((\w+)(!?)[^)]*\))?(\[\d*\])?(\?)?(?:\s+(\w+))?$")


def _return(text):
    kind, alias, write, many, optional, name = _RETURN.match(text).groups()
    kind = {"Scalar": "number", "SymInt": "int"}.get(kind, kind)
    kind = f"List[{kind}]" if many else kind
    return Argument(
        name or "", f"Optional[{kind}]" if optional else kind, AliasInfo(bool(write), {alias}) if alias else None
    )


class Schema:
    """An operator's schema, as far as known."""

    def __init__(self, op, data):
        self.name, self.overload_name = (
            f"{op.namespace}::{op._overloadpacket._name}",
            op._overloadname.replace("default", ""),
        )
        text = data["text"] if data else f"{op.name()}(...)"
        self._text = text if "::" in text.partition("(")[0] else f"{op.namespace}::{text}"
        self.is_mutable = bool(data and data["mutable"])
        self._tags = data["tags"] if data else ["pt2_compliant_tag"]
        self.arguments = [_argument(a) for a in data["args"]] if data else []
        after = self._text.rpartition(" -> ")[2] if " -> " in self._text else ""
        inner = after[1:-1] if after.startswith("(") else after
        self.returns = [_return(each.strip()) for each in re.split(r",\s*", inner) if each.strip()]

    @property
    def is_view(self):
        return not self.is_mutable and any(r.alias_info is not None for r in self.returns)

    def __str__(self):
        return self._text

    __repr__ = __str__
