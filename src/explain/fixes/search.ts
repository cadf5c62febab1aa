/**
 * Searches for fixes: applies changes to a copy of the files, runs the real matcher, and keeps a change if the pattern
 * then fires more often. If a change uncovers the next cause, the search continues from there.
 */
import { causesKey, type Cause } from '../causes'
import type { Lint } from '../lints/types'
import type { NearMissFold } from '../near_misses'
import { candidatesFor } from './candidates'
import { missingCalls, skipDuplicates } from './candidates/registering'
import { applyChanges, type SourceFile } from './change'
import { MIN_PATTERN_SIZE, pythonFix, same, sizeOf, syntaxOf } from './python_fix'
import { codeFixes, type StageToFix } from './code_on_graph/search'
import { PatternSite } from './pattern_site'
import { hasPlainNames } from './plain_names'
import { FixSearch, MAX_TRIED } from './fix_search'
import { onlyComputing } from './withheld'
import { isMended, lintFixes } from './wrong_matches/search'
import { FIX_BUDGET, SearchClock, type FixBudget } from './search_clock'
import type { FixesFound } from './types'
import { listed, verify, type Verified } from './verify'
import type { FixPass, FixRun, TrialRunner } from './trials'

export { FIX_BUDGET, type FixBudget } from './search_clock'

/** The causes of a report to find fixes for. */
export interface ToFix {
  files: readonly SourceFile[]
  /** Causes of the report itself. */
  causes: readonly Cause[]
  passes: readonly {
    /** See FixPass.key. */
    key: string
    nearMisses: readonly (NearMissFold & { index: number })[]
    causes: readonly Cause[]
    lints?: readonly Lint[]
  }[]
  /** Stages of code on the graph that did not edit it. */
  stages?: readonly StageToFix[]
}

/** Yields null between runs, and fixes as they are found. */
export function findFixes(
  trials: TrialRunner,
  toFix: ToFix,
  budget: FixBudget = FIX_BUDGET,
): Generator<FixesFound[] | null, { cut: boolean }> {
  const clock = new SearchClock(budget)
  return clock.time(allFixes(trials, toFix, clock))
}

function* allFixes(
  trials: TrialRunner,
  toFix: ToFix,
  clock: SearchClock,
): Generator<FixesFound[] | null, { cut: boolean }> {
  const ofCode = yield* codeFixes(trials, toFix.files, toFix.stages ?? [], clock)
  const ofPatterns = yield* search(trials, toFix, clock)
  return { cut: ofCode.cut || ofPatterns.cut }
}

function* search(
  trials: TrialRunner,
  { files, causes, passes }: ToFix,
  clock: SearchClock,
): Generator<FixesFound[] | null, { cut: boolean }> {
  const { budget } = clock
  const targets = targetsOf(passes)
  if (causes.length + targets.length === 0 && !passes.some(isOpen)) return { cut: false }
  const started = performance.now()
  const base = trials.run(files)
  clock.firstRun(performance.now() - started)
  yield null
  for (const [i, cause] of causes.entries()) {
    const found = yield* reportFix(trials, base, cause, clock)
    if (found) yield [{ pass: null, miss: null, cause: i, ...listed([found]) }]
  }
  if (base.failure) return { cut: false }
  if (yield* passCauseFixes(trials, base, passes, clock)) return { cut: true }
  const seen = new Map<string, FixesFound[]>()
  const variants = new Map<string, number>()
  /** A fix and the nodes that match once it is applied. */
  const fixedNodes = new Map<string, { entry: number; key: string; kind: string; found: FixesFound }>()
  for (const { p, miss } of targets) {
    const pass = passOf(base, passes[p]!.key)
    if (!pass || !miss.causes) continue
    const key = `${p}\u0000${variantsKey(pass, miss.entry)}\u0000${causesKey(miss.causes)}`
    const known = seen.get(key)
    // Another variant may fire at a place where the first variant's constants differ from the graph's.
    if (known && (known.some(isEdit) || (variants.get(key) ?? 0) >= MAX_VARIANTS)) {
      if (known.length > 0) yield known.map((f) => ({ ...f, miss: miss.index }))
      continue
    }
    const done = fixedNodes.get(miss.anchors[0]!) ?? fixedNodes.get(miss.aligned[0] ?? '')
    // A change to one variant's trace does not change the class: an edit may still be found.
    if (done && (done.key !== key || isEdit(done.found)) && isCovered(miss, fixedNodes)) {
      const shared = sharedFix(done, p, miss)
      if (shared) yield [shared]
      continue
    }
    if (seen.size >= budget.targets || clock.late()) return { cut: true }
    const all = [...miss.causes, ...passes[p]!.causes.filter((c) => c.entry === miss.entry)]
    const found = yield* new FixSearch(trials, base, { pass, miss, causes: all }, clock).run()
    const here = [...new Set(found.map((f) => f.cause))].map((cause) => ({
      pass: p,
      miss: miss.index,
      cause,
      ...listed(found.filter((f) => f.cause === cause)),
    }))
    variants.set(key, (variants.get(key) ?? 0) + 1)
    if (!known || here.some(isEdit)) seen.set(key, here)
    for (const { cause, nodes, offered } of found)
      for (const n of [...miss.anchors, ...nodes])
        if (offered && !fixedNodes.has(n))
          fixedNodes.set(n, {
            entry: miss.entry,
            key,
            kind: miss.causes[cause]!.kind,
            found: here.find((h) => h.cause === cause)!,
          })
    if (here.length > 0) yield here
  }
  return { cut: clock.late() }
}

/** True for a pass with causes or lints that a change may remove. */
const isOpen = ({ causes, lints = [] }: ToFix['passes'][number]): boolean => causes.length > 0 || lints.some(isMended)

/** Maximum number of variants of a class tried for equal causes. */
const MAX_VARIANTS = 2

const isEdit = ({ fixes }: FixesFound): boolean => fixes.some((f) => f.edits.length > 0)

/** Equal for entries that one line of code registers: variants with the same causes take the same fix. */
function variantsKey({ toExplain }: FixPass, entry: number): string {
  const { title, source } = toExplain.entries[entry]!.registration
  return source ? `${title}\u0000${source.file}\u0000${source.line}` : String(entry)
}

/** Undefined for a pass whose graph contains texts in place of names: nothing is written from it. */
const passOf = (base: FixRun, key: string): FixPass | undefined => {
  const pass = base.passes.find((p) => p.key === key)
  return pass && hasPlainNames(pass.toExplain.graph) ? pass : undefined
}

/** Yields fixes for lints of patterns that fired. */
function* wrongMatches(
  trials: TrialRunner,
  base: FixRun,
  passes: ToFix['passes'],
  clock: SearchClock,
): Generator<FixesFound[] | null, void> {
  for (const [p, { key, lints = [] }] of passes.entries()) {
    const pass = passOf(base, key)
    if (!pass || !lints.some(isMended)) continue
    const found = yield* lintFixes(trials, base, { pass, lints }, clock)
    for (const i of new Set(found.map((f) => f.lint))) {
      const own = found.filter((f) => f.lint === i).map((f) => f.found)
      yield [{ pass: p, miss: null, cause: -1, lint: i, ...listed(own) }]
    }
  }
}

/** Yields fixes for lints and for causes of whole passes; returns true once the time budget is spent. */
function* passCauseFixes(
  trials: TrialRunner,
  base: FixRun,
  passes: ToFix['passes'],
  clock: SearchClock,
): Generator<FixesFound[] | null, boolean> {
  yield* wrongMatches(trials, base, passes, clock)
  for (const [p, reported] of passes.entries()) {
    const pass = passOf(base, reported.key)
    if (!pass) continue
    for (const [i, cause] of reported.causes.entries()) {
      if (clock.late()) return true
      const found = yield* passFixes(trials, base, { pass, cause }, clock)
      if (found.length > 0) yield [{ pass: p, miss: null, cause: i, ...listed(found) }]
    }
  }
  return false
}

/** The fix of another place, for a miss of the same pattern with a cause of the same kind. */
function sharedFix(
  done: { entry: number; kind: string; found: FixesFound },
  p: number,
  miss: NearMissFold & { index: number },
): FixesFound | null {
  const cause = miss.causes?.findIndex((c) => c.kind === done.kind) ?? -1
  const ofOne = done.found.pass === p && done.entry === miss.entry && cause >= 0
  return ofOne ? { ...done.found, miss: miss.index, cause } : null
}

/** True if a fix makes most of the aligned nodes, or every anchor, match. */
const isCovered = ({ anchors, aligned }: NearMissFold, fixedNodes: ReadonlyMap<string, unknown>): boolean =>
  anchors.every((a) => fixedNodes.has(a)) || aligned.filter((n) => fixedNodes.has(n)).length * 2 > aligned.length

/** Near misses of all passes, nearest first, except those whose nodes another pattern replaced. */
function targetsOf(passes: ToFix['passes']): { p: number; miss: NearMissFold & { index: number } }[] {
  const share = (m: NearMissFold): number => (m.of ? (m.score ?? 0) / m.of : 0)
  return passes
    .flatMap(({ nearMisses }, p) => nearMisses.filter((m) => !m.taken).map((miss, i) => ({ p, miss, i })))
    .sort(
      (a, b) =>
        share(b.miss) - share(a.miss) || (a.miss.causes?.length ?? 9) - (b.miss.causes?.length ?? 9) || a.i - b.i,
    )
}

function* reportFix(
  trials: TrialRunner,
  base: FixRun,
  cause: Cause,
  clock: SearchClock,
): Generator<null, Verified | null> {
  const frame = base.failure?.frames.at(-1)
  if (cause.kind !== 'duplicate-pattern' || !frame) return null
  let files = base.files
  // Each duplicate raises separately.
  let at: { file: string; line: number } | undefined = frame
  for (let i = 0; i < 4 && at; i++) {
    const file = syntaxOf(trials, files, at.file)
    const candidate = file && skipDuplicates(file, at.line)[0]
    const changed = candidate && applyChanges(files, candidate.changes)
    if (!changed || same(files, changed)) return null
    files = changed
    const run = trials.run(files)
    yield null
    if (!run.failure) {
      if (run.total === 0) return null
      const change = pythonFix('Skip patterns that are registered already', base.files, files, 0, run.total)
      return yield* verify(trials, { base, run, pass: '', key: null }, change, clock)
    }
    at = run.failure.refusal === 'duplicate-pattern' ? run.failure.frames.at(-1) : undefined
  }
  return null
}

function* passFixes(
  trials: TrialRunner,
  base: FixRun,
  { pass, cause }: { pass: FixPass; cause: Cause },
  clock: SearchClock,
): Generator<null, Verified[]> {
  const tried: Verified[] = []
  const entry = cause.entry === undefined ? undefined : pass.toExplain.entries[cause.entry]
  const key = cause.entry === undefined ? null : pass.keyOf(cause.entry)
  const candidates =
    cause.kind === 'not-registered'
      ? missingCalls(
          base.files.flatMap((f) => syntaxOf(trials, base.files, f.name) ?? []),
          pass.name,
        )
      : entry
        ? candidatesFor(cause, new PatternSite(trials, base, pass, entry, null))
        : []
  for (const { title, changes, narrows } of candidates.slice(0, clock.budget.tries)) {
    const files = applyChanges(base.files, changes)
    if (!files || same(base.files, files)) continue
    const run = trials.run(files)
    yield null
    const now = run.passes.find((p) => p.key === pass.key)
    if (run.failure || !now || run.total <= base.total) continue
    const index = key === null ? null : now.entryOf(key)
    const before = key === null ? 0 : pass.fired(cause.entry!)
    const after = index === null ? run.total - base.total : now.fired(index)
    // A pattern with a single operator is useless.
    if (narrows && index !== null && sizeOf(now, index) < MIN_PATTERN_SIZE) continue
    if (after <= before) continue
    const plain = pythonFix(title, base.files, files, before, after)
    const change = onlyComputing(plain, pass.toExplain.graph, base.files, files)
    const found = yield* verify(trials, { base, run, pass: pass.key, key }, change, clock)
    if (found.offered) return [found]
    if (tried.length < MAX_TRIED) tried.push(found)
  }
  return tried
}
