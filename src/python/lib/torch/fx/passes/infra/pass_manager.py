"""torch.fx.passes.infra.pass_manager: passes in an order that keeps constraints, repeated until none changes the graph."""

import functools
import inspect

from _fusescope import partial_modules as _partial

from .pass_base import PassResult


def _name(fn):
    return fn.__name__ if inspect.isfunction(fn) else type(fn).__name__


def pass_result_wrapper(fn):
    """Makes a function that returns a module or nothing return a PassResult that says modified."""
    if fn is None:
        return None

    @functools.wraps(fn)
    def wrapped_fn(gm):
        from torch import nn

        made = fn(gm)
        if made is None:
            return PassResult(gm, True)
        if isinstance(made, PassResult):
            return made
        return PassResult(made, True) if isinstance(made, nn.Module) or hasattr(made, "graph") else None

    if not inspect.isfunction(fn):
        wrapped_fn.__name__ = type(fn).__name__
    return wrapped_fn


def this_before_that_pass_constraint(this, that):
    """A constraint for PassManager: `this` runs before `that`."""
    return lambda a, b: a != that or b != this


class Schedule:
    """What both managers of PyTorch have: passes, and constraints on their order."""

    passes, constraints, _validated = (), (), False

    def __new__(cls, *args, **kwargs):
        from _fusescope.pipeline import made

        return made.noted(super().__new__(cls))

    def add_pass(self, _pass):
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint):
        self.constraints.append(constraint)
        self._validated = False

    def _validate(self):
        if self._validated:
            return
        for constraint in self.constraints:
            validate(constraint, self.passes)
        self._validated = True


class PassManager(Schedule):
    """Up to `steps` rounds of the passes; a round that changes nothing is the last."""

    steps = 1

    def __init__(
        self, passes=None, constraints=None, steps=None, run_checks_after_each_pass=False, suppress_check_failures=False
    ):
        self.passes, self.constraints = passes or [], constraints or []
        self.steps = steps or self.steps
        self.run_checks_after_each_pass, self.suppress_check_failures = (
            run_checks_after_each_pass,
            suppress_check_failures,
        )

    def validate_constraints(self):
        self._validate()

    def solve_constraints(self):
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check):
        if len(inspect.signature(check).parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check

    def check(self, module):
        """A check of the module, for subclasses and add_checks."""

    def __call__(self, module):
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        changed = False
        for _ in range(self.steps):
            module, modified = self._round(module)
            changed = changed or modified
            if not modified:
                break
        return PassResult(module, changed)

    def _round(self, module):
        modified = False
        for i, fn in enumerate(self.passes):
            try:
                made = fn(module)
                if not isinstance(made, PassResult) and not hasattr(made, "graph_module"):
                    raise TypeError(
                        f"The result of the pass {_name(fn)} should be type PassResult.Please wrap it with pass_result_wrapper()"
                    )
                module, modified = made.graph_module, modified or made.modified
                if hasattr(module, "recompile"):
                    module.recompile()
                if self.run_checks_after_each_pass:
                    self.check(module)
            except Exception as e:
                before = [_name(p) for p in self.passes[:i]]
                raise Exception(
                    f"An error occurred when running the '{_name(fn)}' pass after the following passes: {before}"
                ) from e
        return module, modified


def validate(constraint, passes):
    """Raises if two passes are in an order that the constraint forbids."""
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :]):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at index {i} and {b} at index {j} in pass list."
                )


def _topological_sort_passes(passes, constraints):
    """The passes, each after those that a constraint wants before it (Kahn's algorithm)."""
    if not constraints:
        return passes
    after, waiting = {p: [] for p in passes}, dict.fromkeys(passes, 0)
    for a in passes:
        for b in passes:
            # Equal passes have no order.
            broken = 0 if a == b else sum(not constraint(a, b) for constraint in constraints)
            after[b] += [a] * broken
            waiting[a] += broken
    ready, found = [p for p in passes if waiting[p] == 0], []
    while ready:
        found.append(ready.pop(0))
        for p in after[found[-1]]:
            waiting[p] -= 1
            if waiting[p] == 0:
                ready.append(p)
    if left := [p for p in waiting if waiting[p] != 0]:
        raise RuntimeError(f"Circular dependency detected within the following passes: {left}")
    return found


__getattr__ = _partial.of_pytorch(__name__)
