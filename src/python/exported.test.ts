/** The runtime of exported scripts on hostile data. The real PyTorch runs it whole: conformance/selections. */
import { expect, test } from 'vitest'
import { start } from './testing/start'

test('the runtime computes no power without a limit', async () => {
  const py = await start()
  const { console: printed, failure } = py.run(`import builtins, operator, types
import torch
from torch.fx.experimental import symbolic_shapes

symbolic_shapes.DimDynamic = symbolic_shapes.ShapeEnv = None
from _fusescope.exported import graphs, guard, operators
from _fusescope.exported.graphs import GraphBuilder
from _fusescope.exported.sizes import Sizes

# An exported script has them in one file.
for more in (guard, operators):
    vars(graphs).update((k, v) for k, v in vars(more).items() if k not in vars(graphs))

powers = [operator.pow, operator.ipow, builtins.pow, operator.lshift, operator.ilshift, operator.add]
size = torch.SymInt.__new__(torch.SymInt)
for first in [size, torch.empty(2)]:
    nodes = [types.SimpleNamespace(op="call_function", target=t, args=(), kwargs={}) for t in powers]
    print([GraphBuilder._call(None, node, (first, 10**8), {}) is not None for node in nodes])
for text in ["s0**64", "(s0**8 + 1)**8", "((s0**64)**64)**64", "2**(2**7)"]:
    try:
        print(Sizes(lambda name: 3).read(text))
    except ValueError as e:
        print(e)
`)
  expect(failure?.traceback ?? null).toBeNull()
  expect(printed.map((c) => c.text.trim())).toEqual([
    '[False, False, False, False, False, True]',
    '[True, True, True, True, True, True]',
    `${3n ** 64n}`,
    `${(3n ** 8n + 1n) ** 8n}`,
    'BinOp is no part of a size.',
    'BinOp is no part of a size.',
  ])
})

test('the runtime refuses methods that lead out of a tensor', async () => {
  const py = await start()
  const { console: printed, failure } = py.run(`from _fusescope.exported import graphs, guard, operators

# An exported script has all in one file.
for part in operators, guard:
    vars(graphs).update((k, v) for k, v in vars(part).items() if k not in vars(graphs))

for name in ["__reduce_ex__", "__getattribute__", "__class__", "__call__", "__rcall__", "__loader__", "__add__", "__radd__", "__getitem__"]:
    try:
        graphs.GraphBuilder._node(None, "n", name, (), {}, "call_method", {})
    except ValueError as e:
        print(e)
    except AttributeError:
        print(name, "passes")
`)
  expect(failure?.traceback ?? null).toBeNull()
  const refused = ['__reduce_ex__', '__getattribute__', '__class__', '__call__', '__rcall__', '__loader__']
  expect(printed.map((c) => c.text.trim())).toEqual([
    ...refused.map((name) => `${name} is no method that a tensor has for an operator.`),
    ...['__add__', '__radd__', '__getitem__'].map((name) => `${name} passes`),
  ])
})
