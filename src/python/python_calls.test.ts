/**
 * Runs Python as users write it through Pyodide and the tracer, and compares with PyTorch's recordings of the same
 * lines (conformance/record_python_calls.py): the graph's text, each value's dtype, shape and strides, errors by class
 * and first words.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { CallableId } from '../matcher/types'
import { define, recorded, traced, type Call } from './testing/recorded_calls'
import { start, type Started } from './testing/start'

const cases = readFileSync(new URL('../../conformance/python_calls.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Call)

const title = (c: Call): string => `${c.inputs.join(' ')} | ${c.py.join(' ;; ').replace('return ', '')}`

/** Known differences from PyTorch, by title. */
const DIFFERENT = new Set<string>([
  // No shape rule or decomposition; not seen in any pattern so far.
  'f32[4,8] f32[5,6] f32[7,8,6] f32[7] | F.bilinear(a[:, :8], b[:4, :6].expand(4, 6), c, d)',
  "f32[4,8] f32[4,8] | F.kl_div(a, b, reduction='batchmean')",
  'f32[4,8] f32[6,8] | torch.cdist(a, b)',
  'f32[4,8] f32[4,8] | torch.isclose(a, b)',
  'f32[4,4] | torch.linalg.inv(a)',
  'f32[4,8] f32[4,8] | torch.cross(a[:, :3], b[:, :3], dim=-1)',
  'f32[4,8] | a.renorm(2, 0, 1.0)',
  'f32[4,8] | torch.fft.fft(a)',
  'f32[4,8] | torch.nn.functional.gumbel_softmax(a)',
  // A conjugated operand is resolved by a clone.
  'c64[4,4] | a.conj() * a',
])

let py: Started
let callables: CallableId[] = []

beforeAll(async () => {
  py = await start()
  callables = define(py, cases)
})

test.each(cases.map((c, i): [string, number] => [title(c), i]).filter(([name]) => !DIFFERENT.has(name)))('%s', (_, i) =>
  expect(traced(py, cases[i]!, callables[i]!)).toEqual(recorded(cases[i]!)),
)
