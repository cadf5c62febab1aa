/** The grouping of a graph by source line, inside its layers. */
import { memoizeByObject } from '../../base/memoize'
import type { GraphView } from '../../engine/protocol'
import { groupingOf, structureOf, type GroupSource } from './grouping'
import { withOwnInputs } from './own_inputs'
import type { Grouping } from './types'

/** Nodes adjacent in the text that come from one line and are in one layer. */
interface LineRun {
  line: string
  /** Index into the instances of all layers; -1 outside. */
  layer: number
}

/** `act.py:42`; null without a source. */
function lineOf({ nodes }: GraphView, node: number): string | null {
  const { source } = nodes[node]!
  return source && `${source.file.split('/').at(-1)}:${source.line}`
}

/** Null if no two adjacent nodes come from one line. */
export const groupingByLine = memoizeByObject((graph: GraphView): Grouping | null => {
  const layers = structureOf(graph)
  const outer = outermost(layers, graph.nodes.length)
  const runs = runsOf(graph, outer)
  const counts = new Map<LineRun, number[]>()
  withOwnInputs(graph, (i) => runs[i]!).forEach((run, i) => {
    // An input that other layers also use stays outside.
    if (!run || outer[i] !== run.layer) return
    const nodes = counts.get(run)
    if (nodes) nodes.push(i)
    else counts.set(run, [i])
  })
  const sources = layerSources(layers)
  const parents = sources.length
  addRuns(
    sources,
    layers,
    [...counts].filter(([, nodes]) => nodes.length > 1),
  )
  return sources.length === parents ? null : groupingOf(graph.nodes.length, sources)
})

/** The layers of a grouping, without their parts. */
export const layerSources = (layers: Grouping | null): GroupSource[] =>
  (layers?.groups ?? [])
    .filter((g) => g.parent === null)
    .map(({ first, times, ...group }) => ({
      ...group,
      instances: layers!.instances.slice(first, first + times).map((i) => i.nodes),
    }))

/** By node: the layer that it is in, as an index into Grouping.instances; -1 outside. */
export function outermost(layers: Grouping | null, size: number): Int32Array {
  const outer = new Int32Array(size).fill(-1)
  layers?.instances.forEach(({ parent, nodes }, i) => {
    if (parent < 0) for (const n of nodes) outer[n] = i
  })
  return outer
}

/** For each node that computes: its run of nodes. */
function runsOf(graph: GraphView, outer: Int32Array): (LineRun | null)[] {
  let run: LineRun | null = null
  return graph.nodes.map(({ op }, i) => {
    if (!op.startsWith('call')) return null
    const line = lineOf(graph, i)
    if (line === null) return (run = null)
    if (run?.line !== line || run.layer !== outer[i]) run = { line, layer: outer[i]! }
    return run
  })
}

/** Appends one group for each source line in a group's layers, and in the nodes outside layers. */
function addRuns(sources: GroupSource[], layers: Grouping | null, runs: readonly [LineRun, readonly number[]][]): void {
  const parentOf = new Map<number, number>()
  const tops = (layers?.groups ?? []).filter((g) => g.parent === null)
  tops.forEach((g, index) => {
    for (let i = g.first; i < g.first + g.times; i++) parentOf.set(i, index)
  })
  const groups = new Map<
    string,
    { parent: number | null; line: string; of: (readonly [LineRun, readonly number[]])[] }
  >()
  for (const entry of runs) {
    const [{ line, layer }] = entry
    const parent = parentOf.get(layer) ?? null
    const key = `${parent ?? ''}|${line}`
    const found = groups.get(key)
    if (found) found.of.push(entry)
    else groups.set(key, { parent, line, of: [entry] })
  }
  for (const [key, { parent, line, of }] of groups) {
    const first = parent === null ? 0 : tops[parent]!.first
    sources.push({
      ...{ key, label: line, parent, perParent: 0, runs: false, named: true, differs: [] },
      instances: of.map(([, nodes]) => nodes),
      ...(parent !== null && { parents: of.map(([{ layer }]) => layer - first) }),
      titles: of.map(() => line),
    })
  }
}
