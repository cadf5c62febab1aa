/** The number of places that a report's run replaced: one count for the page, the text and `--json`. */
import type { Report } from '../protocol'

type Counted = Pick<Report, 'passes' | 'pipeline'>

/** Indices of passes that are searches of SubgraphMatcher: they do not replace their matches. */
const searchesIn = ({ pipeline }: Counted): Set<number> =>
  new Set((pipeline?.stages ?? []).flatMap((s) => s.searches ?? []))

/** True if a pass of the report replaces its matches. */
export const hasPatternPass = (report: Counted): boolean => report.passes.length > searchesIn(report).size

/** Replaced matches of passes, including those before an exception, and places that code on the graph replaced. */
export function replacedIn(report: Counted): number {
  const searched = searchesIn(report)
  const counts = [
    ...report.passes.filter((_, i) => !searched.has(i)).map((p) => p.count),
    ...(report.pipeline?.stages ?? []).filter((s) => s.kind === 'call').map((s) => s.did?.count ?? 0),
  ]
  return counts.reduce((sum, n) => sum + n, 0)
}
