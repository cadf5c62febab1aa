/** Selections of which PyTorch confirmed the pattern, with its matches, or that no pattern matches them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PatternMaker } from '../../src/engine/from_selection/pattern_maker'
import { nodeAssets } from '../../src/python/node_assets'

interface Recorded {
  id: string
  graph: string
  nodes: string[]
  kind: 'traced' | 'expression' | 'refused'
  matches?: number
  refused?: string
}

const cases = readFileSync(join(import.meta.dirname, 'recorded.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)
const maker = await PatternMaker.create(nodeAssets())
const textOf = (graph: string, form: 'graph' | 'readable'): string =>
  readFileSync(join(import.meta.dirname, `../graphs/${graph}.${form}.txt`), 'utf8')

describe.each([...new Set(cases.map((c) => c.graph))])('selections of %s', (graph) => {
  const texts = { graph: textOf(graph, 'graph'), readable: textOf(graph, 'readable') }
  it.each(cases.filter((c) => c.graph === graph))('$id: $kind', ({ nodes, kind, matches, refused }) => {
    const made = maker.make({ id: graph, ...texts, nodes })
    if (kind === 'refused') expect(made).toEqual({ ok: false, error: refused })
    else expect(made.ok && { kind: made.value.form, matches: made.value.matches }).toEqual({ kind, matches })
  })
})
