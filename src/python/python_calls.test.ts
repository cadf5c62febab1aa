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

const cases = ['python_calls', 'size_calls'].flatMap((name) =>
  readFileSync(new URL(`../../conformance/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Call),
)

const title = (c: Call): string => `${c.inputs.join(' ')} | ${c.py.join(' ;; ').replace('return ', '')}`

/** PyTorch puts the size's hint in its place; a size from the text of a graph has no hint. */
const TAKES_HINT =
  /(?:\b(?:float|int|math\.sqrt)\([\d* ]*n\)|__index__|shape\.numel\(\)|\[s\d+,8\]\(8,1\) \| .*(?:linspace|a\.split\(\d\)))/
/** The recorder gives two inputs one SymInt; each placeholder of a graph has its own, and its own node. */
const SHARES_A_SIZE = /\[(?:\d,){0,2}s6,.*\bs6\b.*\| .*a @ b/
const differs = (c: Call): boolean => TAKES_HINT.test(title(c)) || SHARES_A_SIZE.test(title(c))

/** Calls of one file. Python takes longer than in proportion for a file of all of them. */
const OF_A_FILE = 500
let py: Started
let file: { begin: number; callables: CallableId[] } | null = null

beforeAll(async () => {
  py = await start()
})

function callable(i: number): CallableId {
  const begin = i - (i % OF_A_FILE)
  if (file?.begin !== begin) file = { begin, callables: define(py, cases.slice(begin, begin + OF_A_FILE)) }
  return file.callables[i - begin]!
}

test.each(cases.map((c, i) => [differs(c) ? `${title(c)} differs` : title(c), i] as const))('%s', (_, i) => {
  const c = cases[i]!
  const found = traced(py, c, callable(i))
  if (differs(c)) expect(found).not.toEqual(recorded(c))
  else expect(found).toEqual(recorded(c))
})
