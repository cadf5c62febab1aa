import { beforeAll, expect, test } from 'vitest'
import { printGraph } from '../fx'
import { PythonError } from '../matcher/types'
import { TorchError } from '../trace/types'
import type { CallableId } from '../matcher/types'
import { start, testing, type Started } from './testing/start'

/**
 * Calls as users write them (testing/calls.py) and what PyTorch 2.14.1 made of each (testing/calls.json): graphs byte
 * for byte, errors by class and message.
 */
const recorded = JSON.parse(testing('calls.json')) as Record<string, string>

/** Not as recorded yet; src/trace and src/ops have the say in each but the first group. */
const DIFFERENT = new Set(
  [
    // The recorder had no CUDA; here a tensor may say that it is there.
    'to2 todev cuda',
    // torch.add(…, out=x) is no argument of fwd_only's decomposition.
    'outs',
    // No shape rule or decomposition.
    'einsum einb tdot inner oh oneh ce scatter unf unfl rpi addbmm prelu threshold gn bn maxp avgp aap interp',
    'cos_sim bce padr aminmax nonz bern dropp',
    // Decomposed in another way: float arange, in-place operators.
    'arf setitem setslice silui ior',
  ].flatMap((line) => line.split(' ')),
)

let py: Started
const callables = new Map<string, CallableId>()

beforeAll(async () => {
  py = await start()
  const names = Object.keys(recorded)
  const text = `${testing('calls.py')}
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
def identity(x): return x.sin()
from _fusescope import callables
print([callables.number(f) for f in FNS.values()])`
  const run = py.run([{ name: 'calls.py', text }])
  if (run.failure) throw new Error(run.failure.traceback)
  const numbers = JSON.parse(run.console[0]!.text) as number[]
  names.forEach((name, i) => callables.set(name, numbers[i]!))
}, 60_000)

const input = {
  kind: 'tensor',
  dtype: 'float32',
  shape: [4, 8],
  stride: [8, 1],
  device: { kind: 'device', type: 'cpu', index: null },
} as const

function traced(name: string): string {
  try {
    return printGraph(py.host.trace(callables.get(name)!, ['x'], [input]))
  } catch (e) {
    if (e instanceof PythonError || e instanceof TorchError) return `EXC ${e.pythonType}: ${e.message}`
    throw e
  }
}

test.each(Object.keys(recorded).filter((name) => !DIFFERENT.has(name)))('%s', (name) => {
  expect(traced(name).trim()).toBe(recorded[name]!.trim())
})
