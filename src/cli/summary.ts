/** Prints a report as text. */
import { count } from '../base/english'
import { countPlaces } from '../engine/shapes/unshaped'
import type { PassReport, Report, Stub } from '../engine/protocol'
import { schemaLines } from '../engine/report/schema_choices'
import { named } from './output'
import { decisionLines, printedDecision, stubDecisions } from '../engine/report/stub_decisions'

/** Maximum number of near misses, and of violations, printed per pass; the rest are counted. */
const MAX_PRINTED = 5

/** The report as lines. */
export function summaryLines(report: Report): string[] {
  const lines = report.passes.flatMap(passLines)
  lines.push(...report.stubs.map(stubLine))
  lines.push(...decisionLines(stubDecisions(report.stubs, report.passes).map(printedDecision)))
  if (report.inferredOps.length > 0) lines.push(`schemas guessed from the calls: ${report.inferredOps.join(', ')}`)
  lines.push(...schemaLines(report.schemas))
  const after = report.after ? `, ${report.after.nodes.length} after` : ''
  lines.push(`graph: ${report.graph.nodes.length} nodes${after}`)
  return lines
}

function stubLine({ module, asked, source }: Stub): string {
  const attributes = asked.length > 0 ? ` (used: ${asked.join(', ')})` : ''
  const where = source ? ` (${source.file}:${source.line})` : ''
  return `stubbed module: ${module}${attributes}${where}`
}

function passLines(pass: PassReport): string[] {
  const lines = [
    `${named(pass.name)}: ${count(pass.count, 'match', 'matches')} from ${count(pass.entries.length, 'pattern', 'patterns')}${ifShapesAllow(pass)}`,
  ]
  if (pass.applyError) lines.push(`  raised ${pass.applyError}`)
  for (const entry of pass.entries)
    if (entry.fired > 0) lines.push(`  ${entry.title}${bindings(entry.bindings)}: ${entry.fired}`)
  for (const v of (pass.violations ?? []).slice(0, MAX_PRINTED))
    lines.push(`  violation (${v.kind}) at ${v.node}: ${v.sentence}`)
  const moreBroken = (pass.violations?.length ?? 0) - MAX_PRINTED
  if (moreBroken > 0) lines.push(`  and ${moreBroken} more violations`)

  for (const miss of pass.nearMisses.slice(0, MAX_PRINTED))
    lines.push(`  near miss, pattern ${miss.entry}: ${miss.sentence}`)
  const more = pass.nearMisses.length - MAX_PRINTED
  if (more > 0) lines.push(`  and ${count(more, 'more near miss', 'more near misses')}`)
  return lines
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
