"""The hooks of torch._inductor.config that user code hangs passes in, in the order in which a compilation comes to them."""
import types

from torch._inductor import config

NAMES = (
    "pre_grad_custom_pass",
    "joint_custom_pre_pass",
    "joint_custom_post_pass",
    "post_grad_custom_pre_pass",
    "post_grad_custom_post_pass",
)
# Where a pass goes that nothing hangs anywhere.
_DEFAULT = NAMES.index("post_grad_custom_post_pass")


def hang(pipeline):
    """Notes which hook calls which stage, and sorts the pipeline by it. A function there is a stage of its own."""
    from .stages import Stage

    for hook in NAMES:
        for value in _hung(hook):
            called = _called_by(value, pipeline)
            if not called:
                called = [Stage(getattr(value, "__name__", type(value).__name__), value)]
                pipeline += called
            # A function that applies nothing but patterns of its own module may do more than that.
            whole = isinstance(value, types.FunctionType) and all(s.owner is None for s in called)
            for stage in called:
                stage.hook = hook
                stage.applied_by = value if whole else None
    pipeline.sort(key=lambda s: NAMES.index(s.hook) if s.hook else _DEFAULT)


def _hung(hook):
    value = getattr(config, hook)
    return [v for v in (value if isinstance(value, (list, tuple)) else [value]) if callable(v)]


def _called_by(value, pipeline):
    """The stages that it stands for: the pass itself, a manager's, a bound `apply`'s, those that a function names."""
    value = getattr(value, "__self__", value)
    members = {id(value)}
    if isinstance(value, types.FunctionType):
        members |= {id(value.__globals__.get(name)) for name in value.__code__.co_names}
    return [s for s in pipeline if {id(s.value), id(s.owner), id(s.manager and s.manager[1])} & (members - {id(None)})]
