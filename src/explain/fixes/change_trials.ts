/** Tries changes of one entry's pattern, files or environment, and decides whether the entry then fires at its anchor. */
import { unifiedDiff } from '../../base/unified_diff'
import { printGraph, type Graph } from '../../fx'
import type { Cause } from '../causes'
import type { NearMissFold } from '../near_misses'
import type { OutsideChange } from './candidates/outside_pattern'
import { applyChanges, type Change, type SourceFile } from './change'
import { PatternSite } from './pattern_site'
import type { AppliedOptions, SearchState, Trial } from './search_state'
import { titleOf } from './fix_title'
import { MIN_PATTERN_SIZE, pythonFix, same, sizeOf, syntaxOf } from './python_fix'
import { changedBeside, keyOf, missesAt, structural } from './remaining_causes'
import { onlyComputing } from './withheld'
import { secondRegistration } from './second_registration'
import type { FixPass, FixRun, PatternEdit, TrialRunner } from './trials'
import type { FiringChange } from './verify'

/** The near miss to fix. */
export interface FixTarget {
  pass: FixPass
  miss: NearMissFold
  /** Causes of the near miss, followed by causes of the pass that concern the entry. */
  causes: Cause[]
}

/** A change that fires, before its numerics are checked. */
export interface Firing {
  run: FixRun
  cause: number
  nodes: readonly string[]
  change: FiringChange
}

/** The result of one trial of a firing change. */
export type Fired = Pick<Firing, 'nodes' | 'change'> & {
  /** True if the changed pattern has less than half of the operators. */
  small: boolean
  /** Other patterns that the change affects. */
  others: number
  /** The run in which it fires, if that is not the trial's run: with a second registration. */
  run?: FixRun
}

export class ChangeTrials {
  /** Runs since `restartCount`. */
  count = 0
  readonly key: string
  private readonly pass: FixPass
  private readonly miss: NearMissFold
  private readonly before: number
  private readonly tried = new Set<string>()
  /** Screened trials, by the texts of their files. */
  private readonly screened = new Map<string, Trial>()
  /** A change outside the pattern, included in every trial. */
  private besides: OutsideChange | null = null

  constructor(
    private readonly trials: TrialRunner,
    readonly base: FixRun,
    { pass, miss }: FixTarget,
  ) {
    this.pass = pass
    this.miss = miss
    this.key = pass.keyOf(miss.entry)
    this.before = pass.fired(miss.entry)
  }

  /** Starts over with a change outside the pattern, which is included in every trial. */
  startWith(besides: OutsideChange | null): void {
    this.besides = besides
    this.tried.clear()
    this.screened.clear()
  }

  restartCount(): void {
    this.count = 0
  }

  passOf(run: FixRun): FixPass | undefined {
    return run.passes.find((p) => p.key === this.pass.key)
  }

  /** The near miss that remains after a change outside the pattern, or null. */
  remainingMiss(run: FixRun): NearMissFold | null {
    const pass = this.passOf(run)
    const entry = pass?.entryOf(this.key) ?? null
    const misses = pass && entry !== null ? [...missesAt(pass.toExplain, entry, this.miss.anchors)] : []
    return (!run.failure && misses.find((m) => m.causes?.length)) || null
  }

  siteOf(state: SearchState): PatternSite | null {
    const pass = this.passOf(state.run)
    const entry = pass?.toExplain.entries[state.miss.entry]
    return pass && entry ? new PatternSite(this.trials, state.run, pass, entry, state.miss) : null
  }

  /** The firing after a change outside the pattern, or null. */
  outsidePattern({ cause, title, kind, setting, diff }: OutsideChange): Firing | null {
    const run = this.trials.run(this.base.files, setting)
    const pass = this.passOf(run)
    if (run.failure || !pass || pass.toExplain.applyError || run.total <= this.base.total) return null
    // Different answers of the environment may register different patterns.
    const entry = pass.toExplain.matches.find((m) => this.isHere(m))?.entry
    if (entry === undefined) return null
    const same = pass.keyOf(entry) === this.key
    const [before, after] = same
      ? [this.before, pass.fired(entry)]
      : [this.base.total, this.base.total + pass.fired(entry)]
    if (after <= before) return null
    const nodes = pass.toExplain.matches.filter((m) => m.entry === entry).flatMap((m) => m.nodes)
    const change: FiringChange = { title, kind, edits: [], diff, matchesBefore: before, matchesAfter: after }
    return {
      run,
      cause,
      nodes,
      change: same ? change : { ...change, matchesBefore: 0, matchesAfter: pass.fired(entry) },
    }
  }

  /** Null if the changes do not apply, change nothing, or have run before. */
  ofFiles(state: SearchState, changes: readonly Change[]): Trial | null {
    const files = applyChanges(state.files, changes)
    if (!files) return null
    const key = keyOfFiles(files)
    if (this.tried.has(key) || same(this.base.files, files)) return null
    this.tried.add(key)
    this.count++
    const screened = this.screened.get(key)
    return screened ?? { files, edit: null, run: this.trials.run(files, this.besides?.setting) }
  }

  /** Tries a change on its pass alone; runs the files with `ofFiles` only if it is still open whether the entry fires. */
  screen(state: SearchState, changes: readonly Change[], applied: AppliedOptions): void {
    const files = this.besides ? null : applyChanges(state.files, changes)
    const key = files && keyOfFiles(files)
    if (!files || key === null || this.tried.has(key) || this.screened.has(key) || same(this.base.files, files)) return
    const run = this.trials.screen(files, this.pass, this.key)
    if (!run || this.mayFire(run)) return
    const trial: Trial = { files, edit: null, run }
    // A run in which nothing fires yields a state, or nothing.
    const left = this.outcome(state, trial, applied)
    this.screened.set(key, { ...trial, left: left && 'miss' in left ? left : null })
  }

  /** False for a run of one pass in which the entry fires no more than before, and not here. */
  private mayFire(run: FixRun): boolean {
    const pass = this.passOf(run)
    const index = pass?.entryOf(this.key) ?? null
    if (!pass || index === null || run.failure) return false
    return pass.fired(index) > this.before || pass.toExplain.matches.some((m) => m.entry === index && this.isHere(m))
  }

  /** False for a pattern that a stage registers when it is called, because no registration of the files traces it. */
  get tracedByFiles(): boolean {
    return Number.isInteger(Number(this.key))
  }

  ofPattern(state: SearchState, edit: PatternEdit): Trial {
    const { edit: before } = state
    const both: PatternEdit = (g) => (before === null || before(g)) && edit(g)
    this.count++
    const tried = (alone: boolean): FixRun => this.trials.runWithPattern(state.files, this.pass, this.key, both, alone)
    const screened = tried(true)
    return { files: state.files, edit: both, run: this.mayFire(screened) ? tried(false) : screened }
  }

  /** Returns a firing change, a state with fewer causes or a better score, or null. */
  outcome(from: SearchState, { files, edit, run, left }: Trial, applied: AppliedOptions): Fired | SearchState | null {
    if (left !== undefined) return left
    const { titles, narrows, adds, rewrites } = applied
    const pass = this.passOf(run)
    const added = adds ? pass?.toExplain.matches.find((m) => this.isHere(m))?.entry : undefined
    const index = added ?? pass?.entryOf(this.key) ?? null
    if (run.failure || !pass || index === null) return null
    if (
      pass.fired(index) > (adds ? 0 : this.before) &&
      (!adds || run.total > this.base.total) &&
      run.total >= this.base.total &&
      !pass.toExplain.applyError &&
      this.firesHere(pass, index, narrows)
    )
      return this.fired({ files, edit, run }, applied, pass, index)
    // It fires here, but no longer everywhere that it fired before.
    if (!adds && !edit && this.before > 0 && pass.fired(index) > 0 && this.firesHere(pass, index, narrows)) {
      const beside = this.besideOriginal(files)
      if (beside) return this.firedBeside(beside, titles)
    }
    for (const miss of missesAt(pass.toExplain, index, this.miss.anchors)) {
      if (!miss.causes?.length) continue
      const still = new Set(miss.causes.map(keyOf))
      const gone = (from.miss.causes ?? []).some((c) => !still.has(keyOf(c)))
      if (gone && (structural(miss) < structural(from.miss) || (miss.score ?? 0) >= (from.miss.score ?? 0)))
        return { files, edit, titles, run, miss, narrows, rewrites }
    }
    return null
  }

  /** A firing change as a second registration, in addition to a pattern that does not fire on this graph; or null. */
  alongside({ run, change }: Pick<Firing, 'run' | 'change'>): Fired | null {
    if (this.before > 0 || change.kind !== 'python' || change.second) return null
    const beside = this.besideOriginal(run.files)
    return beside && this.firedBeside(beside, [change.title])
  }

  /** A trial of the changed files as a second registration, in which every match remains and a match here is added; or null. */
  private besideOriginal(files: readonly SourceFile[]): (Trial & { entry: number; pass: FixPass }) | null {
    const changed = files.filter((f, i) => f.text !== this.base.files[i]!.text)
    if (changed.length !== 1 || this.besides) return null
    const syntax = syntaxOf(this.trials, this.base.files, changed[0]!.name)
    const made = syntax && secondRegistration(syntax, changed[0]!.text)
    if (!made) return null
    const both = this.base.files.map((f) => (f.name === made.name ? made : f))
    this.count++
    const run = this.trials.run(both)
    const pass = this.passOf(run)
    if (run.failure || !pass || pass.toExplain.applyError) return null
    // By node, because a loop's copied registrations change the numbers of later ones.
    const anchors = new Set(pass.toExplain.matches.map((m) => m.node))
    const earlier = new Set(this.pass.toExplain.matches.map((m) => m.node))
    if ([...earlier].some((node) => !anchors.has(node))) return null
    const entry = pass.toExplain.matches.find((m) => !earlier.has(m.node) && this.isHere(m))?.entry
    if (entry === undefined) return null
    return run.total > this.base.total ? { files: both, edit: null, run, entry, pass } : null
  }

  private firedBeside(
    { files, edit, run, entry, pass }: NonNullable<ReturnType<ChangeTrials['besideOriginal']>>,
    titles: readonly string[],
  ): Fired {
    const applied = { titles, narrows: false, adds: true, rewrites: [] }
    const fired = this.fired({ files, edit, run }, applied, pass, entry)
    return { ...fired, run, change: { ...fired.change, second: true } }
  }

  /** False for a change that makes the pattern match elsewhere, or match almost nothing here. */
  private firesHere(pass: FixPass, entry: number, narrows: boolean): boolean {
    const { matches } = pass.toExplain
    const least = narrows ? MIN_PATTERN_SIZE : sizeOf(this.pass, this.miss.entry) / 2
    if (sizeOf(pass, entry) < least) return false
    // A narrowed pattern may match at other anchors.
    if (narrows) return matches.some((m) => m.entry === entry)
    return matches.some((m) => m.entry === entry && this.isHere(m))
  }

  private isHere({ nodes }: { nodes: readonly string[] }): boolean {
    const aligned = new Set(this.miss.aligned)
    return nodes.filter((n) => aligned.has(n)).length >= Math.min(aligned.size, nodes.length) / 2
  }

  /** @param index the firing entry in the run's pass */
  private fired({ files, edit, run }: Trial, { titles, adds }: AppliedOptions, pass: FixPass, index: number): Fired {
    const others = adds ? 0 : changedBeside(this.base, run, this.key)
    const note = others === 0 ? '' : `; ${others} other ${others === 1 ? 'pattern changes' : 'patterns change'} too`
    const named = titleOf(titles)
    const title = named.title + note
    const nodes = pass.toExplain.matches.filter((m) => m.entry === index).flatMap((m) => m.nodes)
    const small = sizeOf(pass, index) < sizeOf(this.pass, this.miss.entry) / 2
    if (edit) return { nodes, small, others, change: { ...this.patternChange(title, pass, index), ...listOf(named) } }
    const before = adds ? 0 : this.before
    const plain = { ...pythonFix(title, this.base.files, files, before, pass.fired(index)), ...listOf(named) }
    const change = onlyComputing(plain, this.pass.toExplain.graph, this.base.files, files)
    // The model must change too: the edit alone would not fire.
    const { besides } = this
    if (!besides) return { nodes, small, others, change }
    return {
      nodes,
      small,
      others,
      change: { ...change, kind: besides.kind, edits: [], diff: besides.diff + change.diff },
    }
  }

  private patternChange(title: string, pass: FixPass, index: number): FiringChange {
    const [mine, theirs] = [this.pass.toExplain.entries[this.miss.entry], pass.toExplain.entries[index]]
    const textOf = (graph: Graph | null | undefined): string => (graph ? `${printGraph(graph)}\n` : '')
    const diff = unifiedDiff('traced pattern', textOf(mine?.searchGraph), textOf(theirs?.searchGraph))
    return { title, kind: 'pattern', edits: [], diff, matchesBefore: this.before, matchesAfter: pass.fired(index) }
  }
}

const keyOfFiles = (files: readonly SourceFile[]): string => files.map((f) => f.text).join('\u0000')

const listOf = ({ changes }: Pick<FiringChange, 'changes'>): Pick<FiringChange, 'changes'> =>
  changes ? { changes } : {}
