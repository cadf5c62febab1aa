/**
 * Derived data of the Why not panel: the nearest miss of each pattern, grouped by equal causes, nearest first; then the
 * other near misses, and anchors that another pattern matched.
 */
import { memoizeByObject } from '../../base/memoize'
import { layerlessText } from '../../base/message'
import type { Cause, EntryReport, Lint, NearMiss, PassReport, Report } from '../protocol'
import { count } from '../../base/english'
import { bindingsText, definesNothing, unshapedPlaces } from './report_text'
import { placesOf } from './why_not_places'

export interface PassMiss {
  pass: PassReport
  /** Null only for an incomplete report. */
  entry: EntryReport | null
  miss: NearMiss
}

/** Near misses with the same first cause, of one or several patterns. */
export interface NearMissGroup {
  key: string
  /** The nearest of them; its message represents all. */
  lead: PassMiss
  /** Nearest first. */
  misses: PassMiss[]
}

export interface PassCause {
  pass: PassReport | null
  entry: EntryReport | null
  cause: Cause
  /** Index into the pass's causes; null for a cause of the report. */
  index: number | null
}

export interface WhyNot {
  /** Causes found before any attempt, and the exception that ended a pass. */
  general: PassCause[]
  /** Patterns that were never tried, or can never fire. */
  apart: PassCause[]
  /** The groups with the nearest miss of a pattern. */
  near: NearMissGroup[]
  /** Other near misses of the same patterns. */
  further: NearMissGroup[]
  /** Near misses where another pattern matched. */
  taken: NearMissGroup[]
  /** Lints of fired patterns. */
  lints: { pass: PassReport; entry: EntryReport | null; lint: Lint }[]
}

export const whyNot = memoizeByObject(build)

function build(report: Report): WhyNot {
  const misses = report.passes.flatMap((pass) =>
    pass.nearMisses.map((miss) => ({ pass, miss, entry: pass.entries[miss.entry] ?? null })),
  )
  const open = misses.filter(({ miss }) => !miss.taken)
  const nearest = new Map<string, PassMiss>()
  for (const m of open) {
    const key = `${m.pass.name}\u0000${m.miss.entry}`
    const best = nearest.get(key)
    if (!best || compare(m, best) < 0) nearest.set(key, m)
  }
  const chosen = new Set(nearest.values())
  const groups = groupsByCause(open)
  const causes: PassCause[] = [
    ...(report.causes ?? [])
      .filter((c) => !isAbsence(report, c))
      .map((cause) => ({ pass: null, entry: null, cause, index: null })),
    ...report.passes.flatMap((pass) =>
      (pass.causes ?? []).map((cause, index) => ({
        pass,
        entry: cause.entry === undefined ? null : (pass.entries[cause.entry] ?? null),
        cause,
        index,
      })),
    ),
  ]
  return {
    general: causes.filter(isGeneral),
    apart: causes.filter((c) => !isGeneral(c)),
    near: groups.filter((v) => v.misses.some((m) => chosen.has(m))),
    further: groups.filter((v) => !v.misses.some((m) => chosen.has(m))),
    taken: groupsByCause(misses.filter(({ miss }) => miss.taken)),
    lints: report.passes.flatMap((pass) =>
      (pass.lints ?? []).map((lint) => ({ pass, entry: pass.entries[lint.entry] ?? null, lint })),
    ),
  }
}

/** No pass is registered because none was written; that is not a reason why a pattern does not match. */
const isAbsence = (report: Report, { reason }: Cause): boolean =>
  reason.kind === 'no-pass' && !reason.misplaced && !reason.stubs && definesNothing(report)

/** It concerns a pass as a whole, for example the exception of a replacement, after which no other pattern is tried. */
const isGeneral = ({ entry, cause }: PassCause): boolean => entry === null || cause.kind === 'replacement-error'

function groupsByCause(misses: readonly PassMiss[]): NearMissGroup[] {
  const byCause = new Map<string, NearMissGroup>()
  for (const m of misses) {
    // At places that only lack shapes, patterns with one name are variants; otherwise they are separate findings.
    const title = isUnshaped(m.miss) ? (m.entry?.title ?? '') : ''
    const key = [m.pass.name, causeKey(m.miss), title].join('\u0000')
    const group = byCause.get(key)
    if (group) group.misses.push(m)
    else byCause.set(key, { key, lead: m, misses: [m] })
  }
  const all = [...byCause.values()]
  for (const v of all) {
    v.misses.sort(compare)
    v.lead = v.misses[0]!
  }
  return all.sort((a, b) => compare(a.lead, b.lead))
}

function causeKey(miss: NearMiss): string {
  const c = miss.causes[0]!
  const facts = [c.argument, c.expected, bare(c.found)]
  const where = c.source ? `${c.source.file}:${c.source.line}` : ''
  return [c.kind, where, ...facts, facts.every((f) => !f) ? layerlessText(c.parts) : ''].join('\u0001')
}

/** Removes the numbers of node names: `mul_12` and `mul_31` are one finding in two layers. */
const bare = (text: string | null): string => text?.replace(/\b([A-Za-z]\w*?)_\d+\b/g, '$1') ?? ''

/** All nodes align, but the graph lacks the deciding shapes. */
export const isUnshaped = ({ dropReason }: NearMiss): boolean => dropReason?.kind === 'unknown-shape'

/**
 * Sort key of a near miss: whether only shapes are missing, then the number of nodes that do not align, then the number of causes,
 * then the stage it reached.
 */
function distance({ miss }: PassMiss): number[] {
  const { score, of, causes, phase, differing } = miss
  return [
    // No difference is known, so it precedes every near miss.
    isUnshaped(miss) ? 0 : 1,
    differing ?? 0,
    score === undefined || !of ? (phase === 'specific' ? 0 : 0.5) : 1 - score / of,
    causes?.length ?? 1,
    phase === 'specific' ? 0 : 1,
  ]
}

function compare(a: PassMiss, b: PassMiss): number {
  const [x, y] = [distance(a), distance(b)]
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!
  return b.miss.count - a.miss.count || a.miss.entry - b.miss.entry || a.miss.index - b.miss.index
}

/** "aligned 7 of 9"; empty if unknown. */
export function alignedText({ score, of }: NearMiss): string {
  return score === undefined || !of ? '' : `aligned ${figure(score)} of ${of}`
}

const figure = (n: number): string => (Number.isInteger(n) ? `${n}` : n.toFixed(1))

/** "32 near misses, same cause". */
export function timesText(report: Report, miss: NearMiss): string {
  const times = placesOf(report, miss).length
  return times === 1 ? '1 near miss' : `${times.toLocaleString('en-US')} near misses, same cause`
}

/** "32 places, if the shapes allow". */
export const placesText = (report: Report, miss: NearMiss): string =>
  `${count(placesOf(report, miss).length, 'place')}, if the shapes allow`

export interface Headline {
  title: string
  detail: string
}

/** The headline of the run, in two sentences. */
export function headline(report: Report, why: WhyNot): Headline {
  const entries = report.passes.flatMap((p) => p.entries)
  const fired = entries.filter((e) => e.fired > 0)
  const times = fired.reduce((n, e) => n + e.fired, 0)
  const places = unshapedPlaces(report)
  const title =
    fired.length === 0 && places > 0
      ? `${count(places, 'place')} ${places === 1 ? 'matches' : 'match'} if the shapes allow`
      : entries.length === 0
        ? 'No pattern to try'
        : fired.length === 0
          ? entries.length === 1
            ? 'The pattern did not fire'
            : `None of the ${count(entries.length, 'pattern')} fired`
          : `${fired.length === entries.length ? '' : `${fired.length} of `}${count(entries.length, 'pattern')} fired ${count(times, 'time')}`
  return { title: `${title}.`, detail: detailOf(report, why, fired.length > 0) }
}

function detailOf(report: Report, why: WhyNot, fired: boolean): string {
  const lead = why.near[0]?.lead
  if (!lead) {
    if (why.general.length > 0) return ''
    if (why.taken.length > 0) return 'Another pattern matched at every other near miss.'
    return !fired && why.apart.length > 0 ? '' : 'There are no near misses.'
  }
  const { miss } = lead
  if (isUnshaped(miss))
    return `All ${count(miss.of ?? miss.aligned.length, 'node')} align; the graph has no shapes to decide.`
  const between = miss.causes.length
  const places = placesOf(report, miss).length
  const aligned =
    miss.of && miss.score !== undefined ? `aligns ${figure(miss.score)} of ${count(miss.of, 'node')}` : 'came close'
  const causeCount = between === 1 ? 'one cause' : `${between} causes`
  const single = report.passes.flatMap((p) => p.entries).length === 1
  const who = !single ? 'The nearest near miss' : fired ? 'Elsewhere it' : 'It'
  return `${who} ${aligned} at ${count(places, 'place')}; ${causeCount}.`
}

export type NearMissOrder = 'near' | 'places' | 'pattern'

/** The groups that match `query`, in the requested order. */
export function arrange(
  report: Report,
  groups: readonly NearMissGroup[],
  query: string,
  order: NearMissOrder,
): NearMissGroup[] {
  const wanted = query.trim().toLowerCase()
  const found = wanted ? groups.filter((v) => textOf(v).includes(wanted)) : [...groups]
  if (order === 'places') {
    const places = (v: NearMissGroup): number => placesOf(report, v.lead.miss).length
    found.sort((a, b) => places(b) - places(a))
  } else if (order === 'pattern')
    found.sort((a, b) => a.lead.pass.name.localeCompare(b.lead.pass.name) || a.lead.miss.entry - b.lead.miss.entry)
  return found
}

function textOf({ misses }: NearMissGroup): string {
  return misses
    .map(({ pass, entry, miss }) =>
      [
        entry?.title,
        entry && bindingsText(entry, pass.entries),
        ...miss.anchors.slice(0, 64),
        ...miss.causes.map((c) => `${c.kind} ${c.sentence} ${c.graphNode ?? ''}`),
      ].join(' '),
    )
    .join(' ')
    .toLowerCase()
}

/** Label of a kind of cause, shown beside its message. */
export const kindLabel = (kind: Cause['kind']): string => (kind === 'other' ? '' : kind.replace(/-/g, ' '))
