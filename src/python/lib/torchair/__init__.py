"""torchair, which formerly contained npugraph_ex: both register patterns with the same compiler."""

from npugraph_ex import register_replacement  # noqa: F401
