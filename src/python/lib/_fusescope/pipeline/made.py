"""When user code made its passes, among all passes of the run."""

from typing import Any

from torch._inductor.pattern_matcher import PatternMatcherPass

from .. import stubs


def noted(made: Any) -> Any:
    """The object, with its place in the order of the passes."""
    stubs.instantiated.update(type(made).__mro__)
    made._made_after = PatternMatcherPass.made
    return made
