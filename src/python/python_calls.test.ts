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

let py: Started
let callables: CallableId[] = []

beforeAll(async () => {
  py = await start()
  callables = define(py, cases)
})

test.each(cases.map((c, i): [string, number] => [title(c), i]))('%s', (_, i) =>
  expect(traced(py, cases[i]!, callables[i]!)).toEqual(recorded(cases[i]!)),
)
