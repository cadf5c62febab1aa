/** Sentences about a report, shared by the status bar, the panels and a link's summary. */
import { count } from '../../base/english'
import { code, message, type Message } from '../../base/message'
import { conditionMessage, keptFrom } from '../pipeline/condition_text'
import { nothingRunsText } from '../pipeline/nothing_runs'
import type { EntryReport, Report, TreeNode } from '../protocol'
import { hasPatternPass, replacedIn } from '../report/replaced'
import { ownStages } from './report_index'

/** `32 matches`, over all passes; `0 matches, 2 if the shapes allow`. */
export function statusText(report: Report | null): string {
  if (!report) return 'No run yet'
  const places = unshapedPlaces(report)
  const of = report.torch ? ` in PyTorch ${report.torch}` : ''
  const more = places > 0 ? `, ${places} if the shapes allow` : ''
  const replaced = replacedIn(report)
  const matches = count(replaced, 'match', 'matches') + more + of
  const edits = totalEdits(report)
  if (edits === 0) return matches
  return replaced === 0 && !hasPatternPass(report) ? count(edits, 'edit') : `${matches}, ${count(edits, 'edit')}`
}

/** Number of edits by code on the graph. */
export const totalEdits = ({ pipeline }: Report): number =>
  (pipeline?.stages ?? []).reduce((n, { did }) => n + (did?.edits?.length ?? 0) + (did?.editsLeftOut ?? 0), 0)

/** True if the files contain nothing that could take a graph: it is too early to ask why a pattern does not match. */
export const definesNothing = (report: Report): boolean =>
  report.passes.length === 0 && ownStages(report).length === 0 && (report.pipeline?.defines ?? []).length === 0

/** What was found if no stage runs, and how to run it; null if a stage runs. */
export function nothingRuns(report: Report): string | null {
  const stages = ownStages(report)
  if (stages.some((s) => s.at !== null) || report.passes.length > 0) return null
  const defines = report.pipeline?.defines ?? []
  if (definesNothing(report))
    return 'No pass yet: a pass is a PatternMatcherPass at module level, a PassBase, or a function that takes a graph.'
  const found = stages.map((s) => ({ ...s, off: s.off?.why ?? null }))
  const text = nothingRunsText(found, defines, 'the switch of NAME in Pipeline runs it')
  return text[0]!.toUpperCase() + text.slice(1)
}

/** Number of places where all nodes of a pattern align but the graph lacks the deciding shapes. */
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

/** The reasons why a run has no match, most important first. */
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
  return [...notes, ...ownStages(report).flatMap(keptFrom).map(conditionMessage)]
}
