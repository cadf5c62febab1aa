/** Candidates that add, remove or reorder the keyword arguments of a call. */
import type { Node } from '../../../fx'
import type { Expression } from '../pattern_site'
import { listField, textField, type SyntaxNode } from '../syntax'
import { brief, replaced, type Candidate, type MakeCandidates } from './types'

/** Adds, removes or changes one keyword argument. */
export const keyword: MakeCandidates = ({ cause, site, pattern, graph }) => {
  const name = cause.argument
  if (!pattern || !name || !/^[A-Za-z_]\w*$/.test(name)) return []
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    if (e.node.type !== 'Call') return []
    const given = listField(e.node, 'keywords').find((k) => textField(k, 'arg') === name)
    const found = (cause.found ?? '').replace(/^\w+=/, '').replace(/, by default$/, '')
    const passed = graph ? passes(graph, name) : false
    if (given && !passed) {
      const change = removed(e, given)
      return [{ title: `Leave out ${e.file.source(given)}`, changes: [change] }]
    }
    if (given || !/^(True|False|None|-?[\d.e+-]+|\[[-\d, ]*\])$/.test(found)) return []
    const parts = [...listField(e.node, 'args'), ...listField(e.node, 'keywords')]
    const last = parts.at(-1)
    const at = last ? last.to : e.node.to - 1
    return [
      {
        title: `Pass ${name}=${found}`,
        changes: [{ file: e.file.name, from: at, to: at, text: `${last ? ', ' : ''}${name}=${found}` }],
      },
    ]
  })
}

const passes = (graph: Node, name: string): boolean => graph.kwargs.has(name)

/** Reorders the keyword arguments as in the graph. */
export const keywordOrder: MakeCandidates = ({ site, pattern, graph }) => {
  if (!pattern || !graph) return []
  const order = [...graph.kwargs.keys()]
  return site.expressions(pattern).flatMap((e): Candidate[] => {
    if (e.node.type !== 'Call') return []
    const given = listField(e.node, 'keywords')
    const rank = (k: SyntaxNode): number => {
      const i = order.indexOf(textField(k, 'arg') ?? '')
      return i < 0 ? order.length : i
    }
    const sorted = [...given].sort((a, b) => rank(a) - rank(b))
    if (given.length < 2 || sorted.every((k, i) => k === given[i])) return []
    return [
      {
        title: orderTitle(given, sorted),
        changes: given.map((k, i) => replaced({ ...e, node: k }, e.file.source(sorted[i]!))),
      },
    ]
  })
}

/** Names the two keyword arguments that change places, or the whole new order. */
function orderTitle(given: readonly SyntaxNode[], sorted: readonly SyntaxNode[]): string {
  const name = (k: SyntaxNode): string => textField(k, 'arg') ?? '**'
  const [a, b, ...more] = given.filter((k, i) => k !== sorted[i])
  if (a && b && more.length === 0) return `Swap the keyword arguments ${name(a)} and ${name(b)}`
  return `Pass the keyword arguments in the graph's order: ${brief(sorted.map(name).join(', '), 80)}`
}

/** Range of an argument and its separating comma. */
export function removed(e: Expression, part: SyntaxNode): { file: string; from: number; to: number; text: string } {
  const all = [...listField(e.node, 'args'), ...listField(e.node, 'keywords'), ...listField(e.node, 'elts')]
  const i = all.indexOf(part)
  const next = all[i + 1]
  const before = all[i - 1]
  if (next) return { file: e.file.name, from: part.from, to: next.from, text: '' }
  return { file: e.file.name, from: before ? before.to : part.from, to: part.to, text: '' }
}
