/** Sentences about a report, shared by the status bar, the panels and a link's summary. */
import { count } from '../../base/english'
import { code, message, type Message } from '../../base/message'
import type { EntryReport, Report, TreeNode } from '../../engine/protocol'

export function totalMatches(report: Report): number {
  return report.passes.reduce((n, p) => n + p.count, 0)
}

/** `32 matches`, over all passes; `0 matches, 2 if the shapes allow`. */
export function statusText(report: Report | null): string {
  if (!report) return 'No run yet'
  const places = unshapedPlaces(report)
  const more = places > 0 ? `, ${places} if the shapes allow` : ''
  return count(totalMatches(report), 'match', 'matches') + more
}

/** Number of places where all nodes of a pattern align and the graph lacks the shapes that decide. */
export const unshapedPlaces = ({ passes }: Report): number =>
  passes.reduce((n, { unshaped = [] }) => n + new Set(unshaped.map((p) => p.node)).size, 0)

/** "16 variants: 1 fired 32 times, 15 did not fire". */
export function variantsSentence(node: TreeNode): string {
  const fired = leavesOf(node).filter((l) => l.fired > 0)
  const silent = node.leaves - fired.length
  const head = node.leaves === 1 ? '1 pattern' : `${node.leaves} ${node.kind === 'pass' ? 'patterns' : 'variants'}`
  if (fired.length === 0) return `${head}: none fired`
  const times = `${fired.length} fired ${fired.length > 1 ? 'together ' : ''}${count(node.fired, 'time')}`
  return silent === 0
    ? `${head}: ${fired.length === node.leaves && node.leaves > 1 ? 'all ' : ''}${times}`
    : `${head}: ${times}, ${silent} did not fire`
}

export function leavesOf(node: TreeNode): TreeNode[] {
  return node.kind === 'leaf' ? [node] : node.children.flatMap(leavesOf)
}

/** The bindings that distinguish an entry from its siblings: `quant_key=kFp8Dynamic128Sym, transposed=False`. */
export function bindingsText(entry: EntryReport, siblings: readonly EntryReport[]): string {
  const others = siblings.filter((e) => e.title === entry.title)
  return Object.entries(entry.bindings)
    .filter(([k, v]) => others.length < 2 || others.some((o) => o.bindings[k] !== v))
    .map(([k, v]) => `${k}=${v}`)
    .join(', ')
}

/** The reasons why a run has no match, the most important first. */
export function explanations(report: Report): Message[] {
  const notes: Message[] = []
  for (const pass of report.passes) {
    const name = code(pass.name)
    if (pass.applyError) notes.push(message`${name} raised while it was applied: ${pass.applyError}`)
    for (const miss of pass.nearMisses) if (!miss.taken) notes.push(miss.parts)
    if (pass.entries.length === 0) notes.push(message`${name} has no pattern: no register_replacement call used it.`)
    else if (pass.count === 0 && pass.nearMisses.length === 0 && !pass.applyError)
      notes.push(message`${name} has no near misses in this graph (${count(pass.entries.length, 'pattern')}).`)
  }
  return notes
}
