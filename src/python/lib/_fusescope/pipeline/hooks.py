"""The hooks of torch._inductor.config and torch._functorch.config to which user code assigns passes, in the order of a compilation."""

import types

from torch._functorch import config as functorch_config
from torch._inductor import config
from torch._inductor.pattern_matcher import PatternMatcherPass

from . import named_hooks
from .stage import Stage

NAMES = (
    "backend",
    "pre_grad_custom_pass",
    "joint_custom_pass",
    "joint_custom_pre_pass",
    "joint_custom_post_pass",
    "post_grad_custom_pre_pass",
    "post_grad_custom_post_pass",
)
# A hook's argument, if it is not a graph.
_TAKES = {"backend": "inputs", "joint_custom_pass": "inputs"}
# The hook of a pass that is not assigned to any hook.
_DEFAULT = NAMES.index("post_grad_custom_post_pass")


def values(modules: list) -> list[tuple]:
    """[(hook, value)]: the values of the hooks, and those that functions of these modules would assign."""
    now = [(hook, value) for hook in NAMES for value in _hung(hook)]
    held = {(hook, type(value)) for hook, value in now}
    # The object that a hook holds is the one that its text makes.
    named = [(hook, value) for hook, value in named_hooks.named(modules, NAMES[1:]) if (hook, value) not in held]
    found = {(hook, id(value)): value for hook, value in [*now, *named]}
    return sorted(((hook, value) for (hook, _), value in found.items()), key=lambda item: NAMES.index(item[0]))


def hang(pipeline: list, hung: list[tuple]) -> None:
    """Assigns stages to the hooks that call them, and sorts the pipeline. A function in a hook is a separate stage."""
    for hook, value in hung:
        called = _called_by(value, pipeline)
        if not called:
            made = value() if isinstance(value, type) else value
            called = [Stage(getattr(value, "__name__", type(value).__name__), made, takes=_TAKES.get(hook, "graph"))]
            pipeline += called
        # A function that applies patterns of its own module may also make other edits.
        whole = isinstance(value, types.FunctionType) and all(s.owner is None for s in called)
        for stage in called:
            stage.hook, stage.proposed = hook, False
            if stage.value is value and stage.takes:
                stage.takes = _TAKES.get(hook, "graph")
            stage.applied_by = value if whole and isinstance(stage.value, PatternMatcherPass) else None
    pipeline.sort(key=lambda s: NAMES.index(s.hook) if s.hook else _DEFAULT)


def _hung(hook):
    if hook == "backend":
        return []
    value = getattr(functorch_config if hook == "joint_custom_pass" else config, hook)
    return [v for v in (value if isinstance(value, (list, tuple)) else [value]) if callable(v)]


def _called_by(value, pipeline):
    """The stages that a hook's value calls: the pass itself, a manager's passes, the pass of a bound `apply`, the
    passes that a function names. Other code on graphs that a function names is a part of the function."""
    if itself := [s for s in pipeline if s.value is value]:
        return itself
    value = getattr(value, "__self__", value)
    members = {id(value)}
    if isinstance(value, types.FunctionType):
        members |= {id(value.__globals__.get(name)) for name in value.__code__.co_names}
    stages = [s for s in pipeline if s.takes is None or not isinstance(value, types.FunctionType)]
    return [s for s in stages if {id(s.value), id(s.owner), id(s.manager and s.manager[1])} & (members - {id(None)})]
