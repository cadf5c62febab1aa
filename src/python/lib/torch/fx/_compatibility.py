"""torch.fx._compatibility: the decorator of torch.fx's own functions."""


def compatibility(is_backward_compatible):
    return lambda fn: fn
