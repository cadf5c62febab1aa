"""The losses of torch.nn.functional."""

import math

from _fusescope import bridge

_REDUCTIONS = {"none": 0, "mean": 1, "sum": 2}


def _reduced(loss, reduction):
    return loss.mean() if reduction == "mean" else loss.sum() if reduction == "sum" else loss


def _sized(weight, size):
    if weight.size() != size:
        raise ValueError("Weights and input must have the same size.")
    return weight


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    input, target = bridge.op("aten.broadcast_tensors.default", ([input, target],), {})
    return _reduced((input - target).abs(), reduction)


def cross_entropy(
    input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0
):
    args = (input, target, weight, _REDUCTIONS[reduction], ignore_index, label_smoothing)
    return bridge.op("aten.cross_entropy_loss", args, {})


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return bridge.op("aten.soft_margin_loss.default", (input, target, _REDUCTIONS[reduction]), {})


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    return bridge.op("aten.margin_ranking_loss.default", (input1, input2, target, margin, _REDUCTIONS[reduction]), {})


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    mode = _REDUCTIONS["sum" if reduction == "batchmean" else reduction]
    loss = bridge.op("aten.kl_div.default", (input, target, mode), {"log_target": log_target})
    return loss / input.size()[0] if reduction == "batchmean" and input.dim() != 0 else loss


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    return bridge.op("aten.nll_loss_nd", (input, target, weight, _REDUCTIONS[reduction], ignore_index), {})


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    own = input.size()
    input, target = bridge.op("aten.broadcast_tensors.default", ([input, target],), {})
    if weight is None:
        return bridge.op("aten.mse_loss", (input, target, _REDUCTIONS[reduction]), {})
    loss = (input - target).pow(2) * _sized(weight, own)
    return loss.sum() / weight.sum() if reduction == "mean" else _reduced(loss, reduction)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    own = input.size()
    input, target = bridge.op("aten.broadcast_tensors.default", ([input, target],), {})
    if weight is None:
        return bridge.op("aten.huber_loss", (input, target, _REDUCTIONS[reduction], delta), {})
    weight = _sized(weight, own)
    return _reduced(bridge.op("aten.huber_loss", (input, target, 0, delta), {}) * weight, reduction)


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    input, target = bridge.op("aten.broadcast_tensors.default", ([input, target],), {})
    if beta == 0.0:
        return bridge.op("aten.l1_loss", (input, target, _REDUCTIONS[reduction]), {})
    return bridge.op("aten.smooth_l1_loss", (input, target, _REDUCTIONS[reduction], float(beta)), {})


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
            "Please ensure they have the same size."
        )
    if weight is not None:
        weight = bridge.op("aten.expand.default", (weight, list(target.size())), {})
    return bridge.op("aten.binary_cross_entropy", (input, target, weight, _REDUCTIONS[reduction]), {})


def binary_cross_entropy_with_logits(
    input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None
):
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    args = (input, target, weight, pos_weight, _REDUCTIONS[reduction])
    return bridge.op("aten.binary_cross_entropy_with_logits", args, {})


def poisson_nll_loss(
    input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"
):
    args = (input, target, log_input, full, eps, _REDUCTIONS[reduction])
    return bridge.op("aten.poisson_nll_loss.default", args, {})


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * bridge.op("aten.ones_like", (input,), {})
    elif (var < 0).any():
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.ndim != var.ndim or sum(v for i, v in zip(input.size(), var.size()) if i != v) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    var.clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss += 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    args = (input1, input2, target, margin, _REDUCTIONS[reduction])
    return bridge.op("aten.cosine_embedding_loss.default", args, {})


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    return bridge.op("aten.hinge_embedding_loss.default", (input, target, margin, _REDUCTIONS[reduction]), {})


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    args = (input, target, p, margin, weight, _REDUCTIONS[reduction])
    return bridge.op("aten.multi_margin_loss.default", args, {})


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    return bridge.op("aten.multilabel_margin_loss.default", (input, target, _REDUCTIONS[reduction]), {})


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    log_sigmoid = lambda x: bridge.op("aten.log_sigmoid.default", (x,), {})  # noqa: E731
    loss = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    dim = input.dim() - 1
    return _reduced(loss.sum(dim=dim) / input.size(dim), reduction)


def triplet_margin_with_distance_loss(
    anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"
):
    distance = distance_function or (lambda a, b: bridge.op("aten.pairwise_distance.default", (a, b), {}))
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = bridge.op("aten.minimum.default", (far, distance(positive, negative)), {})
    return _reduced((margin + near - far).clamp_min(0), reduction)
