/**
 * Runs the example's attention patterns on its graphs and compares with PyTorch, recorded by
 * conformance/examples/record_attention.py. `npm run conform` compares each attempt.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../scripts/examples'
import { createSession, type Session } from '../src/engine/session/session'
import { nodeAssets } from '../src/python/node_assets'
import { graphsOf } from '../src/workspace/graphs'

type Counts = Record<string, { functions: number; serialized: number; inductor: { count: number } }>

const recorded = JSON.parse(readFileSync(new URL('examples/attention.counts.json', import.meta.url), 'utf8')) as Counts
const workspace = exampleWorkspace('inductor-attention')
const formOf = (name: string): string => /([\w-]+)\.py$/.exec(name)![1]!

describe('attention', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  it('has a graph for each form that was recorded', () => {
    expect(
      graphsOf(workspace)
        .map((g) => formOf(g.name))
        .sort(),
    ).toEqual(Object.keys(recorded).sort())
  })

  it.each(['functions', 'serialized'] as const)('%s fire as often as in PyTorch, on every graph', (pass) => {
    session.analyze({ ...workspace, passes: [pass] })
    const counts: Record<string, number> = {}
    for (const column of session.graphColumns()) {
      if (!column) continue
      expect(column.problem).toBeNull()
      counts[formOf(column.graph)] = column.fired[0]!.reduce((sum, n) => sum + n, 0)
    }
    expect(counts).toEqual(Object.fromEntries(Object.entries(recorded).map(([form, row]) => [form, row[pass]])))
  })
})
