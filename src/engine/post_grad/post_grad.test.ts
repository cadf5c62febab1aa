/**
 * Compares the passes with PyTorch 2.14.1 on the same graphs, text for text (conformance/examples/record_post_grad.py).
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mergeShapes, printGraph, read, type Graph } from '../../fx'
import { createTracer, type DispatchArg, type FakeTensor } from '../../trace'
import { decomposeAutoFunctionalized } from './decompose'
import { kept } from './functionalized'
import { removeNoopOps } from './noops'
import { reinplaceInplaceableOps } from './reinplace'

interface Recorded {
  id: string
  pass: string
  graph: string
  readable: string
  after?: string
  error?: string
  clones?: Record<string, (string | number)[]>
}

const [{ schemas }, ...recorded] = readFileSync(
  new URL('../../../conformance/post_grad/post_grad.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as unknown) as [{ schemas: string[] }, ...Recorded[]]

const tracer = createTracer()
for (const schema of schemas) tracer.define('mine', schema)
tracer.registerFake('mine::count', ([x]) => like(x))
tracer.registerFake('mine::pair', ([, y]) => ({ kind: 'tuple', items: [like(y), like(y)] }))
const like = (x: DispatchArg | undefined): DispatchArg => tracer.fake((x as FakeTensor).meta)
const world = { tracer, schemaOf: (target: string) => tracer.schemaOf(target) }

function graphOf(r: Recorded): Graph {
  const { graph } = read(r.graph, r.id)
  mergeShapes(graph, read(r.readable, r.id).graph)
  return graph
}

/** PyTorch also recreates scatters over views under new names; Fusescope does not. */
const SCATTERS = /^(slices|columns|a_row|parts_of_an_input)(_dynamic)?_v1:/
/** Among equal symbolic sizes PyTorch picks by object identity, Fusescope by symbol. */
const SIZES = /^(into_empty_dynamic_v2|chain_dynamic_v.|two_layers_dynamic_v.):/

/**
 * Name counters continue from the symbolic sizes that Dynamo and AOTAutograd created, which a printed graph does not
 * show.
 */
const comparable = (text: string, r: Recorded): string =>
  r.id.includes('_dynamic_') ? text.replace(/\b(sub|mul|add|sym_size_int)_\d+\b/g, '$1') : text

const of = (pass: string) =>
  recorded.filter((r) => r.pass === pass && r.after !== undefined).map((r) => [r.id, r] as const)

describe('remove_noop_ops', () => {
  it.each(of('remove_noop_ops'))('%s', (_, r) => {
    const graph = graphOf(r)
    removeNoopOps(graph, world)
    expect(printGraph(graph)).toBe(r.after)
  })
})

describe('reinplace_inplaceable_ops', () => {
  it.each(of('reinplace_inplaceable_ops'))('%s', (_, r) => {
    const graph = graphOf(r)
    reinplaceInplaceableOps(graph, world)
    const found = [...graph.nodes()].flatMap((n) => (kept(n) ? [[n.name, kept(n)]] : []))
    expect(Object.fromEntries(found)).toEqual(r.clones)
    if (!SCATTERS.test(r.id)) expect(printGraph(graph)).toBe(r.after)
  })
})

describe('decompose_auto_functionalized', () => {
  it.each(of('decompose_auto_functionalized').filter(([id]) => !SIZES.test(id)))('%s', (_, r) => {
    const graph = graphOf(r)
    decomposeAutoFunctionalized(graph, world)
    expect(comparable(printGraph(graph), r)).toBe(comparable(r.after!, r))
  })

  it.each(of('reinplace_and_decompose').filter(([id]) => !SCATTERS.test(id)))('%s', (_, r) => {
    const graph = graphOf(r)
    reinplaceInplaceableOps(graph, world)
    decomposeAutoFunctionalized(graph, world)
    expect(comparable(printGraph(graph), r)).toBe(comparable(r.after!, r))
  })
})
