/** `fusescope outline`: the repeated parts of a graph. */
import { count } from '../../base/english'
import { formatProblem, mergeShapes, outlineOf, type Outline, type OutlineGroup } from '../../fx'
import type { Command } from '../args'
import { readGraphSource } from '../graph_source'
import { bad, show, writeJson } from '../output'
import { BAD_INPUT, DONE } from '../status'

export function outlineCommand(command: Extract<Command, { kind: 'outline' }>): number {
  const source = readGraphSource(command.graph)
  const readable = command.readable === null ? null : readGraphSource(command.readable)
  for (const s of [source, readable]) {
    if (!s || s.ok) continue
    return bad(formatProblem(s.error))
  }
  if (!source.ok) return BAD_INPUT
  const { graph } = source.value.reading
  if (readable?.ok) mergeShapes(graph, readable.value.reading.graph)
  const outline = outlineOf(graph)
  if (command.json) writeJson(outline)
  else show(1, outlineLines(source.value.name, graph.size, outline))
  return DONE
}

/** Groups in the order of the graph, inner groups and differences below their group. */
export function outlineLines(name: string, nodes: number, { groups }: Outline): string[] {
  const inside = (parent: number | null): OutlineGroup[] =>
    groups.filter((g) => g.parent === parent).sort((a, b) => a.id - b.id)
  const lines = (group: OutlineGroup): string[] => {
    const indent = '  '.repeat(group.level + 1)
    const differs = group.differs.map((d) => `${indent}  instance ${d.instance} ${d.what}`)
    return [`${indent}${groupText(group)}`, ...inside(group.id).flatMap(lines), ...differs]
  }
  const repeated = groups.some((g) => g.times > 1)
  const head = `${name}: ${count(nodes, 'node')}${repeated ? '' : ', nothing repeats'}`
  return [head, ...inside(null).flatMap(lines)]
}

function groupText({ label, times, nodes, first, perParent, parent }: OutlineGroup): string {
  const range = first.length > 1 ? `${first[0]!} … ${first.at(-1)!}` : (first[0] ?? '')
  if (label === null && times === 1) return `outside: ${count(nodes, 'node')}, ${range}`
  const each = parent === null || perParent === times ? '' : `, ${perParent} in each`
  return `${label ?? 'rest'} × ${times}${each}: ${count(nodes, 'node')}, ${range}`
}
