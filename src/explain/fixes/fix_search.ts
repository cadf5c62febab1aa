/** Searches for changes that make one entry fire at one anchor. */
import { printGraph } from '../../fx'
import type { Cause } from '../causes'
import type { NearMissFold } from '../near_misses'
import { candidatesFor, patternCandidatesFor } from './candidates'
import { outsideChangesFor, type OutsideChange } from './candidates/outside_pattern'
import { castOutput, mirrored, rewritesOf, type Rewrite } from './candidates/mirror'
import type { PatternCandidate } from './candidates/pattern_edits'
import type { Candidate } from './candidates/types'
import { applyChanges, unifiedDiff, type Change, type SourceFile } from './change'
import { MIN_PATTERN_SIZE, pythonFix, same, sizeOf } from './python_fix'
import { PatternSite } from './pattern_site'
import { changedBeside, inOrder, keyOf, missesAt, structural } from './remaining_causes'
import type { SearchClock } from './search_clock'
import { verify, type FiringChange, type Verified } from './verify'
import type { FixPass, FixRun, TrialRunner, PatternEdit } from './trials'

/** Maximum number of combined changes. */
const MAX_DEPTH = 4

/** Maximum number of firing but unsafe changes kept per near miss. */
export const MAX_TRIED = 2

export interface CauseFix extends Verified {
  cause: number
  /** Graph nodes that the pattern then matches. */
  nodes: readonly string[]
}

/** The near miss to fix. */
export interface FixTarget {
  pass: FixPass
  miss: NearMissFold
  /** Causes of the near miss, followed by causes of the pass that concern the entry. */
  causes: Cause[]
}

/** A change that fires, before its numerics are checked. */
interface Firing {
  run: FixRun
  cause: number
  nodes: readonly string[]
  change: FiringChange
}

/** The result of one trial of a firing change. */
type Fired = Pick<Firing, 'nodes' | 'change'> & {
  /** True if the changed pattern has less than half of the operators. */
  small: boolean
  /** Other patterns that the change affects. */
  others: number
}

/** The options applied so far. */
interface AppliedOptions {
  titles: readonly string[]
  narrows: boolean
  adds: boolean
  rewrites: readonly Rewrite[]
}

interface State {
  files: readonly SourceFile[]
  edit: PatternEdit | null
  titles: readonly string[]
  run: FixRun
  miss: NearMissFold
  /** True once a change narrows the pattern. */
  narrows: boolean
  /** Rewrites of the search function that the changes made so far. */
  rewrites: readonly Rewrite[]
}

export class FixSearch {
  private readonly pass: FixPass
  private readonly miss: NearMissFold
  private readonly causes: Cause[]
  private readonly key: string
  private readonly before: number
  private tries = 0
  private readonly tried = new Set<string>()
  /** Fires with less than half of the pattern; used only if nothing better fires. */
  private smaller: CauseFix | null = null
  /** Fire but change the numerics. */
  private readonly refused: CauseFix[] = []
  /** Register an additional pattern instead of changing this one. */
  private readonly alongside: CauseFix[] = []
  /** A change outside the pattern, included in the trials. */
  private besides: OutsideChange | null = null

  constructor(
    private readonly trials: TrialRunner,
    private readonly base: FixRun,
    { pass, miss, causes }: FixTarget,
    private readonly clock: SearchClock,
  ) {
    this.pass = pass
    this.miss = miss
    this.causes = causes
    this.key = pass.keyOf(miss.entry)
    this.before = pass.fired(miss.entry)
  }

  /** Tries changes outside the pattern, then changes of the pattern, then both together. */
  *run(): Generator<null, CauseFix[]> {
    const found: CauseFix[] = []
    let onward: OutsideChange | null = null
    for (const other of outsideChangesFor(this.causes, this.trials, this.base)) {
      if (this.clock.late()) break
      const tried = this.elsewhere(other)
      yield null
      const fixed = tried && (yield* this.verified(tried))
      if (fixed) found.push(fixed)
      else if (other.onward) onward ??= other
    }
    const plain = yield* this.inPattern(null)
    found.push(...this.alongside)
    if (plain) found.push(plain)
    else if (onward && found.length === 0) {
      const both = yield* this.inPattern(onward)
      if (both) found.push(both)
    }
    if (found.length === 0) found.push(...this.refused)
    return found.map((f) => ({ ...f, cause: f.cause < (this.miss.causes?.length ?? 0) ? f.cause : 0 }))
  }

  /** Null, after listing the change as tried, if it changes the numerics. */
  private *verified({ run, cause, nodes, change }: Firing): Generator<null, CauseFix | null> {
    const { base, pass, key } = this
    const checked = yield* verify(this.trials, { base, run, pass: pass.key, key }, change, this.clock)
    const found = { ...checked, cause, nodes }
    if (checked.offered) return found
    if (this.refused.length < MAX_TRIED) this.refused.push(found)
    return null
  }

  /** A change that fires but changes the numerics, combined with the same change of the replacement. */
  private *carried(
    state: State,
    { files, run }: { files: readonly SourceFile[]; run: FixRun },
    { cause, change }: Firing,
    option: Candidate | PatternCandidate,
    site: PatternSite,
  ): Generator<null, CauseFix | null> {
    const { dtype } = this.refused.at(-1)?.fix.numbersDetail ?? {}
    if (!('changes' in option)) return null
    const after = this.placeOf({ ...state, run })
    if (!after) return null
    const rewrites = [...state.rewrites, ...rewritesOf(site, option.changes)]
    const ways = mirrored(after, rewrites).map((changes) => ({ changes, how: 'in pattern and replacement' }))
    if (dtype)
      ways.push({
        changes: castOutput(after, dtype.output, dtype.before),
        how: `and cast the replacement to ${dtype.before}`,
      })
    for (const { changes, how } of ways) {
      if (this.spent() || changes.length === 0) break
      const next = this.pythonTry({ ...state, files }, changes)
      const outcome =
        next &&
        this.outcome(state, next, {
          titles: [change.title],
          narrows: state.narrows,
          adds: false,
          rewrites: [],
        })
      yield null
      if (!next || !outcome || !('change' in outcome)) continue
      const title = `${change.title}, ${how}`
      const found = yield* this.verified({
        cause,
        run: next.run,
        nodes: outcome.nodes,
        change: { ...outcome.change, title },
      })
      if (found) return found
    }
    return null
  }

  private elsewhere({ cause, title, kind, setting, diff }: OutsideChange): Firing | null {
    const run = this.trials.run(this.base.files, setting)
    const pass = run.passes.find((p) => p.key === this.pass.key)
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

  private *inPattern(besides: OutsideChange | null): Generator<null, CauseFix | null> {
    const { causes, base } = this
    let start: State = {
      files: base.files,
      edit: null,
      titles: [],
      run: base,
      miss: { ...this.miss, causes },
      narrows: false,
      rewrites: [],
    }
    this.besides = besides
    if (besides) {
      const run = this.trials.run(base.files, besides.setting)
      const pass = run.passes.find((p) => p.key === this.pass.key)
      const entry = pass?.entryOf(this.key) ?? null
      const miss = pass && entry !== null ? [...missesAt(pass.toExplain, entry, this.miss.anchors)] : []
      yield null
      const left = miss.find((m) => m.causes?.length)
      if (!left || run.failure) return null
      start = { ...start, run, miss: left, titles: [besides.title] }
    }
    this.tried.clear()
    for (const inPattern of besides ? [false] : [false, true]) {
      this.tries = 0
      const best = (yield* this.step(start, 0, inPattern)) ?? this.smaller
      if (best) return best
    }
    return null
  }

  private spent(): boolean {
    return this.tries >= this.clock.budget.tries || this.clock.late()
  }

  private *step(state: State, depth: number, inPattern: boolean): Generator<null, CauseFix | null> {
    const site = this.placeOf(state)
    if (!site) return null
    const onward: { state: State; cause: number }[] = []
    const causes = state.miss.causes ?? []
    for (const { c, cause } of inOrder(causes).slice(0, 4)) {
      const options = inPattern ? patternCandidatesFor(cause, site) : candidatesFor(cause, site)
      let best: { found: CauseFix; others: number } | null = null
      for (const option of options) {
        if (this.spent()) break
        const next = 'edit' in option ? this.patternTry(state, option.edit) : this.pythonTry(state, option.changes)
        if (!next) continue
        // Read this before the pause: the registrations of this run may not outlive it.
        const outcome = this.outcome(state, next, {
          titles: [...state.titles, option.title],
          narrows: state.narrows || ('narrows' in option && option.narrows === true),
          rewrites: [...state.rewrites, ...('changes' in option ? rewritesOf(site, option.changes) : [])],
          adds: 'adds' in option && option.adds === true,
        })
        yield null
        if (!outcome) continue
        if ('change' in outcome) {
          const { small, others, ...made } = outcome
          const firing = { ...made, run: next.run, cause: c }
          const found = (yield* this.verified(firing)) ?? (yield* this.carried(state, next, firing, option, site))
          if (!found) continue
          if ('adds' in option && option.adds) this.alongside.push(found)
          else if (small) this.smaller ??= found
          // A shared expression changes other patterns too: a narrower change may suffice.
          else if (others > 0) best = best && best.others <= others ? best : { found, others }
          else return found
          continue
        }
        onward.push({ state: outcome, cause: c })
        // Two ways past one cause are enough: the others run alone first and are reached again later.
        if (onward.filter((o) => o.cause === c).length === 2) break
      }
      if (best) return best.found
    }
    if (depth + 1 >= MAX_DEPTH) return null
    onward.sort((a, b) => structural(a.state.miss) - structural(b.state.miss))
    for (const { state: next, cause } of onward.slice(0, 2)) {
      const found = yield* this.step(next, depth + 1, inPattern)
      if (found) return { ...found, cause }
    }
    return null
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

  private placeOf(state: State): PatternSite | null {
    const pass = state.run.passes.find((p) => p.key === this.pass.key)
    const entry = pass?.toExplain.entries[state.miss.entry]
    return pass && entry ? new PatternSite(this.trials, state.run, pass, entry, state.miss) : null
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
    return { files, edit: null, run: this.trials.run(files, this.besides?.setting) }
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
      run: this.trials.runWithPattern(state.files, this.pass.name, this.key, both),
    }
  }

  /** Returns a firing change, a state with fewer causes or a better score, or null. */
  private outcome(
    from: State,
    { files, edit, run }: { files: readonly SourceFile[]; edit: PatternEdit | null; run: FixRun },
    applied: AppliedOptions,
  ): Fired | State | null {
    const { titles, narrows, adds, rewrites } = applied
    const pass = run.passes.find((p) => p.key === this.pass.key)
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
    for (const miss of missesAt(pass.toExplain, index, this.miss.anchors)) {
      if (!miss.causes?.length) continue
      const still = new Set(miss.causes.map(keyOf))
      const gone = (from.miss.causes ?? []).some((c) => !still.has(keyOf(c)))
      if (gone && (structural(miss) < structural(from.miss) || (miss.score ?? 0) >= (from.miss.score ?? 0)))
        return { files, edit, titles, run, miss, narrows, rewrites }
    }
    return null
  }

  /** @param index the firing entry in the run's pass */
  private fired(
    { files, edit, run }: { files: readonly SourceFile[]; edit: PatternEdit | null; run: FixRun },
    { titles, adds }: AppliedOptions,
    pass: FixPass,
    index: number,
  ): Fired {
    const others = adds ? 0 : changedBeside(this.base, run, this.key)
    const note = others === 0 ? '' : `; ${others} other ${others === 1 ? 'pattern changes' : 'patterns change'} too`
    const title = titles.map((t, i) => (i === 0 ? t : t[0]!.toLowerCase() + t.slice(1))).join(', and ') + note
    const nodes = pass.toExplain.matches.filter((m) => m.entry === index).flatMap((m) => m.nodes)
    const small = sizeOf(pass, index) < sizeOf(this.pass, this.miss.entry) / 2
    if (edit) return { nodes, small, others, change: this.patternChange(title, pass, index) }
    const change = pythonFix(title, this.base.files, files, adds ? 0 : this.before, pass.fired(index))
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
    const diff = unifiedDiff(
      'traced pattern',
      mine?.searchGraph ? printGraph(mine.searchGraph) : '',
      theirs?.searchGraph ? printGraph(theirs.searchGraph) : '',
    )
    return { title, kind: 'pattern', edits: [], diff, matchesBefore: this.before, matchesAfter: pass.fired(index) }
  }
}
