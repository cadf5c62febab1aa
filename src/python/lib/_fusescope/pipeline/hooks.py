"""The hooks of torch._inductor.config to which user code assigns passes, in the order of a compilation."""
import types

from torch._inductor import config

NAMES = (
    "pre_grad_custom_pass",
    "joint_custom_pre_pass",
    "joint_custom_post_pass",
    "post_grad_custom_pre_pass",
    "post_grad_custom_post_pass",
)
# The hook of a pass that is not assigned to any hook.
_DEFAULT = NAMES.index("post_grad_custom_post_pass")


def hang(pipeline):
    """Assigns stages to the hooks that call them, and sorts the pipeline. A function in a hook is a separate stage."""
    from .stages import Stage

    for hook in NAMES:
        for value in _hung(hook):
            called = _called_by(value, pipeline)
            if not called:
                called = [Stage(getattr(value, "__name__", type(value).__name__), value)]
                pipeline += called
            # A function that applies patterns of its own module may also make other edits.
            whole = isinstance(value, types.FunctionType) and all(s.owner is None for s in called)
            for stage in called:
                stage.hook = hook
                stage.applied_by = value if whole else None
    pipeline.sort(key=lambda s: NAMES.index(s.hook) if s.hook else _DEFAULT)


def _hung(hook):
    value = getattr(config, hook)
    return [v for v in (value if isinstance(value, (list, tuple)) else [value]) if callable(v)]


def _called_by(value, pipeline):
    """The stages that a hook's value calls: the pass itself, a manager's passes, the pass of a bound `apply`, the
    passes that a function names."""
    value = getattr(value, "__self__", value)
    members = {id(value)}
    if isinstance(value, types.FunctionType):
        members |= {id(value.__globals__.get(name)) for name in value.__code__.co_names}
    return [s for s in pipeline if {id(s.value), id(s.owner), id(s.manager and s.manager[1])} & (members - {id(None)})]
