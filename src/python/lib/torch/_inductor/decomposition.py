"""torch._inductor.decomposition: a placeholder for the decomposition table, which the tracer owns."""
from _fusescope import partial_modules as _partial


def select_decomp_table():
    return {}


def check(get_decomp_fn):
    """Raises for a table other than Inductor's own."""
    if get_decomp_fn is not None and get_decomp_fn is not select_decomp_table:
        raise NotImplementedError(
            "Fusescope traces with Inductor's own decompositions: a get_decomp_fn other than select_decomp_table is not supported"
        )


__getattr__ = _partial.of_pytorch(__name__)
