import { beforeAll, expect, test } from 'vitest'
import { start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
})

/** Names of traced inputs in PyTorch 2.14.1, for fwd_only and match.replace_by_example. */
const RECORDED = {
  'lambda x, y: y': ['x_1', 'y_1'],
  'lambda X, n=2: X': ['X_1', 'n_1'],
  'lambda *args: args[0]': ['arg0_1', 'arg1_1'],
  'lambda x, *rest: x': ['arg0_1', 'arg1_1'],
  'functools.wraps(named)(lambda *args: named(*args))': ['p_1', 'q_1'],
  'Callable()': ['arg0_1', 'arg1_1'],
  'torch.ops.aten.add.Tensor': ['arg0_1', 'arg1_1'],
}

/** The same for a first argument that is a list of two. */
const OF_LISTS = {
  'lambda xs, y: xs[1] + y': ['xs_1', 'xs_2', 'y_1'],
  'lambda xs, *rest: xs[0]': ['arg0_1', 'arg0_2', 'arg1_1'],
}

test('M55: traced inputs have the names of make_fx', () => {
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

/** The result or exception of fwd_only in PyTorch 2.14.1, for a function of a tensor and a number. */
const LOOKED_AT = {
  'Callable().__call__': 'RuntimeError: Tracing expected 3 arguments but got 2 concrete arguments',
  'lambda x: x': 'RuntimeError: Tracing expected 1 arguments but got 2 concrete arguments',
  'lambda x, *, k: x': 'AssertionError: Expected same length: 1 vs 2',
  'lambda x, y, **more: x': 'AssertionError: Expected same length: 1 vs 2',
  'lambda x, **more: x': 'TypeError: <lambda>() takes 1 positional argument but 2 were given',
  'lambda x, k: torch.cat([k, x])': 'TypeError: expected Tensor as element 0 in argument 0, but got int',
}

test('M55: a function’s signature is checked before tracing', () => {
  const run = py.run(`
import json, torch
from torch._inductor.pattern_matcher import fwd_only

class Callable:
    def __call__(self, p, q): return p - q

def raised(fn):
    try:
        fwd_only(fn, [torch.empty(4), 2])
    except Exception as e:
        return f"{type(e).__name__}: {e}"

print(json.dumps([${Object.keys(LOOKED_AT)
    .map((fn) => `raised(${fn})`)
    .join(', ')}]))`)
  expect(run.failure).toBeNull()
  expect(JSON.parse(run.console[0]!.text)).toEqual(Object.values(LOOKED_AT))
})
