"""The layers of the model, which vLLM's model runner registers: those that the environment names, else attention layers."""

import ast
import importlib
import importlib.util
import pathlib
import sys

from _fusescope import environment, frames, stubs

MODEL = {
    "num_hidden_layers": 1,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "rms_norm_eps": 1e-6,
    "routed_scaling_factor": 1.0,
}


class _NoSuchClass:
    """A layer of a class that is not there: it has the given arguments as attributes, and no others."""

    def __init__(self, **given):
        self.__dict__.update(given)


def model_layers():
    """The layers by name."""
    given = environment.layers()
    return _attention_layers() if given is None else {name: _layer(name, call) for name, call in given.items()}


def _attention_layers():
    """Attention layers by name; the settings decide their number and heads. vLLM takes them from the model."""
    from vllm.model_executor.layers.attention import Attention, MLAAttention

    count, heads, key_heads, size = (
        environment.flag(name, MODEL[name])
        for name in ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim")
    )
    found = {}
    for layer in (f"model.layers.{i}.self_attn" for i in range(count)):
        found[f"{layer}.attn"] = Attention(heads, size, num_kv_heads=key_heads, prefix=f"{layer}.attn")
        found[f"{layer}.mla_attn"] = MLAAttention(heads, prefix=f"{layer}.mla_attn")
    return found


def _layer(name, call):
    """The layer of `package.module.Class(heads=32)`. Attention and MLAAttention need no path, and get their name."""
    try:
        parsed = ast.parse(call.strip(), mode="eval").body
        path = ast.unparse(parsed.func)
        args = [ast.literal_eval(a) for a in parsed.args]
        kwargs = {k.arg: ast.literal_eval(k.value) for k in parsed.keywords}
    except (AttributeError, SyntaxError, ValueError):
        raise ValueError(
            f"the environment's layer {name} is {call!r}; expected CLASS(NAME=VALUE, …) of literals"
        ) from None
    if path in ("Attention", "MLAAttention"):
        path = f"vllm.model_executor.layers.attention.{path}"
        kwargs.setdefault("prefix", name)
    cls = _class_at(path)
    if issubclass(cls, _NoSuchClass) and args:
        raise ValueError(f"the environment's layer {name}: {path} is not in the files, so its arguments need names")
    return cls(*args, **kwargs)


def _class_at(path):
    """Returns the class that the user's files or the library define; if none does, a class whose instances count as instances of its stub."""
    module, _, name = path.rpartition(".")
    found = getattr(importlib.import_module(module), name, None) if _is_own(module) else None
    if isinstance(found, type) and _is_own(found.__module__):
        return found
    return type(name, (_NoSuchClass,), {"_stub": found if isinstance(found, stubs.Stub) else stubs.Stub(module, name)})


def _is_own(module):
    """
    False for what is installed, which is not even imported: the environment may be a stranger's, and an exported script runs this beside a
    real PyTorch, one of whose classes starts processes.
    """
    root = module.partition(".")[0]
    if root == "" or root in sys.stdlib_module_names | stubs.CLOSED:
        return False
    try:
        spec = importlib.util.find_spec(root)
    except ValueError:  # __main__
        return False
    if spec is None:  # a stub, or nothing
        return True
    paths = [pathlib.PurePath(p) for p in [spec.origin, *(spec.submodule_search_locations or [])] if p]
    own = [pathlib.PurePath(frames.WORKSPACE), pathlib.PurePath(environment.__file__).parent.parent]
    return all(not p.is_absolute() or any(p.is_relative_to(o) for o in own) for p in paths)


def get_layers_from_vllm_config(vllm_config, layer_type, layer_names=None):
    layers = vllm_config.compilation_config.static_forward_context
    wanted = layers if layer_names is None else layer_names
    found = {name: layers[name] for name in wanted if isinstance(layers[name], layer_type)}
    kind = getattr(layer_type, "__name__", None) or getattr(layer_type, "_name", layer_type)
    # What made the configuration has been read before.
    environment.made_from(environment.layers)
    return environment.answer(
        f"get_layers_from_vllm_config({kind})",
        found,
        ", ".join(f"{n}: {_shown(f)}" for n, f in found.items()) or "none",
    )


def _shown(layer):
    if isinstance(layer, _NoSuchClass):
        return f"{type(layer).__name__}({', '.join(f'{k}={v!r}' for k, v in vars(layer).items())})"
    if hasattr(layer, "num_heads") and hasattr(layer, "head_size"):
        return f"{layer.num_heads} heads of {layer.head_size}"
    return type(layer).__name__
