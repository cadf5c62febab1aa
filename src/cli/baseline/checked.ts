/** What a check finds: counts of the baseline beside those of now. */
import type { ComparedTable } from '../../engine/table/table'
import { countsIn, keyOf, type PassCount } from './counts'

export interface Checked {
  /** Number of counts of the baseline. */
  compared: number
  lost: Loss[]
  /** More matches, new passes, passes that run again. */
  gained: Change[]
  /** Graphs and folders of the baseline that were not given, one sentence each. */
  missing: string[]
  /** Graphs that the baseline does not have. */
  newGraphs: string[]
}

/** `before`: undefined if the baseline has no such pass on the graph; null if it raised there. */
export interface Change extends PassCount {
  before: number | null | undefined
}

/** A pass that matches less often, raises, or is gone. */
export interface Loss extends Change {
  /** What `explain` says first, a line each. */
  why: readonly string[]
}

export const isLoss = ({ lost, missing }: Checked): boolean => lost.length + missing.length > 0

/** Without reasons. */
export function compared(before: ComparedTable, after: ComparedTable): Checked {
  const [earlier, now] = [countsIn(before), countsIn(after)]
  const folders = new Set(after.rows.map((r) => r.folder))
  const [given, known] = [new Set(after.graphs), new Set(before.graphs)]
  const lost: Loss[] = []
  for (const was of earlier.values()) {
    if (!given.has(was.graph) || !folders.has(was.folder)) continue
    const is = now.get(keyOf(was)) ?? gone(was)
    const loses =
      was.count !== null && (is.count === null ? is.failure !== GONE || was.count > 0 : is.count < was.count)
    if (loses) lost.push({ ...is, before: was.count, why: [] })
  }
  return {
    compared: earlier.size,
    lost,
    gained: [...now.values()].flatMap((is): Change[] => {
      const was = earlier.get(keyOf(is))
      const gains = is.count !== null && (was === undefined ? known.has(is.graph) : is.count > (was.count ?? -1))
      return gains ? [{ ...is, before: was?.count }] : []
    }),
    missing: [
      ...before.graphs.filter((g) => !given.has(g)).map((g) => `The graph ${g} of the baseline was not given.`),
      ...[...new Set(before.rows.map((r) => r.folder))]
        .filter((f) => !folders.has(f))
        .map((f) => `The passes ${f} of the baseline were not given.`),
    ],
    newGraphs: after.graphs.filter((g) => !known.has(g)),
  }
}

const GONE = 'no such pass counts matches on this graph any more'
const gone = ({ folder, pass, graph }: PassCount): PassCount => ({ folder, pass, graph, count: null, failure: GONE })
