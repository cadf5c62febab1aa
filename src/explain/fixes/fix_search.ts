/** Searches for changes that make one entry fire at one anchor. */
import type { Cause } from '../causes'
import type { NearMissFold } from '../near_misses'
import { asComputed } from './as_graph/candidates'
import { candidatesFor, patternCandidatesFor } from './candidates'
import { outsideChangesFor, type OutsideChange } from './candidates/outside_pattern'
import { castOutput, mirrored, rewritesOf } from './candidates/mirror'
import type { PatternCandidate } from './candidates/pattern_edits'
import type { Candidate } from './candidates/types'
import { transported } from './carry/transport'
import { ChangeTrials, type Firing, type FixTarget } from './change_trials'
import type { PatternSite } from './pattern_site'
import { inOrder, structural } from './remaining_causes'
import type { SearchClock } from './search_clock'
import type { AppliedOptions, SearchState, Trial } from './search_state'
import type { Fix } from './types'
import { verify, type Verified } from './verify'
import { titled } from './withheld'
import type { FixPass, FixRun, TrialRunner } from './trials'

/** Maximum number of combined changes. */
const MAX_DEPTH = 4

/** Maximum number of firing changes with different values kept per near miss. */
export const MAX_TRIED = 2

export interface CauseFix extends Verified {
  cause: number
  /** Graph nodes that the pattern then matches. */
  nodes: readonly string[]
}

type Option = Candidate | PatternCandidate

export class FixSearch {
  private readonly pass: FixPass
  private readonly miss: NearMissFold
  private readonly causes: Cause[]
  private readonly changes: ChangeTrials
  /** Changes that fire with less than half of the pattern; used only if nothing better fires. */
  private smaller: CauseFix | null = null
  /** Changes that fire but change the values. */
  private readonly refused: CauseFix[] = []
  /** Changes that register an additional pattern instead of changing this one. */
  private readonly alongside: CauseFix[] = []

  constructor(
    private readonly trials: TrialRunner,
    private readonly base: FixRun,
    target: FixTarget,
    private readonly clock: SearchClock,
  ) {
    this.pass = target.pass
    this.miss = target.miss
    this.causes = target.causes
    this.changes = new ChangeTrials(trials, base, target)
  }

  /** Tries changes outside the pattern, then changes of the pattern, then both together. */
  *run(): Generator<null, CauseFix[]> {
    const found: CauseFix[] = []
    let onward: OutsideChange | null = null
    for (const other of outsideChangesFor(this.causes, this.trials, this.base)) {
      if (this.clock.late()) break
      const tried = this.changes.outsidePattern(other)
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

  /** Null, after listing the change as tried, if it changes the values. */
  private *verified({ run, cause, nodes, change }: Firing): Generator<null, CauseFix | null> {
    const { base, pass, changes } = this
    const checked = yield* verify(this.trials, { base, run, pass: pass.key, key: changes.key }, change, this.clock)
    const found = { ...checked, cause, nodes }
    if (checked.offered) return { ...found, fix: yield* this.withAlongside(found.fix, { run, cause, nodes, change }) }
    if (this.refused.length < MAX_TRIED) this.refused.push(found)
    return null
  }

  /** The fix, and the same change as a second registration if that fires and preserves the values too. */
  private *withAlongside(fix: Fix, firing: Firing): Generator<null, Fix> {
    if (this.clock.late()) return fix
    const { run, change } = this.changes.alongside(firing) ?? {}
    yield null
    if (!run || !change) return fix
    const { base, pass, changes } = this
    const checked = yield* verify(this.trials, { base, run, pass: pass.key, key: changes.key }, change, this.clock)
    return checked.offered ? { ...fix, alongside: checked.fix } : fix
  }

  /** A change that fires but changes the values, combined with the same change of the replacement. */
  private *carried(
    state: SearchState,
    { files, run }: Trial,
    { cause, change }: Firing,
    option: Candidate | PatternCandidate,
    site: PatternSite,
  ): Generator<null, CauseFix | null> {
    const { dtype } = this.refused.at(-1)?.fix.numbersDetail ?? {}
    if (!('changes' in option)) return null
    const after = this.changes.siteOf({ ...state, run })
    if (!after) return null
    const rewrites = [...state.rewrites, ...rewritesOf(site, option.changes)]
    const both = 'in pattern and replacement'
    const ways = mirrored(after, rewrites).map((changes) => ({ files, changes, how: both }))
    const carrying = { trials: this.trials, clock: this.clock, site }
    for (const changes of yield* transported(carrying, option.changes))
      ways.push({ files: state.files, changes: [...option.changes, ...changes], how: both })
    if (dtype)
      ways.push({
        files,
        changes: castOutput(after, dtype.output, dtype.before),
        how: `and cast the replacement to ${dtype.before}`,
      })
    for (const { files: from, changes, how } of ways) {
      if (this.spent() || changes.length === 0) break
      const next = this.changes.ofFiles({ ...state, files: from }, changes)
      const applied = { titles: [change.title], narrows: state.narrows, adds: false, rewrites: [] }
      const outcome = next && this.changes.outcome(state, next, applied)
      yield null
      if (!next || !outcome || !('change' in outcome)) continue
      const title = titled(change.title, how, outcome.change.title)
      const found = yield* this.verified({
        cause,
        run: outcome.run ?? next.run,
        nodes: outcome.nodes,
        change: { ...outcome.change, title, ...(change.changes && { changes: change.changes }) },
      })
      if (found) return found
    }
    return null
  }

  private *inPattern(besides: OutsideChange | null): Generator<null, CauseFix | null> {
    const { causes, base } = this
    let start: SearchState = {
      files: base.files,
      edit: null,
      titles: [],
      run: base,
      miss: { ...this.miss, causes },
      narrows: false,
      rewrites: [],
    }
    if (besides) {
      const run = this.trials.run(base.files, besides.setting)
      const left = this.changes.remainingMiss(run)
      yield null
      if (!left) return null
      start = { ...start, run, miss: left, titles: [besides.title] }
    }
    this.changes.startWith(besides)
    for (const inPattern of besides || !this.changes.tracedByFiles ? [false] : [false, true]) {
      this.changes.restartCount()
      const best =
        (yield* this.step(start, 0, inPattern)) ??
        this.smaller ??
        (inPattern || besides ? null : yield* this.whole(start))
      if (best) return best
    }
    return null
  }

  /** Rewrites the whole search function. */
  private *whole(state: SearchState): Generator<null, CauseFix | null> {
    const site = this.changes.siteOf(state)
    if (!site) return null
    this.changes.restartCount()
    for (const option of asComputed(site)) {
      if (this.spent()) break
      const next = this.changes.ofFiles(state, option.changes)
      // One operator of the graph may replace most of the pattern's.
      const outcome =
        next &&
        this.changes.outcome(state, next, { titles: titlesOf(option), narrows: true, adds: false, rewrites: [] })
      yield null
      if (!next || !outcome || !('change' in outcome)) continue
      const { nodes, change, run = next.run } = outcome
      const found = yield* this.verified({ run, cause: 0, nodes, change })
      if (found) return found
    }
    return null
  }

  private spent(): boolean {
    return this.changes.count >= this.clock.budget.tries || this.clock.late()
  }

  /** Screens all options before any of them runs: a run takes Python away from the files that the screening needs. */
  private *screened(state: SearchState, site: PatternSite, options: readonly Option[]): Generator<null, void> {
    for (const option of options) {
      if (!('changes' in option) || option.adds) continue
      if (this.spent()) return
      this.changes.screen(state, option.changes, appliedTo(state, site, option))
      yield null
    }
  }

  private *step(state: SearchState, depth: number, inPattern: boolean): Generator<null, CauseFix | null> {
    const site = this.changes.siteOf(state)
    if (!site) return null
    const onward: { state: SearchState; cause: number }[] = []
    const tried = inOrder(state.miss.causes ?? [])
      .slice(0, 4)
      .map(({ c, cause }) => {
        const options: Option[] = inPattern ? patternCandidatesFor(cause, site) : candidatesFor(cause, site)
        return { c, options }
      })
    yield* this.screened(
      state,
      site,
      tried.flatMap(({ options }) => options),
    )
    for (const { c, options } of tried) {
      let best: { found: CauseFix; others: number } | null = null
      for (const option of options) {
        if (this.spent()) break
        const next =
          'edit' in option ? this.changes.ofPattern(state, option.edit) : this.changes.ofFiles(state, option.changes)
        if (!next) continue
        // Read this before the pause: the registrations of this run may not outlive it.
        const outcome = this.changes.outcome(state, next, appliedTo(state, site, option))
        yield null
        if (!outcome) continue
        if ('change' in outcome) {
          const { small, others, ...made } = outcome
          const firing = { run: next.run, ...made, cause: c }
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
}

/** The changes applied once an option is taken. */
const appliedTo = (state: SearchState, site: PatternSite, option: Option): AppliedOptions => ({
  titles: [...state.titles, ...titlesOf(option)],
  narrows: state.narrows || ('narrows' in option && option.narrows === true),
  rewrites: [...state.rewrites, ...('changes' in option ? rewritesOf(site, option.changes) : [])],
  adds: 'adds' in option && option.adds === true,
})

const titlesOf = (option: Candidate | PatternCandidate): string[] =>
  'also' in option && option.also !== undefined ? [option.title, option.also] : [option.title]
