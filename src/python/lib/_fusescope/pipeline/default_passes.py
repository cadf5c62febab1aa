"""Instantiates passes that the user's files define but do not instantiate, with the default configuration of their project."""

import importlib
import inspect
import sys
from collections.abc import Callable

from torch._inductor.custom_graph_pass import CustomGraphPass

from .. import frames, stubs

# Parameters that take a project's configuration, by the names used in its passes.
_VLLM = ("config", "vllm_config")
_SGLANG = {
    "server_args": ("sglang.srt.server_args", "ServerArgs"),
    "model_config": ("sglang.srt.configs.model_config", "ModelConfig"),
}


def make(modules: list, fail: Callable) -> tuple:
    """[(class name, object)] of the pass classes that these modules define but do not instantiate: created by their
    pass managers if they define any, else separately. And [(class, name of the manager)] of the classes that a manager
    does not instantiate in its configuration. An exception of such an
    object goes to fail(file, exception)."""
    classes = [c for m in modules for c in vars(m).values() if isinstance(c, type) and c.__module__ == m.__name__]
    passes = [c for c in classes if _is_pass(c)]
    passes = [c for c in passes if not any(c in other.__mro__[1:] for other in passes)]
    # If user code instantiates passes of a package, it also instantiates the manager.
    used = {_package(c) for c in classes if c in CustomGraphPass.made and (c in passes or _is_manager(c))}
    # A package has one manager per compile path.
    managing = [c for c in classes if _is_manager(c) and _package(c) not in used]
    managing = [c for c in managing if not any(c in other.__mro__[1:] for other in managing)]
    names = {_package(c): c.__name__ for c in reversed(managing)}
    managers = _made(_managing, managing, fail)
    left = [c for c in passes if c not in CustomGraphPass.made and c not in stubs.instantiated]
    alone = _made(_make, [c for c in left if _package(c) not in names], fail)
    return managers + alone, [(c, names[_package(c)]) for c in left if _package(c) in names]


def _made(make, classes, fail):
    made = []
    for cls in classes:
        try:
            made.append((cls.__name__, make(cls)))
        except Exception as e:
            fail(sys.modules[cls.__module__].__file__.removeprefix(frames.WORKSPACE), e)
    return made


def _package(cls):
    """The top-level package of a class; top-level files count as one package."""
    return cls.__module__.partition(".")[0] if "." in cls.__module__ else ""


def _is_manager(cls):
    """True for a pass manager: constructed without arguments, configured (except SGLang's), and called with a graph,
    like PostGradPassManager."""
    has = all(inspect.isfunction(inspect.getattr_static(cls, name, None)) for name in ("configure", "__call__"))
    return has and not inspect.isabstract(cls) and not _required(cls.__init__) and len(_required(cls.configure)) < 2


def _managing(cls):
    from vllm.config import VllmConfig, set_current_vllm_config

    print(
        f"Fusescope created and configured {cls.__name__}(): the files define this pass manager but do not instantiate it."
    )
    config = VllmConfig()
    with set_current_vllm_config(config):
        manager = cls()
        manager.configure(*_configuration(cls.configure, config))
    return manager


def _configuration(function, config):
    """What the required parameters of a function of a vLLM pass take: its configuration, or as earlier versions, that of passes."""
    parameters = inspect.signature(function).parameters
    return [
        config.compilation_config.pass_config
        if name == "pass_config" or str(parameters[name].annotation).rstrip("'>").endswith("PassConfig")
        else config
        for name in _required(function)
    ]


def _is_pass(value):
    """A class of Inductor's passes, or of a base that Fusescope lacks and that is named a pass."""
    stubbed = (stub := stubs.base_of(value)) is not None and stubs.names_pass(value, stub)
    return (
        (issubclass(value, CustomGraphPass) or stubbed)
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
    names = _required(cls.__init__)
    given = (
        _configuration(cls.__init__, config) if all(n in _VLLM for n in names) else [_given(n, config) for n in names]
    )
    shown = ", ".join(f"{type(each).__name__}()" for each in given)
    print(f"Fusescope created {cls.__name__}({shown}): the files define this pass but do not instantiate it.")
    with set_current_vllm_config(config):
        return cls(*given)


def _given(name, config):
    return config if name in _VLLM else _of_sglang(name)


def _of_sglang(name):
    module, kind = _SGLANG[name]
    return getattr(importlib.import_module(module), kind)()
