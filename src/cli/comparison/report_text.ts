/** A comparison as lines and as JSON. */
import { count } from '../../base/english'
import type { ComparedMatch, CompareReport } from '../../engine/compare/types'
import { named } from '../output'

/** The report without its views of the graphs, which --graph already has. */
export const jsonOf = ({ old, now, pairs: _pairs, ...rest }: CompareReport): object => ({
  old: { name: old.name, nodes: old.graph.nodes.length },
  now: { name: now.name, nodes: now.graph.nodes.length },
  ...rest,
})

/** Lines per list of places. */
const MAX_PLACES = 8

export function linesOf({ old, now, paired, changes, lost, won, kept, patterns }: CompareReport): string[] {
  return [
    `${old.name} (${count(old.graph.nodes.length, 'node')}) → ${now.name} (${count(now.graph.nodes.length, 'node')}): ${paired} nodes in both`,
    ...(patterns ?? []).map((p) => `pattern ${p}`),
    changes.length === 0 ? 'no change' : `${count(changes.length, 'change')}:`,
    ...changes.map((c, i) => `  ${i + 1}. ${c.sentence}`),
    ...kept.map((k) => `${named(k.pass)}: ${count(k.count, 'match', 'matches')} in both`),
    ...section('lost', lost),
    ...section('won', won),
  ]
}

function section(title: string, matches: readonly ComparedMatch[]): string[] {
  return matches.flatMap((m) => {
    const nodes = m.places.slice(0, MAX_PLACES).map((p) => p.node)
    const more = m.places.length > MAX_PLACES ? ', …' : ''
    return [
      `${title}: ${named(m.pass)}, ${m.title}: ${count(m.places.length, 'match', 'matches')} at ${nodes.join(', ')}${more}`,
      `  ${m.sentence}`,
    ]
  })
}
