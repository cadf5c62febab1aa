"""torchair, which npugraph_ex was a part of: patterns registered with either are the same compiler's."""
from npugraph_ex import register_replacement  # noqa: F401
