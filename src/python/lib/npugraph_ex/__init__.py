"""npugraph_ex, the graph compiler of torchair: collects its registered patterns as one pass."""

import torch._inductor.pattern_matcher as pm
from _fusescope import environment


class _Patterns(pm.PatternMatcherPass):
    registered = 0


patterns = _Patterns(pass_name="npugraph_ex")


def enabled():
    """True if it compiles instead of AscendCompiler's own passes."""
    return bool(environment.flag("enable_npugraph_ex", False))


def register_replacement(
    search_fn,
    replace_fn,
    example_inputs,
    trace_fn=pm.fwd_only,
    extra_check=None,
    search_fn_pattern=None,
    scalar_workaround=None,
    skip_duplicates=False,
):
    """pattern_matcher.register_replacement with the compiler's own pass."""
    checks = {} if extra_check is None else {"extra_check": extra_check}
    pm.register_replacement(
        search_fn,
        replace_fn,
        example_inputs,
        trace_fn,
        patterns,
        search_fn_pattern=search_fn_pattern,
        scalar_workaround=scalar_workaround,
        skip_duplicates=skip_duplicates,
        **checks,
    )
    patterns.registered += 1
