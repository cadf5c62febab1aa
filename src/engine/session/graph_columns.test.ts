/** Tests every pattern on every graph of a workspace; vLLM's variants are compared with PyTorch's own matcher. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { PatternRegistry } from '../../matcher'
import { nodeAssets } from '../../python/node_assets'
import { graphsOf, withGraphShown, type Workspace } from '../../workspace'
import type { GraphColumn } from '../protocol'
import { Session } from './session'

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const variants = JSON.parse(text('public/examples/vllm-block-quant-variants/workspace.json')) as Workspace
const recorded = JSON.parse(text('conformance/examples/variants.matrix.json')) as Record<string, number[]>

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function columns(workspace: Workspace): GraphColumn[] {
  session.analyze(workspace)
  return [...session.graphColumns()].filter((c) => c !== null)
}

const byGraph = (found: readonly GraphColumn[]) => Object.fromEntries(found.map((c) => [c.graph, c.fired[0]]))

describe('patterns by graphs', () => {
  it('agrees with PyTorch on the 16 variants and their graphs: a diagonal', () => {
    const found = columns(variants)
    expect(byGraph(found)).toEqual(recorded)
    expect(found.every((c) => c.problem === null)).toBe(true)
    const block = found.map((c) => c.fired[0]!.slice(2))
    expect(block).toEqual(block.map((_, i) => block.map((_, j) => (i === j ? 1 : 0))))
  })

  it('does not depend on the shown graph, and counts a graph once until the code changes', () => {
    const apply = vi.spyOn(PatternRegistry.prototype, 'apply')
    columns({ ...variants, files: variants.files.map((f) => ({ ...f, text: `${f.text}\n` })) })
    const first = apply.mock.calls.length
    apply.mockClear()
    const shown = withGraphShown(variants, graphsOf(variants)[5]!.name)
    const again = columns({ ...shown, files: variants.files.map((f) => ({ ...f, text: `${f.text}\n` })) })
    expect([first, apply.mock.calls.length]).toEqual([16, 1])
    expect(byGraph(again)).toEqual(recorded)
    apply.mockRestore()
  })

  it('names the graph that cannot be read, and counts the others', () => {
    const broken = { name: 'broken.txt', text: 'graph():\n    %x : [num_users=1] = placeholder[target=x\n' }
    const found = columns({ ...variants, graphs: [broken, ...variants.graphs!.slice(0, 1)] })
    expect(found.map((c) => c.problem?.slice(0, 13) ?? null)).toEqual([null, 'broken.txt:2:', null])
    expect(found[2]!.fired).toEqual([recorded[found[2]!.graph]])
  })

  it('ends when another analysis arrives, and is empty for a single graph', () => {
    session.analyze(variants)
    const slices = session.graphColumns()
    slices.next()
    const { graphs: _graphs, ...one } = variants
    expect(columns(one)).toEqual([])
    expect([...slices]).toEqual([])
  })
})
