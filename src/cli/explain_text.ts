/** Diagnoses as lines for a terminal. */
import type { Diagnoses, DiagnosedCause, DiagnosedFix, Diagnosis } from '../engine/report/diagnoses'
import { schemaLines } from '../engine/report/schema_choices'
import { decisionLines } from '../engine/report/stub_decisions'
import { named } from './output'

/** Maximum number of diagnoses printed for one run; the rest are counted. */
const MAX_DIAGNOSES = 12

export function diagnosesLines({
  diagnoses,
  lints,
  cut,
  stubs = [],
  schemas = [],
  left_out: leftOut = [],
}: Diagnoses): string[] {
  const lines = diagnoses.slice(0, MAX_DIAGNOSES).flatMap(diagnosisLines)
  if (diagnoses.length > MAX_DIAGNOSES) lines.push(`and ${diagnoses.length - MAX_DIAGNOSES} more; --json prints all`)
  for (const l of lints) lines.push(`${named(l.pass)}, pattern ${l.entry}: ${l.kind}: ${l.message}`)
  if (lines.length === 0) lines.push('nothing to explain: there are no near misses')
  lines.push(...decisionLines(stubs), ...schemaLines(schemas))
  for (const l of leftOut) lines.push(`${named(l.pass)}: ${l.message}`)
  if (cut) lines.push('the time for fixes ran out before every cause was tried')
  return lines
}

function diagnosisLines(d: Diagnosis): string[] {
  const who =
    d.pass === null ? 'registration' : d.entry === null ? named(d.pass) : `${named(d.pass)}, pattern ${d.entry}`
  const where = d.times === 0 ? '' : ` at ${d.anchor}${d.times > 1 ? ` and ${d.times - 1} more places` : ''}`
  const near = d.times === 0 ? '' : `: ${d.aligned} of ${d.of} nodes align`
  return [`${who}${where}${near}`, ...d.causes.flatMap(causeLines)]
}

const times = ({ matches_after: n }: DiagnosedFix): string => `${n} ${n === 1 ? 'time' : 'times'}`

const fixLines = (head: string, f: DiagnosedFix): string[] => [
  `    ${head}: ${f.title}: fires ${times(f)} with this change; ${f.numbers_message}`,
  ...(f.changes ?? []).map((change) => `      - ${change}`),
  ...f.diff
    .trimEnd()
    .split('\n')
    .map((l) => `      ${l}`),
]

function causeLines(c: DiagnosedCause): string[] {
  const at = c.source ? ` (${c.source.file}:${c.source.line})` : ''
  return [
    `  ${c.kind}: ${c.message}${at}`,
    ...c.fixes.flatMap((f) => [
      ...fixLines('fix', f),
      ...(f.alongside ? fixLines('also match this', f.alongside) : []),
    ]),
    ...(c.tried ?? []).map((f) => `    tried: ${f.title}: fires ${times(f)}, and ${f.numbers_message}`),
  ]
}
