/** Passes of torch.fx on graphs: what each prints and the graph after it, as PyTorch 2.14.1 recorded them (record.py). */
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { start, type Started } from '../../src/python/testing/start'
import { recordedOf, rewritten, type RewriteCase } from './replay'

const cases = readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RewriteCase)

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

test.each(cases)('$id', (c) => {
  expect(rewritten(py, c)).toEqual(recordedOf(c))
})
