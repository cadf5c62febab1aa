"""The operators in torch.ops: any name, except operators that a library builds for some chips only."""
from . import bridge, environment

# namespace → operator → its platforms
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
_tags = {}  # overload → tags of its declaration
_composites = {}  # overload → its CompositeImplicitAutograd body, which tracing records in its place


def define(namespace, schema, tags=()):
    """Declares a user's operator, which then exists on any platform."""
    if "(" not in schema:
        raise RuntimeError("Tried to parse a function schema but only the operator name was given")
    name, _, overload = schema.split("(")[0].strip().rpartition("::")[2].partition(".")
    qualified = f"{namespace}.{name}.{overload or 'default'}"
    bridge.call("define", namespace, schema)
    _declared.add((namespace, name))
    _tags[qualified] = [tags] if hasattr(tags, "value") else list(tags)


def define_composite(overload, fn):
    _composites[overload] = fn


def composite(overload):
    """The CompositeImplicitAutograd body of `ns.op.overload`; None for any other operator."""
    return _composites.get(overload)


def tags(overload):
    """The tags that user code declared; empty for an operator of a library."""
    return _tags.get(overload, [])


def forget():
    _declared.clear()
    _tags.clear()
    _composites.clear()


def by_platform(namespace, name):
    return name in _BUILT_FOR.get(namespace, ())


def there(namespace, name):
    """True if this platform has a platform-dependent operator; records the query."""
    # Code for another chip can still refer to its operators.
    foreign = namespace == "npu" and environment.vendor() != "ascend"
    found = foreign or (namespace, name) in _declared or environment.platform() in _BUILT_FOR[namespace][name]
    return environment.answer(f"hasattr(torch.ops.{namespace}, {name!r})", found)
