/** Reports the run of a pass as plain data. */
import type { Graph } from '../../fx'
import { briefReason, type AppliedMatch, type Attempt, type EntryView, type PatternRegistry } from '../../matcher'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import type { EntryReport, MatchReport, PassReport } from '../protocol'
import type { MissingShapes } from '../shapes/shaped_graph'
import { unshapedPlaces } from '../shapes/unshaped'
import { viewOf } from './views'
import type { RegistrationFacts } from '../../matcher/types'
import { axesOf } from './axes'
import { hashText } from '../../base/hash'
import { memoizeByObject } from '../../base/memoize'

/** A pass as it ran and as it is reported. */
export interface ReportedPass extends PassRun {
  report: PassReport
  /** By entry: the replacement traced over the example inputs; null if it has none. */
  replacements: (Graph | null)[]
}

/**
 * @param registry the registry of the pass run; it traces the replacements, so Python must still hold the patterns
 * @param missing for a graph without shapes: the inputs that a node's shape follows from
 */
export function reportPass(run: PassRun, registry: PatternRegistry, missing: MissingShapes = new Map()): ReportedPass {
  const { toExplain, matches, violations } = run
  const { name, entries, attempts, applyError } = toExplain
  const classes = classesOf(entries.map((e) => e.registration))
  const traced = entries.map((e) => registry.traceReplacementExample(e))
  const fired = firedByEntry(run)
  const unshaped = unshapedPlaces(run, missing)
  const report: PassReport = {
    name,
    passName: run.passId === null ? null : registry.pass(run.passId).name,
    count: run.count,
    applyError,
    entries: entries.map((e, i) => ({ ...entryReport(e, traced[i]!), ...classes[i]!, fired: fired[i]! })),
    attempts: attempts.map(attemptReport),
    matches: matches.map(matchReport),
    nearMisses: [],
    causes: [],
    explained: false,
    ...(violations.length > 0 && { violations }),
    ...(unshaped.length > 0 && { unshaped }),
    applyMs: run.applyMs,
  }
  return { ...run, report, replacements: traced.map((t) => t.graph) }
}

/**
 * Omits the fields that only near misses need and shortens the reason; `fusescope match --json` prints the full reason.
 */
function attemptReport(attempt: Attempt): Attempt {
  // Field by field: a spread of 150,000 attempts takes as long as matching them.
  const { entry, phase, node, ok, nodes, mismatch, dropped, dropReason, reads, stubs } = attempt
  const made: Attempt = {
    entry,
    phase,
    node,
    ok,
    reason: attempt.brief ?? (attempt.reason && briefReason(attempt.reason)),
    nodes,
  }
  if (mismatch !== undefined) made.mismatch = mismatch
  if (dropped !== undefined) made.dropped = dropped
  if (dropReason !== undefined) made.dropReason = dropReason
  if (reads !== undefined) made.reads = reads
  if (stubs !== undefined) made.stubs = stubs
  return made
}

/** Traces of the registration, which editing other functions does not change. */
const viewOfTrace = memoizeByObject((graph: Graph) => viewOf(graph))

function entryReport(
  entry: EntryView,
  replacement: { graph: Graph | null; error: string | null },
): Omit<EntryReport, 'key' | 'title' | 'order' | 'bindings' | 'axes'> {
  return {
    index: entry.index,
    source: entry.registration.source,
    text: entry.text,
    keys: [...entry.keys],
    pattern: entry.searchGraph ? viewOfTrace(entry.searchGraph) : { nodes: [], problems: [] },
    replacement: replacement.graph && viewOfTrace(replacement.graph),
    replacementError: replacement.error,
    fired: 0,
  }
}

function matchReport(m: AppliedMatch, index: number): MatchReport {
  return {
    index,
    entry: m.entry,
    node: m.node,
    nodes: m.nodes,
    outputs: m.outputs.filter((o): o is string => o !== null),
    inputs: m.kwargs,
    map: m.map,
    added: m.added,
  }
}

type ClassFacts = Pick<EntryReport, 'key' | 'title' | 'order' | 'bindings' | 'axes'>

/** Cache by the first registration of a pass, with all its registrations: editing functions does not change the registrations. */
const known = new WeakMap<RegistrationFacts, { facts: readonly RegistrationFacts[]; classes: readonly ClassFacts[] }>()

/** For each registration of a pass: the title of its class, its bindings, and the axes that distinguish it. */
function classesOf(facts: readonly RegistrationFacts[]): readonly ClassFacts[] {
  const [first] = facts
  if (!first) return []
  const last = known.get(first)
  if (last?.facts.length === facts.length && last.facts.every((f, i) => f === facts[i])) return last.classes
  const classes = classesOfPass(facts)
  known.set(first, { facts, classes })
  return classes
}

function classesOfPass(facts: readonly RegistrationFacts[]): ClassFacts[] {
  const titles = titlesOf(facts)
  const found: ClassFacts[] = []
  const ordered = facts.map((f, i) => ({ f, i })).toSorted((a, b) => (a.f.order ?? a.i) - (b.f.order ?? b.i))
  for (const title of new Set(titles)) {
    const members = ordered.filter(({ i }) => titles[i] === title)
    const axes = axesOf(members.map((m) => m.f))
    members.forEach(({ f, i }, at) => {
      const added = axes.flatMap(({ name, values }) => (values[at] === null ? [] : [[name, values[at]!] as const]))
      found[i] = {
        key: keyOf(f),
        title,
        order: ordered.findIndex((o) => o.i === i),
        bindings: { ...f.bindings, ...Object.fromEntries(added) },
        axes: axes.map((a) => a.name),
      }
    })
  }
  return found
}

/** Without line numbers, which change with each edit. */
const keyOf = ({ title, definition, bindings, loops }: RegistrationFacts): string =>
  hashText(JSON.stringify([title, definition?.[0], bindings, loops]))

/**
 * A class's name is its title. Functions with the same name get their file or line in the title, unless a single call of
 * register_replacement, as in a loop, registered them all.
 */
function titlesOf(facts: readonly RegistrationFacts[]): string[] {
  const families = familiesOf(facts)
  return facts.map((f, i) => {
    const alike = facts.flatMap((o, j) => (o.title === f.title ? [{ o, family: families[j]! }] : []))
    if (new Set(alike.map((a) => a.family)).size < 2 || !f.definition) return f.title
    const [name, file, line] = f.definition
    const named = alike.filter((a) => a.o.definition?.[0] === name)
    if (name !== f.title && named.every((a) => a.family === families[i])) return `${f.title}.${name}`
    const files = new Set(named.map((a) => a.o.definition?.[1]))
    // For a family of several definitions, the line of the first.
    const first = alike.find((a) => a.family === families[i])?.o.definition?.[2] ?? line
    return files.size > 1 ? `${f.title}, ${file}:${first}` : `${f.title}, line ${first}`
  })
}

/**
 * A group number for each registration: equal for registrations of a title that share their code or their call stack.
 */
function familiesOf(facts: readonly RegistrationFacts[]): number[] {
  const families: number[] = facts.map((_, i) => i)
  const of = (i: number): number => (families[i] === i ? i : (families[i] = of(families[i]!)))
  const seen = new Map<string, number>()
  facts.forEach((f, i) => {
    const { definition, calls } = f
    const keys = definition ? [definition.join(':'), ...(calls ? [calls] : [])] : ['class']
    for (const key of keys) {
      const known = seen.get(`${f.title} ${key}`)
      if (known === undefined) seen.set(`${f.title} ${key}`, i)
      else families[of(i)] = of(known)
    }
  })
  return families.map((_, i) => of(i))
}
