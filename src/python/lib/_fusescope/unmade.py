"""Passes that the user's files define and do not make: a project's pass manager would, with its configuration."""
import importlib
import inspect

from torch._inductor.custom_graph_pass import CustomGraphPass

# Parameters that are a project's configuration, by the names that its passes give them.
_VLLM = ("config", "vllm_config")
_SGLANG = {
    "server_args": ("sglang.srt.server_args", "ServerArgs"),
    "model_config": ("sglang.srt.configs.model_config", "ModelConfig"),
}


def forget():
    CustomGraphPass.made.clear()


def make(modules):
    """[(class name, pass)] of the pass classes of these modules that take a configuration and nobody has made."""
    classes = [c for m in modules for c in vars(m).values() if _is_pass(c) and c.__module__ == m.__name__]
    bases = {base for c in classes for base in c.__mro__[1:]}
    return [(c.__name__, _make(c)) for c in classes if c not in bases and c not in CustomGraphPass.made]


def _is_pass(value):
    return (
        isinstance(value, type)
        and issubclass(value, CustomGraphPass)
        and not inspect.isabstract(value)
        and bool(required := _required(value.__init__))
        and all(name in _VLLM or name in _SGLANG for name in required)
    )


def _required(init):
    given = list(inspect.signature(init).parameters.values())[1:]
    return [p.name for p in given if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def _make(cls):
    from vllm.config import VllmConfig, set_current_vllm_config

    config = VllmConfig()
    given = [config if name in _VLLM else _of_sglang(name) for name in _required(cls.__init__)]
    shown = ", ".join(f"{type(each).__name__}()" for each in given)
    print(f"Fusescope made {cls.__name__}({shown}): the files define this pass and do not make it.")
    with set_current_vllm_config(config):
        return cls(*given)


def _of_sglang(name):
    module, kind = _SGLANG[name]
    return getattr(importlib.import_module(module), kind)()
