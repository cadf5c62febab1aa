/** Diagnoses as lines for a terminal: one screen that begins with the cause shared by most patterns, or everything with `all`. */
import { count } from '../base/english'
import { causeGroups, type CauseGroup } from '../engine/report/causes/cause_groups'
import { leads, raisedText } from '../engine/report/causes/headline'
import type { Diagnoses, DiagnosedCause, DiagnosedFix, Diagnosis } from '../engine/report/diagnoses'
import { schemaLines } from '../engine/report/schema_choices'
import { offText } from '../engine/switches/reason_text'
import { decisionLines } from '../engine/report/stub_decisions'
import { named } from './output'

/**
 * Maximum numbers of lines on one screen: for violations, failed files, what is off, conditions of code on the graph, causes,
 * lints, the frame, and the diff of one fix.
 */
const SCREEN = { broken: 2, raised: 2, off: 2, conditions: 5, causes: 40, lints: 5, frame: 5, diff: 14 } as const
/** Maximum number of groups printed with all their lines. */
const FULL_GROUPS = 4

/** @param all without it, at most 60 lines */
export function diagnosesLines(found: Diagnoses, { all = false }: { all?: boolean } = {}): string[] {
  const lints = lintLines(found, all)
  const groups = causeGroups(found.diagnoses)
  const broken = (found.violations ?? []).map(
    (v) => `${named(v.pass)}: violation${v.node === undefined ? '' : ` (${v.kind}) at ${v.node}`}: ${v.message}`,
  )
  // If no pattern is close, the reader is looking for wrong matches; a broken graph is certain.
  const later = leads(groups[0]) ? lints : []
  const lines = [...(all ? broken : cutTo(broken, SCREEN.broken, 'violation')), ...(later === lints ? [] : lints)]
  lines.push(
    ...(all ? [...beforeMatching(found), ...found.diagnoses.flatMap(diagnosisLines)] : causeLinesOf(found, groups)),
  )
  lines.push(...later)
  lines.push(...conditionLines(found, all))
  if (lines.length === 0) lines.push('nothing to explain: there are no near misses')
  const frame = [...decisionLines(found.stubs ?? []), ...schemaLines(found.schemas)]
  lines.push(
    ...(all ? frame : cutTo(frame, SCREEN.frame, 'line about stubs and schemas', 'lines about stubs and schemas')),
  )
  for (const l of found.left_out ?? []) lines.push(`${named(l.pass)}: ${l.message}`)
  if (withoutFix(found)) lines.push(noFixText(found.tried_changes ?? 0))
  if (found.cut)
    lines.push(
      `the time for fixes ran out after ${count(found.tried_changes ?? 0, 'change')}, before every cause was tried`,
    )
  return lines
}

function conditionLines({ conditions = [] }: Diagnoses, all: boolean): string[] {
  const lines = conditions.map((c) => `${named(c.pass)}: ${c.message}`)
  const shown = all ? lines : cutTo(lines, SCREEN.conditions, 'condition')
  return shown.flatMap((line, i) => {
    if (line !== lines[i]) return [line]
    const { tried = [] } = conditions[i]!
    return [line, ...fixesOf(conditions[i]!), ...tried.map(triedLine)]
  })
}

function lintLines({ lints }: Diagnoses, all: boolean): string[] {
  const lines = lints.map((l) => `${named(l.pass)}, pattern ${l.entry}: ${l.kind}: ${l.message}`)
  const shown = all ? lines : cutTo(lines, SCREEN.lints, 'lint')
  return shown.flatMap((line, i) => [line, ...(line === lines[i] ? fixesOf(lints[i]!) : [])])
}

/** A close cause comes first, then what kept patterns from being registered. */
function causeLinesOf(found: Diagnoses, groups: readonly CauseGroup<Diagnosis>[]): string[] {
  const before = beforeMatching(found)
  const [first] = groups
  if (!first || !leads(first)) return [...before, ...groupLines(groups)]
  const [head, ...lines] = groupLines(groups)
  const raised = found.failed_files?.length ?? 0
  const own = groupLines([first]).length - 1
  return [raised > 0 ? `${head}; ${raisedText(raised)}` : head!, ...lines.slice(0, own), ...before, ...lines.slice(own)]
}

/** True if the search for fixes ended without a result, for causes that an edit could remove. */
const withoutFix = ({ diagnoses, tried_changes: tried, cut }: Diagnoses): boolean =>
  tried !== undefined &&
  !cut &&
  diagnoses.length > 0 &&
  diagnoses.every((d) => d.causes.every((c) => c.fixes.length === 0))

const noFixText = (tried: number): string =>
  tried === 0
    ? 'no fix was found: no edit is known for these causes'
    : `no fix was found: ${count(tried, 'run')} with changes, and none fires with the same numbers`

/** What kept patterns from being registered, with the answers that decided it. */
function beforeMatching({ failed_files: failed = [], off = [] }: Diagnoses): string[] {
  const raised = failed.map((f) => `${named(f.file)} stopped registering patterns: ${f.message}`)
  return [
    ...cutTo(raised, SCREEN.raised, 'file'),
    ...cutTo(
      off.map((o) => offText({ ...o, name: named(o.name) })),
      SCREEN.off,
      'line about what is off',
      'lines about what is off',
    ),
  ]
}

function cutTo(lines: readonly string[], most: number, one: string, many = `${one}s`): string[] {
  if (lines.length <= most) return [...lines]
  return [
    ...lines.slice(0, most - 1),
    `and ${count(lines.length - most + 1, `more ${one}`, `more ${many}`)}; --all prints them`,
  ]
}

/** One line per cause, the most shared first, at most one screen. */
export function groupLines(groups: readonly CauseGroup<Diagnosis>[]): string[] {
  const lines: string[] = []
  for (const [i, group] of groups.entries()) {
    const [head, ...rest] = linesOf(group)
    const room = SCREEN.causes - lines.length - 1
    if (room < 1) {
      lines.push(`and ${count(groups.length - i, 'more cause')}; --all prints them, --only CLASS one pattern`)
      break
    }
    lines.push(head!)
    if (i < FULL_GROUPS) lines.push(...rest.slice(0, room))
  }
  return lines
}

function linesOf({ cause, closest, classes, patterns }: CauseGroup<Diagnosis>): string[] {
  const who = titleOf(closest)
  const text = `${cause.kind}: ${cause.message}${placeOf(cause)}`
  const head =
    closest.pass === null
      ? `registration: ${text}`
      : patterns > 1
        ? `${patterns} patterns miss for one cause: ${text}; closest: ${who}`
        : closest.times === 0
          ? `${who}: ${text}`
          : `${who} misses: ${text}`
  const [, ...also] = closest.causes
  const lines = [head, ...fixesOf(cause)]
  if (closest.times > 0)
    lines.push(`  ${closest.aligned} of ${closest.of} nodes align at ${closest.anchor}${others(closest.times)}`)
  if (patterns > 1 && classes.length > 1) lines.push(`  patterns: ${classList(classes)}`)
  for (const c of also) lines.push(`  also ${c.kind}: ${c.message}${placeOf(c)}`, ...fixesOf(c))
  return lines
}

const MAX_CLASSES = 6
function classList(classes: CauseGroup<Diagnosis>['classes']): string {
  const shown = classes.slice(0, MAX_CLASSES).map((c) => (c.patterns > 1 ? `${c.title} (${c.patterns})` : c.title))
  const rest = classes.length - MAX_CLASSES
  return `${shown.join(', ')}${rest > 0 ? ` and ${count(rest, 'more class', 'more classes')}` : ''}`
}

const others = (times: number): string => (times > 1 ? ` and ${count(times - 1, 'more place')}` : '')

/** `RMSNormGroupQuant (group_size=128)`; the pass, if the cause concerns no pattern. */
function titleOf(d: Diagnosis): string {
  if (d.title === null) return named(d.pass ?? 'registration')
  const values = Object.entries(d.variant ?? {}).map(([k, v]) => `${k}=${v}`)
  return values.length > 0 ? `${d.title} (${values.join(', ')})` : d.title
}

const placeOf = (c: DiagnosedCause): string => (c.source ? ` (${c.source.file}:${c.source.line})` : '')

/** The first fix with its change, the others by title. */
function fixesOf({ fixes = [] }: { fixes?: readonly DiagnosedFix[] }): string[] {
  return fixes.flatMap((f, i) => {
    const [head, ...rest] = fixLines('fix', f)
    if (i > 0) return [head!]
    return rest.length > SCREEN.diff ? [head!, ...rest.slice(0, SCREEN.diff), '      …'] : [head!, ...rest]
  })
}

function diagnosisLines(d: Diagnosis): string[] {
  const pattern = d.entry === null ? '' : `, pattern ${d.entry}${d.title === null ? '' : `, ${titleOf(d)}`}`
  const who = d.pass === null ? 'registration' : `${named(d.pass)}${pattern}`
  const where = d.times === 0 ? '' : ` at ${d.anchor}${others(d.times)}`
  const near = d.times === 0 ? '' : `: ${d.aligned} of ${d.of} nodes align`
  return [`${who}${where}${near}`, ...d.causes.flatMap(causeLines)]
}

/** `fires 3 times`; for code on the graph, `edits 3 places`. */
const effect = ({ code, matches_after: n }: DiagnosedFix): string =>
  code ? `edits ${count(n, 'place')}` : `fires ${count(n, 'time')}`

const triedLine = (f: DiagnosedFix): string => `    tried: ${f.title}: ${effect(f)}, and ${f.numbers_message}`

const fixLines = (head: string, f: DiagnosedFix): string[] => [
  `    ${head}: ${f.title}: ${effect(f)} with this change; ${f.numbers_message}`,
  ...(f.changes ?? []).map((change) => `      - ${change}`),
  ...f.diff
    .trimEnd()
    .split('\n')
    .map((l) => `      ${l}`),
]

function causeLines(c: DiagnosedCause): string[] {
  return [
    `  ${c.kind}: ${c.message}${placeOf(c)}`,
    ...c.fixes.flatMap((f) => [
      ...fixLines('fix', f),
      ...(f.alongside ? fixLines('also match this', f.alongside) : []),
    ]),
    ...(c.tried ?? []).map(triedLine),
  ]
}
