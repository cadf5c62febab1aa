"""torch.Tag, and the tags of an operator."""
import functools

from ._op_tags import NAMES, NOT_COMPLIANT, TEXTS


class _Tags(type):
    def __iter__(cls):
        return iter(cls.__members__.values())

    def __len__(cls):
        return len(cls.__members__)


class Tag(metaclass=_Tags):
    """A tag of an operator: torch.Tag.pointwise. One object per name."""

    __module__ = "torch"
    __members__ = {}

    def __init__(self, name, value):
        self.name, self.value = name, value

    def __int__(self):
        return self.value

    def __repr__(self):
        return f"<Tag.{self.name}: {self.value}>"

    def __str__(self):
        return f"Tag.{self.name}"


for _value, _name in enumerate(NAMES):
    Tag.__members__[_name] = Tag(_name, _value)
    setattr(Tag, _name, Tag.__members__[_name])


@functools.cache
def _table():
    """Overload → names of its tags."""
    found = {}
    for tag, text in TEXTS.items():
        for word in text.split():
            packet, *overloads = word.split("/")
            qualified = packet if "." in packet else f"aten.{packet}"
            for overload in overloads or ["default"]:
                found.setdefault(f"{qualified}.{overload}", []).append(tag)
    return found


_KNOWN = ("aten", "prims", "inductor", "_c10d_functional", "quantized_decomposed")


def tags_of(op, declared):
    """The tags of an overload, in the order of their values; `declared`: tags from user code."""
    if op.namespace not in _KNOWN or declared:
        return sorted(declared, key=lambda tag: tag.value)
    names = set(_table().get(op._fusescope_op, ()))
    if op._fusescope_op not in NOT_COMPLIANT:
        names.add("pt2_compliant_tag")
    if any(argument.is_out for argument in op._schema.arguments):
        names.add("out")
    return sorted((Tag.__members__[name] for name in names), key=lambda tag: tag.value)
