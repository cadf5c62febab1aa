/**
 * Compares the matches of two graphs: which are lost, which are new, and which change decides. A change decides if undoing it
 * alone, in a copy of the other graph, brings the match back.
 */
import { compareGraphs } from '../../explain/compare/changes'
import { undo } from '../../explain/compare/undo'
import type { Change } from '../../explain/compare/types'
import type { Correspondence } from '../../explain/compare/correspondence'
import type { Graph, Node } from '../../fx'
import { outlinedView } from '../report/outlined_view'
import { classesOf, comparedChange, type ChangeClass } from './classes'
import { hasMatch, matchesOf, type FoundMatch, type RunMatches } from './matches'
import type { ComparedChange, ComparedMatch, CompareReport } from './types'

export interface ComparedSide {
  name: string
  graph: Graph
  run: RunMatches
}

export interface CompareContext {
  /** Applies the passes of the graph that has the match to a copy of the other graph. */
  rerun(graph: Graph, direction: Direction): RunMatches
  titleOf(pass: string, entry: number): string
  /** The first cause for which a pattern does not match at a node of the new graph; null if none is known. */
  causeAt(pass: string, entry: number, node: string): string | null
  /** If the two graphs have different passes: why the other run lacks a match that these passes find. */
  otherPatterns?(match: FoundMatch, direction: Direction): string
}

type Direction = 'lost' | 'won'

/** Matches with a deciding change come first. */
const RANK: Record<ComparedMatch['how'], number> = { undone: 0, pattern: 0, cause: 1, unknown: 2 }

/** Maximum number of pass runs for one comparison. */
const MAX_TRIALS = 48

export function compareRuns(old: ComparedSide, now: ComparedSide, context: CompareContext): CompareReport {
  const started = performance.now()
  const pairs = compareGraphs(old.graph, now.graph)
  const classes = classesOf(pairs.changes)
  const changes = classes.map(comparedChange)
  const [before, after] = [matchesOf(old.graph, old.run), matchesOf(now.graph, now.run)]
  const forward: Side = { has: before, other: after, graph: now.graph, pairs, classes }
  const backward: Side = {
    has: after,
    other: before,
    graph: old.graph,
    pairs: inverted(pairs),
    classes: classes.map(invertedClass),
  }
  const trials = { left: MAX_TRIALS }
  const lost = only(forward)
  return {
    old: { name: old.name, graph: outlinedView(old.graph) },
    now: { name: now.name, graph: outlinedView(now.graph) },
    paired: pairs.toNew.size,
    pairs: indicesOf(old.graph, now.graph, pairs),
    changes,
    lost: new Decider(forward, context, changes, trials, 'lost').decide(lost),
    won: new Decider(backward, context, changes, trials, 'won').decide(only(backward)),
    kept: keptByPass(before, lost),
    ms: performance.now() - started,
  }
}

function indicesOf(old: Graph, now: Graph, { toNew }: Correspondence): number[] {
  const at = new Map([...now.nodes()].map((n, i) => [n, i]))
  return [...old.nodes()].map((n) => at.get(toNew.get(n)!) ?? -1)
}

/** A graph's matches, and the other graph, which is searched for them. */
interface Side {
  has: readonly FoundMatch[]
  other: readonly FoundMatch[]
  /** The other graph. */
  graph: Graph
  /** Node → its counterpart in the other graph. */
  pairs: Correspondence
  classes: readonly ChangeClass[]
}

const inverted = ({ toNew, toOld }: Correspondence): Correspondence => ({ toNew: toOld, toOld: toNew })

const invertedClass = ({ kind, changes }: ChangeClass): ChangeClass => ({
  kind,
  changes: changes.map((c): Change => ({
    ...c,
    removed: c.inserted,
    inserted: c.removed,
    edits: c.edits.map((e) => ({ ...e, old: e.now, now: e.old })),
  })),
})

const counterparts = (m: FoundMatch, { pairs }: Side): Node[] => m.inGraph.flatMap((n) => pairs.toNew.get(n) ?? [])

const only = (side: Side): FoundMatch[] =>
  side.has.filter((m) => !hasMatch(side.other, m, new Set(counterparts(m, side).map((n) => n.name))))

function keptByPass(before: readonly FoundMatch[], lost: readonly FoundMatch[]): { pass: string; count: number }[] {
  const gone = new Set(lost)
  const counts = new Map<string, number>()
  for (const m of before) counts.set(m.pass, (counts.get(m.pass) ?? 0) + (gone.has(m) ? 0 : 1))
  return [...counts].map(([pass, count]) => ({ pass, count }))
}

class Decider {
  private readonly tried = new Map<string, { matches: FoundMatch[]; map: ReadonlyMap<Node, Node> } | null>()

  constructor(
    private readonly side: Side,
    private readonly context: CompareContext,
    private readonly changes: readonly ComparedChange[],
    private readonly trials: { left: number },
    private readonly direction: Direction,
  ) {}

  decide(matches: readonly FoundMatch[]): ComparedMatch[] {
    const found = new Map<string, ComparedMatch>()
    for (const m of matches) {
      const near = this.onTheWay(m)
      const pattern = this.context.otherPatterns && this.comesBack(m, [])
      const decided = pattern ? [] : this.deciding(m, near)
      const cause = pattern
        ? this.context.otherPatterns!(m, this.direction)
        : decided.length > 0 || this.direction === 'won'
          ? null
          : this.cause(m)
      const key = JSON.stringify([m.pass, m.entry, decided, decided.length > 0 ? null : cause])
      const place = { node: m.node, nodes: [...m.nodes], others: counterparts(m, this.side).map((n) => n.name) }
      const same = found.get(key)
      if (same) {
        same.places.push(place)
        same.changes = [...new Set([...same.changes, ...near])]
        continue
      }
      const title = this.context.titleOf(m.pass, m.entry)
      const how = pattern ? 'pattern' : decided.length > 0 ? 'undone' : cause === null ? 'unknown' : 'cause'
      const sentence = this.sentence(decided, cause)
      found.set(key, { pass: m.pass, entry: m.entry, title, places: [place], changes: near, decided, how, sentence })
    }
    return [...found.values()].sort((a, b) => RANK[a.how] - RANK[b.how])
  }

  private sentence(decided: readonly number[], cause: string | null): string {
    const texts = decided.map((i) => this.changes[i]!.sentence.replace(/\.$/, ''))
    const undone =
      this.direction === 'lost'
        ? 'undone in the new graph, the match is back'
        : 'alone in the old graph, the match appears there'
    if (texts.length === 1) return `${texts[0]}: ${undone}.`
    if (texts.length > 1) return `${texts.length} changes together: ${texts.join('; ')}. All ${undone}.`
    if (cause !== null) return cause
    return this.direction === 'lost'
      ? 'No single change at the match brings it back when undone.'
      : 'No single change at the match takes it away when undone.'
  }

  /** Classes of changes that touch the match's nodes, then classes that touch their neighbors. */
  private onTheWay(m: FoundMatch): number[] {
    const own = new Set(m.inGraph)
    const around = new Set(m.inGraph.flatMap((n) => [...n.inputs(), ...n.users]))
    const paired = (nodes: ReadonlySet<Node>): Set<Node> =>
      new Set([...nodes].flatMap((n) => this.side.pairs.toNew.get(n) ?? []))
    const [ownThere, aroundThere] = [paired(own), paired(around)]
    const touches = (c: Change, here: ReadonlySet<Node>, there: ReadonlySet<Node>): boolean =>
      c.removed.some((n) => here.has(n)) ||
      c.edits.some((e) => here.has(e.old)) ||
      c.inserted.some((n) => [...n.inputs(), ...n.users].some((x) => there.has(x)))
    const rank = ({ changes }: ChangeClass): number =>
      changes.some((c) => touches(c, own, ownThere)) ? 0 : changes.some((c) => touches(c, around, aroundThere)) ? 1 : 2
    const ranked = this.side.classes.map((c, i) => [rank(c), i] as const).filter(([r]) => r < 2)
    return ranked.sort((a, b) => a[0] - b[0]).map(([, i]) => i)
  }

  /** The fewest of these classes whose undoing brings the match back; empty if none does. */
  private deciding(m: FoundMatch, near: readonly number[]): number[] {
    const one = near.find((i) => this.comesBack(m, [i]))
    if (one !== undefined) return [one]
    if (near.length < 2 || !this.comesBack(m, near)) return []
    return near.reduce<number[]>(
      (left, i) => {
        const without = left.filter((j) => j !== i)
        return without.length > 0 && this.comesBack(m, without) ? without : left
      },
      [...near],
    )
  }

  private comesBack(m: FoundMatch, classes: readonly number[]): boolean {
    const trial = this.trial(classes)
    if (!trial) return false
    const names = m.inGraph.flatMap((n) => {
      const paired = this.side.pairs.toNew.get(n)
      return paired ? (trial.map.get(paired)?.name ?? []) : []
    })
    // Restored nodes have no counterpart; the nodes around them are enough.
    return hasMatch(trial.matches, m, new Set(names.length > 0 ? names : m.nodes))
  }

  private trial(classes: readonly number[]) {
    const key = [...classes].sort((a, b) => a - b).join()
    let result = this.tried.get(key)
    if (result !== undefined) return result
    if (this.trials.left-- <= 0) return null
    const undone = undo(
      classes.flatMap((i) => this.side.classes[i]!.changes),
      this.side.graph,
      this.side.pairs,
    )
    result = undone && {
      matches: matchesOf(undone.graph, this.context.rerun(undone.graph, this.direction)),
      map: undone.map,
    }
    this.tried.set(key, result)
    return result
  }

  private cause(m: FoundMatch): string | null {
    const anchor = m.inGraph.find((n) => n.name === m.node)
    const there = anchor && this.side.pairs.toNew.get(anchor)
    return there ? this.context.causeAt(m.pass, m.entry, there.name) : null
  }
}
