/** Searches for changes of patterns that fire wrongly: with them the lint is gone. */
import { lintPass } from '../../lints/lint'
import type { Lint } from '../../lints/types'
import { lintCandidates } from './candidates'
import { applyChanges } from '../change'
import { PatternSite } from '../pattern_site'
import { pythonFix, same } from '../python_fix'
import { onlyComputing } from '../withheld'
import type { SearchClock } from '../search_clock'
import type { FixPass, FixRun, TrialRunner } from '../trials'
import { verify, type Verified } from '../verify'

/** Kinds of lints that a change of the code may remove. */
const MENDED: ReadonlySet<Lint['kind']> = new Set([
  'ignored-kwarg',
  'dtype-unchecked',
  'other-reduction',
  'needless-output',
])
/** Lints of one pass that are tried: a wrong pattern shows the same in each of its variants. */
const MAX_LINTS = 4

export const isMended = ({ kind }: Lint): boolean => MENDED.has(kind)

/** The fixes of each lint, by its index. */
export function* lintFixes(
  trials: TrialRunner,
  base: FixRun,
  { pass, lints }: { pass: FixPass; lints: readonly Lint[] },
  clock: SearchClock,
): Generator<null, { lint: number; found: Verified }[]> {
  const fixes: { lint: number; found: Verified }[] = []
  const chosen = lints.map((lint, i) => ({ lint, i })).filter(({ lint }) => isMended(lint))
  for (const { lint, i } of chosen.slice(0, MAX_LINTS)) {
    const entry = pass.toExplain.entries[lint.entry]
    const match = pass.matches.find(
      (m) => m.entry === lint.entry && (m.nodes.includes(lint.graphNode ?? '') || isBound(m.kwargs, lint.graphNode)),
    )
    if (!entry || !match || clock.late()) continue
    const site = new PatternSite(trials, base, pass, entry, null)
    for (const { title, changes } of lintCandidates(lint, site, match)) {
      const files = applyChanges(base.files, changes)
      if (!files || same(base.files, files)) continue
      const run = trials.run(files)
      yield null
      const key = pass.keyOf(lint.entry)
      const now = run.passes.find((p) => p.key === pass.key)
      const index = now?.entryOf(key) ?? null
      if (run.failure || !now || index === null || now.toExplain.applyError || shows(now, index, lint)) continue
      const [before, after] = [pass.fired(lint.entry), now.fired(index)]
      if (lint.kind === 'ignored-kwarg' && after < before) continue
      const plain = pythonFix(title, base.files, files, before, after)
      const change = onlyComputing(plain, pass.toExplain.graph, base.files, files)
      const found = yield* verify(trials, { base, run, pass: pass.key, key }, change, clock)
      if (found.offered) fixes.push({ lint: i, found })
    }
  }
  return fixes
}

const isBound = (kwargs: Readonly<Record<string, string>>, name: string | null): boolean =>
  Object.values(kwargs).some((v) => v === name)

/** True if a pattern still has the lint. */
function shows({ toExplain, before, after, matches, replacement }: FixPass, entry: number, lint: Lint): boolean {
  const found = lintPass({
    entries: toExplain.entries,
    schemaOf: toExplain.schemaOf,
    before,
    after,
    matches: matches.filter((m) => m.entry === entry),
    replacements: toExplain.entries.map((e) => (e.index === entry ? replacement(entry) : null)),
  })
  return found.some((l) => l.kind === lint.kind && l.argument === lint.argument)
}
