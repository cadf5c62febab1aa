"""Which operators torch.ops has: any name, but for those that a library is built with on some chips only."""
from . import bridge, environment

# namespace → operator → the platforms it is built for
_BUILT_FOR = {
    "_C": dict.fromkeys(
        (
            "scaled_fp4_quant", "silu_and_mul_nvfp4_quant", "cutlass_scaled_fp4_mm",
            "silu_and_mul_scaled_fp4_experts_quant", "scaled_fp4_experts_quant",
        ),
        ("cuda-sm100",),
    ),
    "npu": dict.fromkeys(
        (
            "npu_dynamic_mx_quant", "npu_add_rms_norm_dynamic_mx_quant", "npu_rms_norm_dynamic_mx_quant",
            "npu_swiglu_mx_quant",
        ),
        ("ascend-a5",),
    ),
}
_declared = set()
_tags = {}  # overload → tags that its declaration gave it


def define(namespace, schema, tags=()):
    """A user's declaration; what they declare is there on any platform."""
    bridge.call("define", namespace, schema)
    name, _, overload = schema.split("(")[0].strip().partition(".")
    _declared.add((namespace, name))
    _tags[f"{namespace}.{name}.{overload or 'default'}"] = [tags] if hasattr(tags, "value") else list(tags)


def tags(overload):
    """What user code declared; empty for an operator of a library."""
    return _tags.get(overload, [])


def forget():
    _declared.clear()
    _tags.clear()


def by_platform(namespace, name):
    return name in _BUILT_FOR.get(namespace, ())


def there(namespace, name):
    """Whether this platform has an operator that some have; the question is noted."""
    # Code for a chip that is not chosen is read as it is.
    foreign = namespace == "npu" and environment.vendor() != "ascend"
    found = foreign or (namespace, name) in _declared or environment.platform() in _BUILT_FOR[namespace][name]
    return environment.answer(f"hasattr(torch.ops.{namespace}, {name!r})", found)
