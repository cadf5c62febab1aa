/** How much a report's run replaced: one count for the page, the text and `--json`. */
import type { Report } from '../protocol'

type Counted = Pick<Report, 'passes' | 'pipeline'>

/** Indices of passes that are searches of SubgraphMatcher: what they find is not replaced by them. */
const searchesIn = ({ pipeline }: Counted): Set<number> =>
  new Set((pipeline?.stages ?? []).flatMap((s) => s.searches ?? []))

/** True if a pass of the report replaces what it finds. */
export const hasPatternPass = (report: Counted): boolean => report.passes.length > searchesIn(report).size

/** Matches of passes, also before one raised, and places that code on the graph replaced. */
export function replacedIn(report: Counted): number {
  const searched = searchesIn(report)
  const counts = [
    ...report.passes.filter((_, i) => !searched.has(i)).map((p) => p.count),
    ...(report.pipeline?.stages ?? []).filter((s) => s.kind === 'call').map((s) => s.did?.count ?? 0),
  ]
  return counts.reduce((sum, n) => sum + n, 0)
}
