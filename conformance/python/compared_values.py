"""What fusescope.graphs compares, with a real PyTorch: prints `values: ok`. Run by real.sh."""

import torch
from fusescope.graphs import compared, copied
from torch.fx.experimental.proxy_tensor import make_fx


def graph(function, *inputs):
    return copied(make_fx(function, tracing_mode="fake")(*inputs).graph)


def names(before, after):
    return [d.name for d in compared(before, after).differences]


def writes(x, y):
    x.add_(1)
    return x * y, y.split(2)[0]


def writes_more(x, y):
    x.add_(2)
    return (x - 1) * y, y.split(2)[0]


def draws(x):
    buffer = torch.empty_like(x)
    buffer.copy_(x + torch.rand_like(x))
    return buffer * 2


def draws_wrong(x):
    buffer = torch.empty_like(x)
    buffer.copy_(x + torch.rand_like(x))
    return buffer * 3


x, y = torch.ones(4, 3), torch.ones(4, 3)
assert names(graph(writes, x, y), graph(writes, x, y)) == []
assert names(graph(writes, x, y), graph(writes_more, x, y)) == ["input x_1 after the run"]

state = torch.get_rng_state()
assert names(graph(draws, x), graph(draws, x)) == []
wrong = compared(graph(draws, x), graph(draws_wrong, x))
assert wrong.first.name == "mul", wrong
assert torch.equal(state, torch.get_rng_state())

layouts = [torch.ones(3, 1).expand(3, 4), torch.ones(8, 8)[::2, 1:5], torch.ones(2, 3, dtype=torch.complex64), torch.ones(0, 3)]
for i in layouts:
    assert names(graph(lambda a: a * 2, i), graph(lambda a: a + a, i)) == [], i
i = layouts[2]
assert names(graph(lambda a: a * 2, i), graph(lambda a: a * 2j, i)) == ["output 0"]
inf = compared(graph(lambda a: torch.stack([a / 0, a]), x), graph(lambda a: torch.stack([a / 0, a + 1]), x)).differences[0]
assert 0.99 < inf.absolute < 1.01, inf
assert names(graph(lambda a: (a, a), x), graph(lambda a: (a,), x)) == ["1 outputs after the passes, 2 before"]


module = torch.nn.Module()
module.register_buffer("n", torch.zeros(()))
written = torch.fx.Graph()
given = written.placeholder("given")
given.meta["val"] = x
written.output(written.call_function(torch.add, (given, written.call_method("add_", (written.get_attr("n"), 1)))))
counter = torch.fx.GraphModule(module, written)
assert names(copied(counter.graph), copied(counter.graph)) == []
assert counter.n == 0, counter.n
print("values: ok")
