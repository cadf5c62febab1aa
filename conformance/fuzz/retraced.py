"""The cases of `traced`, on graphs that fwd_only traced: recorded in a third of the time that compiling takes."""
from . import traced


def make(rng, case_id):
    """The next spec; None if generation failed."""
    spec = traced.make(rng, case_id)
    if not spec or "dynamic" in spec:
        return None
    return spec | {"family": "fuzz_retraced", "where": "fwd_only"}
