"""Programs that real.sh records: python3 programs.py block | dynamic | many | ranks | live PORT"""

import os
import sys

import fusion
import torch
from torch._dynamo.backends.common import aot_autograd
from torch._inductor.custom_graph_pass import CustomGraphPass
from torch._inductor.decomposition import select_decomp_table


class Norm(torch.nn.Module):
    def __init__(self, eps=1e-5):
        super().__init__()
        self.w, self.eps = torch.nn.Parameter(torch.ones(16)), eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.w


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n1, self.n2 = Norm(), Norm()
        self.up, self.down = torch.nn.Linear(16, 32, bias=False), torch.nn.Linear(32, 16, bias=False)

    def forward(self, x):
        x = x + self.down(torch.nn.functional.silu(self.up(self.n1(x))))
        return self.n2(x)


class Fusions(CustomGraphPass):
    def __call__(self, graph):
        fusion.rms_norm_pass.apply(graph)

    def uuid(self):
        return None


def passed(gm, _):
    """What Inductor does up to the custom passes, for machines that cannot compile its C++."""
    fusion.rms_norm_pass.apply(gm.graph)
    gm.recompile()
    return gm.forward


without_compiler = aot_autograd(fw_compiler=passed, bw_compiler=passed, decompositions=select_decomp_table())


def block():
    torch._inductor.config.post_grad_custom_post_pass = Fusions()
    try:
        with torch.no_grad():
            torch.compile(Block())(torch.randn(4, 16))
    except Exception as e:
        # The passes went over the graph before code is generated.
        print(f"{type(e).__name__} after the passes", file=sys.stderr)


def dynamic():
    model = Block()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    step = torch.compile(model, dynamic=True, backend=without_compiler)
    for rows in (4, 6, 9):
        optimizer.zero_grad()
        loss = step(torch.randn(rows, 16)).square().mean()
        loss.backward()
        optimizer.step()
    print(f"loss {loss.item():.3f}")


@torch.no_grad()  # with gradients the forward graph keeps rsqrt for the backward one, and the pattern has one user of it
def many(count=200):
    for i in range(count):
        torch.compiler.reset()
        torch.compile(Norm(1e-6 if i % 2 else 1e-5), backend=without_compiler)(torch.randn(2, 16))


def rank(number, store):
    torch.distributed.init_process_group("gloo", init_method=f"file://{store}", rank=number, world_size=2)
    model = torch.nn.parallel.DistributedDataParallel(Block())
    torch.compile(model, backend=without_compiler)(torch.randn(4, 16)).sum().backward()
    torch.distributed.destroy_process_group()


def ranks():
    """Without torchrun: its store needs libuv, which Debian's PyTorch does not have."""
    torch.multiprocessing.spawn(rank, (os.path.abspath("store"),), nprocs=2)


def live():
    import fusescope

    with fusescope.live(port=int(sys.argv[2]), allow=True, browser=False) as session:
        block()
        session.wait()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
