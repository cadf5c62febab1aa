/** Groupings of a graph by the matches on it: inside its layers, or by pattern. */
import type { GraphView, Report } from '../../engine/protocol'
import { entryKey, indexOf, positions, type MatchRef } from '../../engine/queries/report_index'
import { layerSources, outermost } from './by_line'
import { groupingOf, structureOf, type GroupSource } from './grouping'
import { withOwnInputs } from './own_inputs'
import type { Grouping } from './types'

interface Matched {
  ref: MatchRef
  nodes: number[]
  /** The layer that contains most of its nodes; -1 outside. */
  layer: number
}

/**
 * Null without matches of two nodes or more. A match that reaches into the next layer belongs to the layer with most of its nodes.
 * @param nested groups the matches inside each layer
 */
export function groupingByMatch(graph: GraphView, report: Report, nested: boolean): Grouping | null {
  const layers = nested ? structureOf(graph) : null
  const outer = outermost(layers, graph.nodes.length)
  const matches = matchesOn(graph, report, outer)
  if (matches.length === 0) return null
  for (const { nodes, layer } of matches) for (const n of nodes) outer[n] = layer
  const sources = layerSources(layers).map((source, index): GroupSource => {
    const { first, times } = topsOf(layers)[index]!
    const instances: number[][] = Array.from({ length: times }, () => [])
    outer.forEach((o, n) => o >= first && o < first + times && instances[o - first]!.push(n))
    return { ...source, instances }
  })
  for (const [key, of] of byPattern(matches, layers)) {
    const { ref, layer } = of[0]!
    const parent = layer < 0 ? -1 : topsOf(layers).findIndex((g) => layer >= g.first && layer < g.first + g.times)
    const first = topsOf(layers)[parent]?.first ?? 0
    sources.push({
      ...{ key, label: ref.entry.title, perParent: 0, runs: false, named: true, differs: [] },
      parent: parent < 0 ? null : parent,
      instances: of.map((m) => m.nodes),
      ...(parent >= 0 && { parents: of.map((m) => m.layer - first) }),
      titles: of.map((m) => `${ref.entry.title} · match ${m.ref.match.index + 1}`),
    })
  }
  return groupingOf(graph.nodes.length, sources)
}

const topsOf = (layers: Grouping | null) => (layers?.groups ?? []).filter((g) => g.parent === null)

/** A node in several matches belongs to the first. */
function matchesOn(graph: GraphView, report: Report, outer: Int32Array): Matched[] {
  const at = positions(graph)
  const matchAt = new Map<number, MatchRef>()
  for (const ref of indexOf(report).matches)
    for (const name of ref.match.nodes) {
      const node = at.get(name)
      if (node !== undefined && !matchAt.has(node)) matchAt.set(node, ref)
    }
  const found = new Map<MatchRef, Matched>()
  withOwnInputs(graph, (i) => matchAt.get(i) ?? null).forEach((ref, node) => {
    if (!ref) return
    const matched = found.get(ref)
    if (matched) matched.nodes.push(node)
    else found.set(ref, { ref, nodes: [node], layer: -1 })
  })
  const all = [...found.values()].filter(({ nodes }) => nodes.length > 1)
  for (const matched of all) matched.layer = mostFrequent(matched.nodes.map((n) => outer[n]!))
  return all
}

function mostFrequent(values: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const v of values) counts.set(v, (counts.get(v) ?? 0) + 1)
  return [...counts].reduce((a, b) => (b[1] > a[1] ? b : a))[0]
}

/** Matches by pattern and group of layers. */
function byPattern(matches: readonly Matched[], layers: Grouping | null): Map<string, Matched[]> {
  const groups = new Map<string, Matched[]>()
  for (const matched of matches) {
    const { ref, layer } = matched
    const group = layer < 0 ? '' : layers!.instances[layer]!.group.key
    const key = `${group}|${entryKey(ref.pass.name, ref.entry.index).replace('\u0000', ':')}`
    const found = groups.get(key)
    if (found) found.push(matched)
    else groups.set(key, [matched])
  }
  return groups
}
