/** Looks for what makes one entry fire at one place. */
import { printGraph } from '../../fx'
import { causesKey, type Cause } from '../causes'
import { explainPair, explainPass, type PassToExplain } from '../explain'
import type { NearMissFold } from '../near_misses'
import { candidatesFor, patternCandidatesFor } from './candidates'
import { elsewhereFor, type Elsewhere } from './candidates/elsewhere'
import { applyChanges, unifiedDiff, type Change, type SourceFile } from './change'
import { LEAST, pythonFix, same, sizeOf, type FixBudget } from './made'
import { Place } from './place'
import type { Fix } from './types'
import type { FixPass, FixRun, FixWorld, PatternEdit } from './world'

/** Changes that are made one on top of the other, at most. */
const DEEPEST = 4
const NEEDS_SHARED = 'outputs that share a value'

export interface Repaired {
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

export class Repair {
  private readonly key: string
  private readonly before: number
  private tries = 0
  private readonly tried = new Set<string>()
  /** What repairs less than half of the pattern, until something repairs more. */
  private smaller: Repaired | null = null
  /** What registers a further pattern instead of changing this one. */
  private readonly alongside: Repaired[] = []
  /** What is changed elsewhere too. */
  private besides: Elsewhere | null = null

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

  /** What helps outside of the pattern, then what helps in it; the second with the first where it has to be. */
  *run(): Generator<null, Repaired[]> {
    const found: Repaired[] = []
    let onward: Elsewhere | null = null
    for (const other of elsewhereFor(this.causes, this.world, this.base)) {
      if (this.late()) break
      const fixed = this.elsewhere(other)
      yield null
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
    return found.map((f) => ({ ...f, cause: f.cause < (this.miss.causes?.length ?? 0) ? f.cause : 0 }))
  }

  private elsewhere({ cause, title, kind, setting, diff }: Elsewhere): Repaired | null {
    const run = this.world.run(this.base.files, setting)
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
    const fix: Fix = { title, kind, edits: [], diff, verified: true, matchesBefore: before, matchesAfter: after }
    return { cause, nodes, fix: same ? fix : { ...fix, matchesBefore: 0, matchesAfter: pass.fired(entry) } }
  }

  private *inPattern(besides: Elsewhere | null): Generator<null, Repaired | null> {
    const { causes, base } = this
    let start: State = {
      files: base.files,
      edit: null,
      titles: [],
      run: base,
      miss: { ...this.miss, causes },
      narrows: false,
    }
    this.besides = besides
    if (besides) {
      const run = this.world.run(base.files, besides.setting)
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

  private *step(state: State, depth: number, inPattern: boolean): Generator<null, Repaired | null> {
    const place = this.placeOf(state)
    if (!place) return null
    const onward: { state: State; cause: number }[] = []
    const causes = state.miss.causes ?? []
    for (const { c, cause } of inOrder(causes).slice(0, 4)) {
      const options = inPattern ? patternCandidatesFor(cause, place) : candidatesFor(cause, place)
      let best: { found: Repaired; others: number } | null = null
      for (const option of options) {
        if (this.spent()) break
        const next = 'edit' in option ? this.patternTry(state, option.edit) : this.pythonTry(state, option.changes)
        if (!next) continue
        // Before the pause: what this run registered may be gone after it.
        const outcome = this.outcome(state, next, {
          titles: [...state.titles, option.title],
          narrows: state.narrows || ('narrows' in option && option.narrows === true),
          adds: 'adds' in option && option.adds === true,
        })
        yield null
        if (!outcome) continue
        if ('fix' in outcome) {
          const { small, others, ...made } = outcome
          const found = { ...made, cause: c }
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
    const least = narrows ? LEAST : sizeOf(this.pass, this.miss.entry) / 2
    if (sizeOf(pass, entry) < least) return false
    // A part of the pattern may come at other places than all of it.
    if (narrows) return matches.some((m) => m.entry === entry)
    return matches.some((m) => m.entry === entry && this.isHere(m))
  }

  private isHere({ nodes }: { nodes: readonly string[] }): boolean {
    const aligned = new Set(this.miss.aligned)
    return nodes.filter((n) => aligned.has(n)).length >= Math.min(aligned.size, nodes.length) / 2
  }

  private placeOf(state: State): Place | null {
    const pass = state.run.passes.find((p) => p.key === this.pass.key)
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
    return { files, edit: null, run: this.world.run(files, this.besides?.setting) }
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
    { titles, narrows, adds }: { titles: readonly string[]; narrows: boolean; adds: boolean },
  ): (Omit<Repaired, 'cause'> & { small: boolean; others: number }) | State | null {
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
        const fix = pythonFix(title, this.base.files, files, adds ? 0 : this.before, after)
        // The model changes too: the edit alone would not fire.
        const { besides } = this
        if (besides)
          return { nodes, small, others, fix: { ...fix, kind: besides.kind, edits: [], diff: besides.diff + fix.diff } }
        return { nodes, small, others, fix }
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
