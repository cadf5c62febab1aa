/** Prints a report as text. */
import { count } from '../base/english'
import { plainText } from '../base/message'
import { countPlaces } from '../engine/shapes/unshaped'
import type { PassReport, Report, Stub } from '../engine/protocol'
import { failedFiles } from '../engine/report/file_outcomes'
import { headlineOf, leadingGroup } from '../engine/report/causes/headline'
import { replacedIn } from '../engine/report/replaced'
import { schemaLines } from '../engine/report/schema_choices'
import { matchNumbersText, type MatchNumbers } from '../engine/numbers/match_numbers_text'
import { editText } from '../engine/pipeline/edit_text'
import { conditionMessage, keptFrom } from '../engine/pipeline/condition_text'
import type { PipelineStage } from '../engine/pipeline/types'
import { offText } from '../engine/switches/reason_text'
import { named } from './output'
import { decisionLines, printedDecision, stubDecisions } from '../engine/report/stub_decisions'

/** Maximum number of near misses, and of violations, printed per pass; the rest are counted. */
const MAX_PRINTED = 5
/** Maximum number of edits printed per stage. */
const MAX_EDITS = 20

/** The report as lines. @param numbers of its matches, if they were compared */
export function summaryLines(report: Report, numbers: readonly MatchNumbers[] = []): string[] {
  const stages = report.pipeline?.stages ?? []
  const notesOf = (pass: number) => stages.find((s) => s.pass === pass)?.did?.notes ?? []
  const numbersOf = (pass: number) => numbers.filter((n) => n.entry !== null && n.at === pass)
  const headline = replacedIn(report) > 0 ? null : headlineOf(leadingGroup(report), failedFiles(report.files).length)
  const lines = headline === null ? [] : [headline]
  lines.push(...report.passes.flatMap((pass, i) => passLines(pass, notesOf(i), numbersOf(i))))
  const edited = numbers.filter((n) => n.entry === null)
  lines.push(...stages.flatMap((stage) => callLines(stage, edited)))
  lines.push(
    ...(report.off ?? []).filter((o) => o.guards.length > 0).map((o) => offText({ ...o, name: named(o.name) })),
  )
  lines.push(...report.stubs.map(stubLine))
  lines.push(...decisionLines(stubDecisions(report.stubs, report.passes).map(printedDecision)))
  if (report.inferredOps.length > 0) lines.push(`schemas guessed from the calls: ${report.inferredOps.join(', ')}`)
  lines.push(...schemaLines(report.schemas))
  if (report.torch) lines.push(`as PyTorch ${report.torch}`)
  const after = report.after ? `, ${report.after.nodes.length} after` : ''
  lines.push(`graph: ${report.graph.nodes.length} nodes${after}`)
  return lines
}

function stubLine({ module, asked, source }: Stub): string {
  const attributes = asked.length > 0 ? ` (used: ${asked.join(', ')})` : ''
  const where = source ? ` (${source.file}:${source.line})` : ''
  return `stubbed module: ${module}${attributes}${where}`
}

/** @param notes on the code that applied it */
function passLines(pass: PassReport, notes: readonly string[], numbers: readonly MatchNumbers[]): string[] {
  const lines = [
    `${named(pass.name)}: ${count(pass.count, 'match', 'matches')} from ${count(pass.entries.length, 'pattern', 'patterns')}${ifShapesAllow(pass)}`,
  ]
  if (pass.applyError) lines.push(`  raised ${pass.applyError}`)
  lines.push(...notes.map((note) => `  ${note}`))
  for (const entry of pass.entries)
    if (entry.fired > 0) {
      lines.push(`  ${entry.title}${bindings(entry.bindings)}: ${entry.fired}`)
      lines.push(...numbers.filter((n) => n.entry === entry.index).map((n) => `    ${matchNumbersText(n)}`))
    }
  for (const v of (pass.violations ?? []).slice(0, MAX_PRINTED))
    lines.push(`  violation (${v.kind}) at ${v.node}: ${v.sentence}`)
  const moreBroken = (pass.violations?.length ?? 0) - MAX_PRINTED
  if (moreBroken > 0) lines.push(`  and ${moreBroken} more violations`)

  for (const miss of pass.nearMisses.slice(0, MAX_PRINTED)) {
    const entry = pass.entries.find((e) => e.index === miss.entry)
    lines.push(
      `  near miss, ${entry ? entry.title + bindings(entry.bindings) : `pattern ${miss.entry}`}: ${miss.sentence}`,
    )
  }
  const more = pass.nearMisses.length - MAX_PRINTED
  if (more > 0) lines.push(`  and ${count(more, 'more near miss', 'more near misses')}`)
  return lines
}

/** Code on the graph: its changes, and the lines that made them. @param numbers results for all such stages */
function callLines(stage: PipelineStage, numbers: readonly MatchNumbers[]): string[] {
  const { kind, at, name, added, removed, did } = stage
  if (kind !== 'call' || at === null) return []
  const { count: replaced = null, error = null, notes = [], broken = [], edits = [], editsLeftOut = 0 } = did ?? {}
  const places = replaced === null ? '' : `${count(replaced, 'place')} replaced, `
  return [
    `${named(name)}: ${places}${count(edits.length + editsLeftOut, 'edit')}, +${added} -${removed} nodes`,
    ...(error === null ? [] : [`  raised ${error}`]),
    ...notes.map((note) => `  ${note}`),
    ...broken.slice(0, MAX_PRINTED).map((sentence) => `  violation: ${sentence}`),
    // For code that edits, `explain` shows its other conditions.
    ...(edits.length > 0 ? [] : keptFrom(stage))
      .slice(0, MAX_PRINTED)
      .map((c) => `  ${plainText(conditionMessage(c))}`),
    ...edits.slice(0, MAX_EDITS).map((edit) => `  ${editText(edit)}`),
    ...numbers.filter((n) => n.at === at).map((n) => `  ${matchNumbersText(n)}`),
    ...(edits.length + editsLeftOut > MAX_EDITS ? [`  and ${edits.length + editsLeftOut - MAX_EDITS} more edits`] : []),
  ]
}

function ifShapesAllow({ unshaped = [] }: PassReport): string {
  return unshaped.length === 0 ? '' : `, ${countPlaces(unshaped)} more if the shapes allow`
}

function bindings(values: Readonly<Record<string, string>>): string {
  const text = Object.entries(values)
    .filter(([, value]) => value.length <= 40)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
  return text ? ` (${text})` : ''
}
