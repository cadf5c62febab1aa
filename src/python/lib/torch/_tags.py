"""torch.Tag, and the tags of an operator."""

_NAMES = (
    "core",
    "cudagraph_unsafe",
    "data_dependent_output",
    "dynamic_output_shape",
    "flexible_layout",
    "generated",
    "inplace",
    "inplace_view",
    "maybe_aliasing_or_mutating",
    "needs_contiguous_strides",
    "needs_exact_strides",
    "needs_fixed_stride_order",
    "nondeterministic_bitwise",
    "nondeterministic_seeded",
    "out",
    "out_variant",
    "pointwise",
    "pt2_compliant_tag",
    "reduction",
    "view_copy",
)


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


for _value, _name in enumerate(_NAMES):
    Tag.__members__[_name] = Tag(_name, _value)
    setattr(Tag, _name, Tag.__members__[_name])


_KNOWN = ("aten", "prims", "inductor", "_c10d_functional", "quantized_decomposed")


def tags_of(op, declared):
    """The tags of an overload, in the order of their values; `declared`: tags from user code."""
    if op.namespace not in _KNOWN or declared:
        return sorted(declared, key=lambda tag: tag.value)
    return sorted((Tag.__members__[name] for name in op._schema._tags), key=lambda tag: tag.value)
