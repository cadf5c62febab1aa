/** Finds the kinds of matches that one run has more of than another. */
import type { AppliedRewrite, FixRun } from '../../explain/fixes/trials'
import { matchKinds, type MatchKind } from './regions'

/** Caches the kinds of a pass's matches: many runs are compared with the same one. */
const made = new WeakMap<AppliedRewrite, MatchKind[]>()

function kindsOf(rewrite: AppliedRewrite): MatchKind[] {
  let kinds = made.get(rewrite)
  if (!kinds) made.set(rewrite, (kinds = matchKinds(rewrite)))
  return kinds
}

/** @param base the run without the change */
export function newKinds(run: FixRun, base: FixRun): MatchKind[] {
  const before = totals(base)
  return [...totals(run)].flatMap(([key, { kind, count }]) => (count > (before.get(key)?.count ?? 0) ? [kind] : []))
}

function totals(run: FixRun): Map<string, { kind: MatchKind; count: number }> {
  const all = new Map<string, { kind: MatchKind; count: number }>()
  for (const kind of run.passes.flatMap((p) => kindsOf(p))) {
    const known = all.get(kind.key)
    if (known) known.count += kind.count
    else all.set(kind.key, { kind, count: kind.count })
  }
  return all
}
