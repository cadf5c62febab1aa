import { beforeAll, expect, test } from 'vitest'
import { printGraph } from '../fx'
import { PythonError } from '../matcher/types'
import { TorchError } from '../trace/types'
import type { CallableId } from '../matcher/types'
import { start, testing, type Started } from './testing/start'

/**
 * Compares calls as users write them (testing/calls.py) with recordings of PyTorch 2.14.1 (testing/calls.json): graphs
 * byte for byte, errors by class and message.
 */
const recorded = JSON.parse(testing('calls.json')) as Record<string, string>

/** Known differences from the recording. */
const DIFFERENT = new Set([
  // The recorder had no CUDA; Fusescope's tensors can be on a CUDA device.
  ...['to2', 'todev', 'cuda'],
  // F.unfold, and F.one_hot without a number of classes, are not supported.
  ...['unfl', 'oneh'],
])

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
})

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
