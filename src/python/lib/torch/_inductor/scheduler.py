"""torch._inductor.scheduler: Inductor's scheduling, after the passes on a graph. No value of a pass is one of its nodes."""

from _fusescope import partial_modules as _partial


def _of_scheduling(name, *bases):
    return _partial.refused(f"{__name__}.{name}", bases, "a dump has the graph before Inductor's scheduling")


BaseSchedulerNode, Scheduler, BaseScheduling = map(_of_scheduling, ("BaseSchedulerNode", "Scheduler", "BaseScheduling"))
SchedulerNode, FusedSchedulerNode, ExternKernelSchedulerNode, NopKernelSchedulerNode = (
    _of_scheduling(name, BaseSchedulerNode)
    for name in ("SchedulerNode", "FusedSchedulerNode", "ExternKernelSchedulerNode", "NopKernelSchedulerNode")
)

__getattr__ = _partial.of_pytorch(__name__, listed=False)
