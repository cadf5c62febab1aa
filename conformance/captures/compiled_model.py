"""A model compiled by torch.compile with a custom post-grad pass: the program that conformance/captures/record.py runs.

With `late` as an argument it imports fusescope_capture itself, after the pattern is registered.
"""

import sys

import torch
from torch._inductor import config
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.pattern_matcher import Match, PatternMatcherPass, fwd_only, register_replacement

HIDDEN = 32


class LinearSiluPass(CustomGraphPass):
    """Replaces addmm + relu by addmm + silu, except where the layer widens."""

    def __init__(self):
        self.patterns = PatternMatcherPass(pass_name="linear_silu")

        def search(x, weight, bias):
            return torch.relu(torch.addmm(bias, x, weight))

        def replace(x, weight, bias):
            return torch.nn.functional.silu(torch.addmm(bias, x, weight))

        def not_wider(match: Match) -> bool:
            rows, columns = match.kwargs["weight"].meta["val"].shape
            return columns <= rows

        inputs = [torch.empty(4, 8), torch.empty(8, 16), torch.empty(16)]
        register_replacement(search, replace, inputs, fwd_only, self.patterns, extra_check=not_wider)

    def __call__(self, graph):
        self.count = self.patterns.apply(graph)

    def uuid(self):
        return None


linear_silu = LinearSiluPass()


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(HIDDEN, 4 * HIDDEN)
        self.down = torch.nn.Linear(4 * HIDDEN, HIDDEN)

    def forward(self, x):
        return x + torch.relu(self.down(torch.relu(self.up(x))))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.Sequential(*[Block() for _ in range(4)])
        self.last = torch.nn.Linear(HIDDEN, HIDDEN)

    def forward(self, x):
        h = self.last(self.blocks(x))
        return torch.relu(h), h.sum(), torch.relu(x @ x.t())


def main():
    if "late" in sys.argv:
        import fusescope_capture  # noqa: F401
    config.post_grad_custom_post_pass = linear_silu
    x = torch.randn(8, HIDDEN)
    torch._dynamo.mark_dynamic(x, 0)
    compiled = torch.compile(Model().eval())
    try:
        with torch.no_grad():
            compiled(x)
    except Exception as e:  # the machine may lack a C++ compiler; the passes have run by then
        print(f"{type(e).__name__}: {str(e)[:200]}")
    print("replaced", linear_silu.count)


if __name__ == "__main__":
    main()
