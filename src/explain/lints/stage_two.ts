/**
 * Lint `stage-two-skipped`: patterns registered with search_fn_pattern. PyTorch then runs stage two on the same pattern
 * instead of tracing one with exact constants, so wildcards of stage one are never compared.
 */
import { code, listedParts, message, operator, worded } from '../../base/message'
import type { PatternArgData, PatternData } from '../../matcher/types'
import { packetOf } from '../reasons/operators'
import { unlessChecked, type LintFacts } from './facts'
import type { Lint } from './types'

export function stageTwoSkipped(facts: LintFacts): Lint[] {
  const lints: Lint[] = []
  for (const entry of facts.fired) {
    const { registration } = entry
    if (!('searchFnPattern' in registration) || !registration.searchFnPattern) continue
    const loose = wildcardsOf(registration.searchFnPattern)
    if (loose.size === 0) continue
    const parts = [...loose].map(([op, n]) => message`${n} of ${operator(op)}`)
    const matches = facts.matchesOf(entry.index)
    lints.push({
      kind: 'stage-two-skipped',
      entry: entry.index,
      times: matches.length,
      graphNode: matches[0]?.node ?? null,
      argument: null,
      source: registration.source,
      ...worded(
        message`${code('search_fn_pattern')} is given, so stage two compares with it and not with exact constants: its wildcards (${listedParts(parts)}) match any value${unlessChecked(entry)}`,
      ),
    })
  }
  return lints
}

/** Operator → how many of its arguments are Ignored(). */
function wildcardsOf(pattern: PatternData): Map<string, number> {
  const out = new Map<string, number>()
  const visitArg = (a: PatternArgData, op: string): void => {
    if ('pattern' in a) {
      if (a.pattern.expr === 'Ignored') out.set(op, (out.get(op) ?? 0) + 1)
      else visit(a.pattern)
    } else if ('list' in a) a.list.forEach((x) => visitArg(x, op))
    else if ('tuple' in a) a.tuple.forEach((x) => visitArg(x, op))
    else if ('dict' in a) a.dict.forEach(([, x]) => visitArg(x, op))
  }
  const visit = (p: PatternData): void => {
    if ('args' in p) {
      const op = packetOf(p.fns[0] ?? '')
      p.args.forEach((a) => visitArg(a, op))
      p.kwargs.forEach(([, a]) => visitArg(a, op))
    } else if (p.expr === 'MultiOutputPattern') p.outputs.forEach((o) => o && visit(o))
    else if (p.expr === 'ListOf' || p.expr === 'RepeatedExpr') visit(p.pattern)
  }
  visit(pattern)
  return out
}
