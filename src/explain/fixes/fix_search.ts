/** Looks for what makes one entry fire at one place. */
import { printGraph } from '../../fx'
import { causesKey, type Cause } from '../causes'
import { explainPair, explainPass, type PassToExplain } from '../explain'
import type { NearMissFold } from '../near_misses'
import { candidatesFor, patternCandidatesFor } from './candidates'
import { outsideChangesFor, type OutsideChange } from './candidates/outside_pattern'
import { castOutput, mirrored, rewritesOf, type Rewrite } from './candidates/mirror'
import type { PatternCandidate } from './candidates/pattern_edits'
import type { Candidate } from './candidates/types'
import { applyChanges, unifiedDiff, type Change, type SourceFile } from './change'
import { MIN_PATTERN_SIZE, pythonFix, same, sizeOf, type FixBudget } from './python_fix'
import { PatternSite } from './pattern_site'
import { verify, type FiringChange, type Verified } from './verify'
import type { FixPass, FixRun, TrialRunner, PatternEdit } from './trials'

/** Changes that are made one on top of the other, at most. */
const MAX_DEPTH = 4
const NEEDS_SHARED = 'outputs that share a value'

/** Changes that fire and are not offered, kept for one near miss. */
export const MAX_TRIED = 2

export interface CauseFix extends Verified {
  cause: number
  /** Graph nodes that the pattern then matches. */
  nodes: readonly string[]
}

/** A change that fires, before its numbers are checked. */
interface Firing {
  run: FixRun
  cause: number
  nodes: readonly string[]
  change: FiringChange
}

/** What was done to come to a state. */
interface Made {
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
  /** True once a change was made that says it matches less. */
  narrows: boolean
  /** What the changes so far did to the search function. */
  rewrites: readonly Rewrite[]
}

export class FixSearch {
  private readonly key: string
  private readonly before: number
  private tries = 0
  private readonly tried = new Set<string>()
  /** What repairs less than half of the pattern, until something repairs more. */
  private smaller: CauseFix | null = null
  /** What fires and changes the numbers. */
  private readonly refused: CauseFix[] = []
  /** What registers a further pattern instead of changing this one. */
  private readonly alongside: CauseFix[] = []
  /** What is changed elsewhere too. */
  private besides: OutsideChange | null = null

  constructor(
    private readonly trials: TrialRunner,
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

  /** What helps outside of the pattern, then what helps in it; the second with the first where it has to be. */
  *run(): Generator<null, CauseFix[]> {
    const found: CauseFix[] = []
    let onward: OutsideChange | null = null
    for (const other of outsideChangesFor(this.causes, this.trials, this.base)) {
      if (this.late()) break
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

  /** Null, and kept as tried, for what changes the numbers. */
  private *verified({ run, cause, nodes, change }: Firing): Generator<null, CauseFix | null> {
    const { base, pass, key } = this
    const checked = yield* verify(this.trials, { base, run, pass: pass.key, key }, change)
    const found = { ...checked, cause, nodes }
    if (checked.offered) return found
    if (this.refused.length < MAX_TRIED) this.refused.push(found)
    return null
  }

  /** A change that fires and changes the numbers, with the replacement changed like the pattern. */
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
    // With other answers of the environment, other patterns may be registered.
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
    return this.tries >= this.budget.tries || this.late()
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
        // Before the pause: what this run registered may be gone after it.
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
          // What is shared with other patterns changes them too: a narrower change may do.
          else if (others > 0) best = best && best.others <= others ? best : { found, others }
          else return found
          continue
        }
        onward.push({ state: outcome, cause: c })
        // Two ways past one cause are enough: the others are tried alone first, and met again behind it.
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

  /** A change that makes the pattern match elsewhere, or next to nothing here, repairs nothing. */
  private firesHere(pass: FixPass, entry: number, narrows: boolean): boolean {
    const { matches } = pass.toExplain
    const least = narrows ? MIN_PATTERN_SIZE : sizeOf(this.pass, this.miss.entry) / 2
    if (sizeOf(pass, entry) < least) return false
    // A part of the pattern may come at other places than all of it.
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

  /** A fix, a state that is nearer, or nothing. */
  private outcome(
    from: State,
    { files, edit, run }: { files: readonly SourceFile[]; edit: PatternEdit | null; run: FixRun },
    { titles, narrows, adds, rewrites }: Made,
  ): (Pick<Firing, 'nodes' | 'change'> & { small: boolean; others: number }) | State | null {
    const pass = run.passes.find((p) => p.key === this.pass.key)
    const added = adds ? pass?.toExplain.matches.find((m) => this.isHere(m))?.entry : undefined
    const index = added ?? pass?.entryOf(this.key) ?? null
    if (run.failure || !pass || index === null) return null
    const after = pass.fired(index)
    if (
      after > (adds ? 0 : this.before) &&
      (!adds || run.total > this.base.total) &&
      run.total >= this.base.total &&
      !pass.toExplain.applyError &&
      this.firesHere(pass, index, narrows)
    ) {
      const others = adds ? 0 : changedBeside(this.base, run, this.key)
      const told = others === 0 ? '' : `; ${others} other ${others === 1 ? 'pattern changes' : 'patterns change'} too`
      const title = titles.map((t, i) => (i === 0 ? t : t[0]!.toLowerCase() + t.slice(1))).join(', and ') + told
      const nodes = pass.toExplain.matches.filter((m) => m.entry === index).flatMap((m) => m.nodes)
      const small = sizeOf(pass, index) < sizeOf(this.pass, this.miss.entry) / 2
      if (!edit) {
        const change = pythonFix(title, this.base.files, files, adds ? 0 : this.before, after)
        // The model changes too: the edit alone would not fire.
        const { besides } = this
        if (besides)
          return {
            nodes,
            small,
            others,
            change: { ...change, kind: besides.kind, edits: [], diff: besides.diff + change.diff },
          }
        return { nodes, small, others, change }
      }
      const [mine, theirs] = [this.pass.toExplain.entries[this.miss.entry], pass.toExplain.entries[index]]
      const diff = unifiedDiff(
        'traced pattern',
        mine?.searchGraph ? printGraph(mine.searchGraph) : '',
        theirs?.searchGraph ? printGraph(theirs.searchGraph) : '',
      )
      return {
        nodes,
        small,
        others,
        change: {
          title,
          kind: 'pattern',
          edits: [],
          diff,
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
        return { files, edit, titles, run, miss, narrows, rewrites }
    }
    return null
  }
}

/** What no other repair helps while it stands comes first. */
function inOrder(causes: readonly Cause[]): { c: number; cause: Cause }[] {
  const never = ({ cause }: { cause: Cause }): number => (cause.expected === NEEDS_SHARED ? 0 : 1)
  return causes.map((cause, c) => ({ c, cause })).sort((a, b) => never(a) - never(b) || a.c - b.c)
}

/** Other entries, of all passes, whose pattern is another one after a change. */
function changedBeside(before: FixRun, after: FixRun, key: string): number {
  const texts = (run: FixRun): Map<string, string> =>
    new Map(
      run.passes.flatMap((p) =>
        p.toExplain.entries.flatMap((e): [string, string][] =>
          e.searchGraph ? [[p.keyOf(e.index), printGraph(e.searchGraph)]] : [],
        ),
      ),
    )
  const [old, now] = [texts(before), texts(after)]
  return [...now].filter(([k, text]) => k !== key && old.has(k) && old.get(k) !== text).length
}

const keyOf = (c: Cause): string => causesKey([c])
const structural = (m: NearMissFold): number => (m.causes ?? []).length

/** Graphs up to this size are looked through for the place a changed pattern is now nearest to. */
const MAX_RESCANNED_NODES = 300

/** What stands between one entry and the anchor, and at the place it is nearest to. */
function* missesAt(pass: PassToExplain, entry: number, anchors: readonly string[]): Generator<NearMissFold> {
  const pair = explainPair(pass, entry, anchors[0] ?? '')
  if (pair) yield pair
  if (pass.graph.size > MAX_RESCANNED_NODES) return
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
