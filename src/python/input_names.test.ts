import { expect, test } from 'vitest'
import { start } from './testing/start'

/** What PyTorch 2.14.1 names the inputs of a trace: fwd_only's and so match.replace_by_example's too. */
const RECORDED = {
  'lambda x, y: y': ['x_1', 'y_1'],
  'lambda X, n=2: X': ['X_1', 'n_1'],
  'lambda *args: args[0]': ['arg0_1', 'arg1_1'],
  'lambda x, *rest: x': ['arg0_1', 'arg1_1'],
  'functools.wraps(named)(lambda *args: named(*args))': ['p_1', 'q_1'],
  'Callable()': ['arg0_1', 'arg1_1'],
  'torch.ops.aten.add.Tensor': ['arg0_1', 'arg1_1'],
}

/** The same where the first argument is a list of two. */
const OF_LISTS = {
  'lambda xs, y: xs[1] + y': ['xs_1', 'xs_2', 'y_1'],
  'lambda xs, *rest: xs[0]': ['arg0_1', 'arg0_2', 'arg1_1'],
}

test('inputs of a trace have the names that make_fx gives them', async () => {
  const py = await start()
  const run = py.run(`
import functools, json, torch
from torch._inductor.pattern_matcher import fwd_only

def named(p, q): return p + q
class Callable:
    def __call__(self, p, q): return p - q

tensor = torch.empty(4)

def inputs(fn, first=tensor):
    return [n.target for n in fwd_only(fn, [first, tensor]).graph.nodes if n.op == "placeholder"]

print(json.dumps([${[
    ...Object.keys(RECORDED).map((fn) => `inputs(${fn})`),
    ...Object.keys(OF_LISTS).map((fn) => `inputs(${fn}, [tensor, tensor])`),
  ].join(', ')}]))`)
  expect(run.failure).toBeNull()
  expect(JSON.parse(run.console[0]!.text)).toEqual([...Object.values(RECORDED), ...Object.values(OF_LISTS)])
})
