"""The cases of `traced`, on graphs that fwd_only traced: recorded in a third of the time that compiling takes."""
from . import traced


def make(rng, case_id):
    """One spec; None when nothing came of it."""
    spec = traced.make(rng, case_id)
    if not spec or "dynamic" in spec:
        return None
    return spec | {"family": "fuzz_retraced", "where": "fwd_only"}
