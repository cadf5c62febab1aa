/**
 * Compares the example vllm-pass-pipeline with PyTorch, stage by stage (conformance/examples/record_pass_pipeline.py).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../scripts/examples'
import type { GraphView } from '../src/engine/protocol'
import { createSession, type Session } from '../src/engine/session/session'
import { viewOf } from '../src/engine/report/views'
import { read } from '../src/fx'
import { nodeAssets } from '../src/python/node_assets'

const folder = new URL('./examples/vllm-pass-pipeline/', import.meta.url)
const recorded = readdirSync(folder)

/** Node metadata that the text of a graph contains. */
const told = (view: GraphView) =>
  view.nodes.map(({ name, op, target, args, kwargs }) => ({ name, op, target, args, kwargs }))

describe('a pipeline of passes', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
    session.analyzeWhole(exampleWorkspace('vllm-pass-pipeline'))
  })

  it.each(recorded)('%s: the graph after it is PyTorch’s', (file) => {
    const { graph } = read(readFileSync(new URL(file, folder), 'utf8'), file)
    expect(told(session.stage(Number.parseInt(file)).view.graph)).toEqual(told(viewOf(graph)))
  })

  it('keeps the mutating calls, though nothing uses their results', () => {
    const last = session.stage(recorded.length).view.graph
    expect(session.stage(recorded.length + 1).view.graph.nodes).toHaveLength(last.nodes.length)
  })
})
