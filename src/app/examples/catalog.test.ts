import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../../scripts/lib.mjs'
import { reportedFailures } from '../../../scripts/reported'
import { reportedWith } from '../features/gallery/reported'
import { figuresText, galleryOf, type ExampleInfo } from './catalog'

const example = (id: string, system: ExampleInfo['system'], title: string): ExampleInfo => ({
  id,
  system,
  title,
  description: 'One line.\nAnother line.',
  workspace: '',
  report: '',
  page: '',
  shows: { entries: 1, matches: 1, nodes: 2, nodesAfter: 1 },
  base: '',
})
const list = [
  example('a', 'SGLang', 'SwiGLU'),
  example('b', 'vLLM', 'SiLU + FP8'),
  example('c', 'vLLM', 'RMSNorm + FP8'),
]
const found = (query: string) => galleryOf(list, query).map((g) => [g.system, ...g.examples.map((e) => e.id)])

describe('reported failures', () => {
  const list = reportedFailures()
  it('are found by the words of their symptoms', () => {
    expect(reportedWith(list, 'split sizes add up to').map((r) => r.id)).toEqual(['ascend-14509'])
    expect(reportedWith(list, 'Duplicate pattern draft model').map((r) => r.id)).toEqual(['ascend-6513'])
    expect(reportedWith(list, 'nothing of the kind')).toEqual([])
  })
  it('are stored as the page reads them', () => {
    expect(JSON.parse(readFileSync(join(root, 'public/reported.json'), 'utf8'))).toEqual(list)
  })
})

describe('the gallery', () => {
  it('is grouped by system, without systems that have no example', () => {
    expect(found('')).toEqual([
      ['vLLM', 'b', 'c'],
      ['SGLang', 'a'],
    ])
  })
  it('finds examples that contain every word, in any order and case', () => {
    expect(found('fp8 vllm silu')).toEqual([['vLLM', 'b']])
    expect(found('another LINE sg')).toEqual([['SGLang', 'a']])
    expect(found('nothing of the kind')).toEqual([])
  })
  it('formats counts', () => {
    expect(figuresText({ entries: 18, matches: 32, nodes: 1552, nodesAfter: 1456 })).toBe(
      '18 patterns · 32 matches · 1,552 → 1,456 nodes',
    )
    expect(figuresText({ entries: 1, matches: 1, nodes: 13, nodesAfter: null })).toBe('1 pattern · 1 match · 13 nodes')
    const graphs = { count: 16, matches: 14 }
    expect(figuresText({ entries: 20, matches: 1, nodes: 23, nodesAfter: 6, graphs })).toBe(
      '20 patterns · 14 matches on 16 graphs',
    )
  })
})
