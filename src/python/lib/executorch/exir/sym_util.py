"""executorch.exir.sym_util: sizes as numbers."""

import torch


def eval_expr(symint):
    """The number, or the one that a symbol has by the hints; None where there is none."""
    if not isinstance(symint, torch.SymInt):
        return symint
    return symint.node.hint if symint.node.has_hint() else None


def eval_shape(shape):
    return [eval_expr(size) for size in shape]
