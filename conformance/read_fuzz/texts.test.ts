/** 8,000 mutated texts of graphs; `npx tsx conformance/read_fuzz/main.ts` runs more of them. */
import { expect, it } from 'vitest'
import { fuzzTexts, TEXTS } from './texts'

it('a mutated text loses no node without a problem, never throws and never hangs', () => {
  const { findings, inputs, stated, reported } = fuzzTexts(TEXTS.seeds, TEXTS.each)
  expect(findings.slice(0, 20)).toEqual([])
  expect(inputs).toBe(TEXTS.seeds.length * TEXTS.each)
  // The mutations damage something, and the oracle sees most nodes.
  expect(stated).toBeGreaterThan(20 * inputs)
  expect(reported).toBeGreaterThan(inputs)
})
