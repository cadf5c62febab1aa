/** Finds the kinds of matches that one run has and another lacks. */
import type { AppliedRewrite, FixRun } from '../../explain/fixes/trials'
import type { OperatorBodies } from '../programs/operator_bodies'
import { matchKinds, type MatchKind } from './regions'

/** Caches the kinds of a pass's matches, because many runs are compared with the same run. */
const made = new WeakMap<AppliedRewrite, MatchKind[]>()

function kindsOf(rewrite: AppliedRewrite, bodies: OperatorBodies | null): MatchKind[] {
  let kinds = made.get(rewrite)
  if (!kinds) made.set(rewrite, (kinds = matchKinds(rewrite, bodies)))
  return kinds
}

/**
 * @param base the run without the change
 * @param bodies of a run's own operators
 */
export function newKinds(run: FixRun, base: FixRun, bodies: (of: FixRun) => OperatorBodies | null): MatchKind[] {
  // The newer run first, while Python still holds its functions.
  const after = totals(run, bodies(run))
  const before = totals(base, bodies(base))
  return [...after].flatMap(([key, { kind, count }]) => (count > (before.get(key)?.count ?? 0) ? [kind] : []))
}

function totals(run: FixRun, bodies: OperatorBodies | null): Map<string, { kind: MatchKind; count: number }> {
  const all = new Map<string, { kind: MatchKind; count: number }>()
  for (const kind of run.passes.flatMap((p) => kindsOf(p, bodies))) {
    const known = all.get(kind.key)
    if (known) known.count += kind.count
    else all.set(kind.key, { kind, count: kind.count })
  }
  return all
}
