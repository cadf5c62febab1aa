"""What pass files take from torch._inductor.fx_passes.mkldnn_fusion: activations as patterns around the call of a computation, as
Inductor's decompositions write them."""

import math

from torch._inductor.pattern_matcher import CallFunction as _call
from torch._inductor.pattern_matcher import KeywordArg
from torch._ops import ops
from . import names_of

_add, _mul, _div = ops.aten.add, ops.aten.mul, ops.aten.div


def _clamped(value, low, high):
    return _call(ops.aten.clamp_max, _call(ops.aten.clamp_min, value, low), high)


def _gelu(x, inner):
    return _call(_mul, _call(_mul, x, 0.5), _call(_add, inner, 1))


def _gelu_fusion_1(computation_call):
    x = computation_call
    return _gelu(x, _call(ops.aten.erf, _call(_mul, x, math.sqrt(0.5))))


def _gelu_fusion_2(computation_call):
    x = computation_call
    cube = _call(_mul, _call(_mul, x, x), x)
    series = _call(_add, x, _call(_mul, cube, 0.044715))
    return _gelu(x, _call(ops.aten.tanh, _call(_mul, series, math.sqrt(2 / math.pi))))


def _silu_fusion(computation_call):
    return _call(_div, computation_call, _call(_add, _call(ops.aten.exp, _call(ops.aten.neg, computation_call)), 1))


def _relu6_of_three_more(x):
    return _clamped(_call(_add, x, 3), 0, 6)


def _hardswish_fusion(computation_call):
    return _call(_div, _call(_mul, computation_call, _relu6_of_three_more(computation_call)), 6)


def _hardsigmoid_fusion(computation_call):
    return _call(_div, _relu6_of_three_more(computation_call), 6)


def _leaky_relu_fusion(computation_call):
    x = computation_call
    return _call(ops.aten.where, _call(ops.aten.gt, x, 0), x, _call(_mul, x, KeywordArg("negative_slope")))


def _hardtanh_fusion(computation_call):
    return _clamped(computation_call, KeywordArg("min_value"), KeywordArg("max_value"))


def _combined_fusion(computation_call, elementwise_op):
    return _call(elementwise_op, computation_call)


def _binary_fusion_v1(computation_call, binary_fn):
    return _call(binary_fn, KeywordArg("other"), computation_call)


def _binary_fusion_v2(computation_call, binary_fn):
    return _call(binary_fn, computation_call, KeywordArg("other"))


__getattr__ = names_of(__name__)
