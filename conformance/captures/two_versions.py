"""One model with two versions of a user's pass, and with two versions of the model: for the comparison of two captures.

    python3 conformance/captures/two_versions.py HELPER OUT VERSION

VERSION: `first`; `pattern` (the pattern has another activation), `check` (extra_check also wants few rows), `model` (the
second layer scales), `unregistered` (the pass has a pattern less).
"""

import sys

import torch
from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

version = sys.argv[3]
HIDDEN = 32


class LinearPass(CustomGraphPass):
    def __init__(self):
        self.patterns = PatternMatcherPass(pass_name="linear")
        inputs = [torch.empty(4, 8), torch.empty(8, 16), torch.empty(16)]

        def relu_search(x, weight, bias):
            h = torch.addmm(bias, x, weight)
            return torch.clamp(h, 0.0, 6.0) if version == "pattern" else torch.relu(h)

        def relu_replace(x, weight, bias):
            return torch.addmm(bias, x, weight)

        def tanh_search(x, weight, bias):
            return torch.tanh(torch.addmm(bias, x, weight))

        def small(match):
            return version != "check" or match.kwargs["x"].meta["val"].shape[-1] <= HIDDEN

        register_replacement(relu_search, relu_replace, inputs, fwd_only, self.patterns, extra_check=small)
        if version != "unregistered":
            register_replacement(tanh_search, relu_replace, inputs, fwd_only, self.patterns)

    def __call__(self, graph):
        self.count = self.patterns.apply(graph)

    def uuid(self):
        return None


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(HIDDEN, 2 * HIDDEN)
        self.down = torch.nn.Linear(2 * HIDDEN, HIDDEN)
        self.last = torch.nn.Linear(HIDDEN, HIDDEN)

    def forward(self, x):
        h = self.down(torch.relu(self.up(x)))
        h = torch.relu(h * 0.5 if version == "model" else h)
        return torch.tanh(self.last(h))


config.post_grad_custom_post_pass = linear = LinearPass()
try:
    with torch.no_grad():
        torch.compile(Model().eval())(torch.randn(8, HIDDEN))
except Exception as e:  # the machine may lack a C++ compiler; the passes have run by then
    print(f"{type(e).__name__}: {str(e)[:200]}")
print("replaced", linear.count)
