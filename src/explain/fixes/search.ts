/**
 * Looks for repairs: changes are made to a copy of the files, run through the real matcher, and kept when the pattern
 * then fires more often. Where one change only uncovers the next cause, the search goes on from there.
 */
import { printGraph, type Graph } from '../../fx'
import { causesKey, type Cause } from '../causes'
import { explainPair, explainPass, type PassToExplain } from '../explain'
import type { NearMissFold } from '../near_misses'
import { candidatesFor, patternCandidatesFor } from './candidates'
import { missingCalls, skipDuplicates } from './candidates/registering'
import { applyChanges, textEdits, unifiedDiff, type Change, type SourceFile } from './change'
import { Place } from './place'
import { SyntaxFile } from './syntax'
import type { Fix } from './types'
import type { FixPass, FixRun, FixWorld, PatternEdit } from './world'

/** Where a set of fixes belongs: as engine/protocol's FixesFound. */
export interface FoundFixes {
  pass: number | null
  miss: number | null
  cause: number
  fixes: Fix[]
}

/** What the report says, as far as it can be repaired. */
export interface ToFix {
  files: readonly SourceFile[]
  /** Causes of the report itself. */
  causes: readonly Cause[]
  passes: readonly {
    name: string
    nearMisses: readonly (NearMissFold & { index: number })[]
    causes: readonly Cause[]
  }[]
}

export interface FixBudget {
  /** For all of it, in ms. */
  ms: number
  /** Distinct causes tried, nearest first. */
  targets: number
  /** Runs for one of them. */
  tries: number
}

export const FIX_BUDGET: FixBudget = { ms: 5000, targets: 24, tries: 24 }
/** Operators that a part of a pattern has at least. */
const LEAST = 2
const NEEDS_SHARED = 'outputs that share a value'
/** Changes that are made one on top of the other, at most. */
const DEEPEST = 4

/** Yields null between two runs, and fixes as they are found. */
export function* findFixes(
  world: FixWorld,
  { files, causes, passes }: ToFix,
  budget: FixBudget = FIX_BUDGET,
): Generator<FoundFixes[] | null, { cut: boolean }> {
  const ends = performance.now() + budget.ms
  const late = (): boolean => performance.now() > ends
  const base = world.run(files)
  yield null
  for (const [i, cause] of causes.entries()) {
    const fix = yield* forReport(world, base, cause)
    if (fix) yield [{ pass: null, miss: null, cause: i, fixes: [fix] }]
  }
  if (base.failure) return { cut: false }
  for (const [p, reported] of passes.entries()) {
    const pass = base.passes[p]
    if (!pass) continue
    for (const [i, cause] of reported.causes.entries()) {
      if (late()) return { cut: true }
      const fix = yield* forPass(world, base, pass, cause, budget)
      if (fix) yield [{ pass: p, miss: null, cause: i, fixes: [fix] }]
    }
  }
  const seen = new Map<string, FoundFixes[]>()
  /** Nodes that match once a repair is made, and the repair. */
  const repaired = new Map<string, { entry: number; kind: string; found: FoundFixes }>()
  for (const { p, miss } of targetsOf(passes)) {
    const pass = base.passes[p]
    if (!pass || !miss.causes) continue
    const key = `${p}\u0000${miss.entry}\u0000${causesKey(miss.causes)}`
    const known = seen.get(key)
    if (known) {
      if (known.length > 0) yield known.map((f) => ({ ...f, miss: miss.index }))
      continue
    }
    const done = repaired.get(miss.anchors[0]!) ?? repaired.get(miss.aligned[0] ?? '')
    if (done && isCovered(miss, repaired)) {
      const cause = miss.causes.findIndex((c) => c.kind === done.kind)
      if (done.entry === miss.entry && cause >= 0) yield [{ ...done.found, miss: miss.index, cause }]
      continue
    }
    if (seen.size >= budget.targets || late()) return { cut: true }
    const all = [...miss.causes, ...passes[p]!.causes.filter((c) => c.entry === miss.entry)]
    const found = yield* new Repair(world, base, pass, miss, all, budget, late).run()
    const here = found.map(({ cause, fix }) => ({ pass: p, miss: miss.index, cause, fixes: [fix] }))
    seen.set(key, here)
    for (const [i, { cause, nodes }] of found.entries())
      for (const n of [...miss.anchors, ...nodes])
        if (!repaired.has(n)) repaired.set(n, { entry: miss.entry, kind: miss.causes[cause]!.kind, found: here[i]! })
    if (here.length > 0) yield here
  }
  return { cut: false }
}

/** True where most of what aligns, or every anchor, is matched once a repair is made. */
const isCovered = ({ anchors, aligned }: NearMissFold, repaired: ReadonlyMap<string, unknown>): boolean =>
  anchors.every((a) => repaired.has(a)) || aligned.filter((n) => repaired.has(n)).length * 2 > aligned.length

/** Near misses of all passes, the nearest first; none where another pattern took the nodes. */
function targetsOf(passes: ToFix['passes']): { p: number; miss: NearMissFold & { index: number } }[] {
  const share = (m: NearMissFold): number => (m.of ? (m.score ?? 0) / m.of : 0)
  return passes
    .flatMap(({ nearMisses }, p) => nearMisses.filter((m) => !m.taken).map((miss, i) => ({ p, miss, i })))
    .sort(
      (a, b) =>
        share(b.miss) - share(a.miss) || (a.miss.causes?.length ?? 9) - (b.miss.causes?.length ?? 9) || a.i - b.i,
    )
}

function* forReport(world: FixWorld, base: FixRun, cause: Cause): Generator<null, Fix | null> {
  const frame = base.failure?.frames.at(-1)
  if (cause.kind !== 'duplicate-pattern' || !frame) return null
  let files = base.files
  // Each duplicate is raised on its own.
  let at: { file: string; line: number } | undefined = frame
  for (let i = 0; i < 4 && at; i++) {
    const file = syntaxOf(world, files, at.file)
    const candidate = file && skipDuplicates(file, at.line)[0]
    const changed = candidate && applyChanges(files, candidate.changes)
    if (!changed || same(files, changed)) return null
    files = changed
    const run = world.run(files)
    yield null
    if (!run.failure)
      return run.total > 0
        ? pythonFix('Skip patterns that are registered already', base.files, files, 0, run.total)
        : null
    at = /^Duplicate pattern/.test(run.failure.message) ? run.failure.frames.at(-1) : undefined
  }
  return null
}

function* forPass(
  world: FixWorld,
  base: FixRun,
  pass: FixPass,
  cause: Cause,
  budget: FixBudget,
): Generator<null, Fix | null> {
  const entry = cause.entry === undefined ? undefined : pass.toExplain.entries[cause.entry]
  const key = cause.entry === undefined ? null : pass.keyOf(cause.entry)
  const candidates =
    cause.kind === 'not-registered'
      ? missingCalls(
          base.files.flatMap((f) => syntaxOf(world, base.files, f.name) ?? []),
          pass.name,
        )
      : entry
        ? candidatesFor(cause, new Place(world, base, pass, entry, null))
        : []
  for (const { title, changes, narrows } of candidates.slice(0, budget.tries)) {
    const files = applyChanges(base.files, changes)
    if (!files || same(base.files, files)) continue
    const run = world.run(files)
    yield null
    const now = run.passes.find((p) => p.name === pass.name)
    if (run.failure || !now || run.total <= base.total) continue
    const index = key === null ? null : now.entryOf(key)
    const before = key === null ? 0 : pass.fired(cause.entry!)
    const after = index === null ? run.total - base.total : now.fired(index)
    // An operator on its own is no pattern that anyone meant.
    if (narrows && index !== null && sizeOf(now, index) < LEAST) continue
    if (after > before) return pythonFix(title, base.files, files, before, after)
  }
  return null
}

interface Repaired {
  cause: number
  fix: Fix
  /** Graph nodes that the pattern then matches. */
  nodes: readonly string[]
}

interface State {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  titles: readonly string[]
  run: FixRun
  miss: NearMissFold
  /** True once a change was made that says it matches less. */
  narrows: boolean
}

class Repair {
  private readonly key: string
  private readonly before: number
  private tries = 0
  private readonly tried = new Set<string>()
  /** What repairs less than half of the pattern, until something repairs more. */
  private smaller: Repaired | null = null

  constructor(
    private readonly world: FixWorld,
    private readonly base: FixRun,
    private readonly pass: FixPass,
    private readonly miss: NearMissFold,
    /** The near miss's, and after them the pass's about the entry. */
    private readonly causes: Cause[],
    private readonly budget: FixBudget,
    private readonly late: () => boolean,
  ) {
    this.key = pass.keyOf(miss.entry)
    this.before = pass.fired(miss.entry)
  }

  *run(): Generator<null, Repaired[]> {
    const { causes } = this
    const start: State = {
      files: this.base.files,
      edit: null,
      titles: [],
      run: this.base,
      miss: { ...this.miss, causes },
      narrows: false,
    }
    for (const inPattern of [false, true]) {
      this.tries = 0
      const found = yield* this.step(start, 0, inPattern)
      const best = found ?? this.smaller
      if (best) return [{ ...best, cause: best.cause < (this.miss.causes?.length ?? 0) ? best.cause : 0 }]
    }
    return []
  }

  private spent(): boolean {
    return this.tries >= this.budget.tries || this.late()
  }

  private *step(state: State, depth: number, inPattern: boolean): Generator<null, Repaired | null> {
    const place = this.placeOf(state)
    if (!place) return null
    const onward: { state: State; cause: number }[] = []
    const causes = state.miss.causes ?? []
    for (const { c, cause } of inOrder(causes).slice(0, 4)) {
      const options = inPattern ? patternCandidatesFor(cause, place) : candidatesFor(cause, place)
      for (const option of options) {
        if (this.spent()) break
        const next = 'edit' in option ? this.patternTry(state, option.edit) : this.pythonTry(state, option.changes)
        if (!next) continue
        // Before the pause: what this run registered may be gone after it.
        const outcome = this.outcome(state, next, {
          titles: [...state.titles, option.title],
          narrows: state.narrows || ('narrows' in option && option.narrows === true),
        })
        yield null
        if (!outcome) continue
        if ('fix' in outcome) {
          const { small, ...found } = outcome
          if (!small) return { ...found, cause: c }
          this.smaller ??= { ...found, cause: c }
          continue
        }
        onward.push({ state: outcome, cause: c })
        // Two ways past one cause are enough: the others are tried alone first, and met again behind it.
        if (onward.filter((o) => o.cause === c).length === 2) break
      }
    }
    if (depth + 1 >= DEEPEST) return null
    onward.sort((a, b) => structural(a.state.miss) - structural(b.state.miss))
    for (const { state: next, cause } of onward.slice(0, 2)) {
      const found = yield* this.step(next, depth + 1, inPattern)
      if (found) return { ...found, cause }
    }
    return null
  }

  /** A change that makes the pattern match elsewhere, or next to nothing here, repairs nothing. */
  private firesHere(pass: FixPass, entry: number, narrows: boolean): boolean {
    const { matches } = pass.toExplain
    const aligned = new Set(this.miss.aligned)
    const least = narrows ? LEAST : sizeOf(this.pass, this.miss.entry) / 2
    if (sizeOf(pass, entry) < least) return false
    // A part of the pattern may come at other places than all of it.
    if (narrows) return matches.some((m) => m.entry === entry)
    return matches.some(
      (m) =>
        m.entry === entry && m.nodes.filter((n) => aligned.has(n)).length >= Math.min(aligned.size, m.nodes.length) / 2,
    )
  }

  private placeOf(state: State): Place | null {
    const pass = state.run.passes.find((p) => p.name === this.pass.name)
    const entry = pass?.toExplain.entries[state.miss.entry]
    return pass && entry ? new Place(this.world, state.run, pass, entry, state.miss) : null
  }

  private pythonTry(
    state: State,
    changes: readonly Change[],
  ): { files: readonly SourceFile[]; edit: null; run: FixRun } | null {
    const files = applyChanges(state.files, changes)
    if (!files) return null
    const key = files.map((f) => f.text).join('\u0000')
    if (this.tried.has(key) || same(this.base.files, files)) return null
    this.tried.add(key)
    this.tries++
    return { files, edit: null, run: this.world.run(files) }
  }

  private patternTry(
    state: State,
    edit: PatternEdit,
  ): { files: readonly SourceFile[]; edit: PatternEdit; run: FixRun } | null {
    const { edit: before } = state
    const both: PatternEdit = (g) => (before === null || before(g)) && edit(g)
    this.tries++
    return {
      files: state.files,
      edit: both,
      run: this.world.runWithPattern(state.files, this.pass.name, this.key, both),
    }
  }

  /** A fix, a state that is nearer, or nothing. */
  private outcome(
    from: State,
    { files, edit, run }: { files: readonly SourceFile[]; edit: PatternEdit | null; run: FixRun },
    { titles, narrows }: { titles: readonly string[]; narrows: boolean },
  ): (Omit<Repaired, 'cause'> & { small: boolean }) | State | null {
    const pass = run.passes.find((p) => p.name === this.pass.name)
    const index = pass?.entryOf(this.key) ?? null
    if (run.failure || !pass || index === null) return null
    const after = pass.fired(index)
    if (
      after > this.before &&
      run.total >= this.base.total &&
      !pass.toExplain.applyError &&
      this.firesHere(pass, index, narrows)
    ) {
      const title = titles.map((t, i) => (i === 0 ? t : t[0]!.toLowerCase() + t.slice(1))).join(', and ')
      const nodes = pass.toExplain.matches.filter((m) => m.entry === index).flatMap((m) => m.nodes)
      const small = sizeOf(pass, index) < sizeOf(this.pass, this.miss.entry) / 2
      if (!edit) return { nodes, small, fix: pythonFix(title, this.base.files, files, this.before, after) }
      const [mine, theirs] = [this.pass.toExplain.entries[this.miss.entry], pass.toExplain.entries[index]]
      const diff = unifiedDiff(
        'traced pattern',
        mine?.searchGraph ? printGraph(mine.searchGraph) : '',
        theirs?.searchGraph ? printGraph(theirs.searchGraph) : '',
      )
      return {
        nodes,
        small,
        fix: {
          title,
          kind: 'pattern',
          edits: [],
          diff,
          verified: true,
          matchesBefore: this.before,
          matchesAfter: after,
        },
      }
    }
    for (const miss of missesAt(pass.toExplain, index, this.miss.anchors)) {
      if (!miss.causes?.length) continue
      const still = new Set(miss.causes.map(keyOf))
      const gone = (from.miss.causes ?? []).some((c) => !still.has(keyOf(c)))
      if (gone && (structural(miss) < structural(from.miss) || (miss.score ?? 0) >= (from.miss.score ?? 0)))
        return { files, edit, titles, run, miss, narrows }
    }
    return null
  }
}

/** Operators of an entry's pattern. */
function sizeOf(pass: FixPass, entry: number): number {
  const graph = pass.toExplain.entries[entry]?.searchGraph
  return graph ? [...graph.nodes()].filter((n) => n.op === 'call_function').length : 1
}

/** What no other repair helps while it stands comes first. */
function inOrder(causes: readonly Cause[]): { c: number; cause: Cause }[] {
  const never = ({ cause }: { cause: Cause }): number => (cause.expected === NEEDS_SHARED ? 0 : 1)
  return causes.map((cause, c) => ({ c, cause })).sort((a, b) => never(a) - never(b) || a.c - b.c)
}

const keyOf = (c: Cause): string => causesKey([c])
const structural = (m: NearMissFold): number => (m.causes ?? []).length

/** Graphs up to this size are looked through for the place a changed pattern is now nearest to. */
const SMALL = 300

/** What stands between one entry and the anchor, and at the place it is nearest to. */
function* missesAt(pass: PassToExplain, entry: number, anchors: readonly string[]): Generator<NearMissFold> {
  const pair = explainPair(pass, entry, anchors[0] ?? '')
  if (pair) yield pair
  if (pass.graph.size > SMALL) return
  const one = <T extends { entry: number }>(items: readonly T[]): T[] =>
    items.filter((i) => i.entry === entry).map((i) => ({ ...i, entry: 0 }))
  const { nearMisses, causes } = explainPass({
    ...pass,
    entries: [{ ...pass.entries[entry]!, index: 0 }],
    attempts: one(pass.attempts),
    matches: one(pass.matches),
    specific: (_, captured) => pass.specific(entry, captured),
  })
  const wanted = new Set(anchors)
  const miss = nearMisses.find((m) => m.anchors.some((a) => wanted.has(a))) ?? nearMisses[0]
  if (miss) yield { ...miss, entry, causes: [...(miss.causes ?? []), ...causes] }
}

function pythonFix(
  title: string,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  from: number,
  to: number,
): Fix {
  const changed = before.flatMap((f, i) =>
    f.text === after[i]!.text ? [] : [{ name: f.name, before: f.text, after: after[i]!.text }],
  )
  return {
    title,
    kind: 'python',
    edits: changed.flatMap((f) => textEdits(f.name, f.before, f.after)),
    diff: changed.map((f) => unifiedDiff(f.name, f.before, f.after)).join(''),
    verified: true,
    matchesBefore: from,
    matchesAfter: to,
  }
}

const same = (a: readonly SourceFile[], b: readonly SourceFile[]): boolean => a.every((f, i) => f.text === b[i]!.text)

function syntaxOf(world: FixWorld, files: readonly SourceFile[], name: string): SyntaxFile | null {
  const source = files.find((f) => f.name === name)
  const data = source && world.syntax(source.text)
  return source && data ? new SyntaxFile(name, source.text, data) : null
}
