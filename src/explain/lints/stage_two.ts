/**
 * Lint `stage-two-skipped`: patterns registered with search_fn_pattern or by gen_register_replacement. PyTorch then runs
 * stage two on the same pattern instead of tracing one with exact constants, so wildcards of stage one are never
 * compared. Where the search function is known, it is traced as stage two would, and only constants that differ are
 * reported.
 */
import { code, listedParts, message, node as nodeLink, operator } from '../../base/message'
import { Node, type Arg, operatorOf, packetOf } from '../../fx'
import type { AppliedMatch } from '../../matcher/observer'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { EntryView } from '../../matcher/registry'
import type { PatternArgData, PatternData } from '../../matcher/types'
import { unlessChecked, type Finding, type LintFacts } from './facts'

export function* stageTwoSkipped(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    const { registration } = entry
    if (!('searchFnPattern' in registration)) continue
    if (entry.searchGraph) {
      if (registration.pretraced) yield* contradicted(facts, entry)
      continue
    }
    const loose = registration.searchFnPattern && wildcardsOf(registration.searchFnPattern)
    if (!loose || loose.size === 0) continue
    const parts = [...loose].map(([op, n]) => message`${n} of ${operator(op)}`)
    yield {
      kind: 'stage-two-skipped',
      entry,
      text: message`${code('search_fn_pattern')} is given, so stage two compares with it and not with exact constants: its wildcards (${listedParts(parts)}) match any value${unlessChecked(entry)}`,
    }
  }
}

/** Maximum number of matches of an entry that are traced for this lint. */
const MOST_TRACED = 16

/** Constants of matched nodes that are wildcards in the pattern and differ from the search function's. */
function* contradicted(facts: LintFacts, entry: EntryView): Generator<Finding> {
  for (const match of facts.matchesOf(entry.index).slice(0, MOST_TRACED)) {
    const captured = capturedBy(match, entry, facts)
    const trace = captured && facts.untaken?.(entry.index, captured)
    if (!trace || 'rejected' in trace || !trace.toInitial) continue
    const matched = new Map(match.map)
    for (const [i, own] of [...trace.graph.nodes()].entries()) {
      const at = trace.toInitial[i]
      const name = at == null ? undefined : matched.get(at)
      const there = name === undefined ? undefined : facts.nodeBefore(name)
      if (own.op !== 'call_function' || !there) continue
      for (const d of differing(own, there, facts))
        yield {
          kind: 'stage-two-skipped',
          entry,
          key: `${at} ${d.argument} ${pyRepr(d.own)} ${pyRepr(d.there)}`,
          graphNode: there.name,
          argument: d.argument,
          source: own.meta.source,
          text: message`the pattern fires on ${nodeLink(there.name)} with ${code(`${d.argument} = ${pyRepr(d.there)}`)}, where the search function has ${code(pyRepr(d.own))} of ${operator(operatorOf(own))} for these inputs: ${code('gen_register_replacement')} traced the pattern ahead of time, so stage two compares neither numbers nor lists of numbers${unlessChecked(entry)}`,
        }
    }
  }
}

/** The values of the search function's arguments in a match; null if one is neither a node nor a number. */
function capturedBy(match: AppliedMatch, { registration }: EntryView, facts: LintFacts): Map<string, Arg> | null {
  const out = new Map<string, Arg>()
  for (const name of 'argNames' in registration ? registration.argNames : []) {
    const text = match.kwargs[name] ?? ''
    const value = facts.nodeBefore(text) ?? numberOf(text)
    if (value === null) return null
    out.set(name, value)
  }
  return out
}

function numberOf(text: string): Arg | null {
  if (/^-?\d+$/.test(text)) return BigInt(text)
  if (text === 'True' || text === 'False') return text === 'True'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : null
}

interface Contradiction {
  argument: string
  own: Arg
  there: Arg
}

/** Arguments without nodes that differ. Sizes that are symbols on one side are not compared. */
function differing(own: Node, there: Node, { schemaOf }: LintFacts): Contradiction[] {
  const schema = schemaOf(operatorOf(own))
  const out: Contradiction[] = []
  const compare = (argument: string, a: Arg | undefined, b: Arg | undefined): void => {
    if (a === undefined || b === undefined || !isPlain(a) || !isPlain(b) || pyEqual(a, b)) return
    out.push({ argument, own: a, there: b })
  }
  own.args.forEach((a, i) => compare(schema?.args[i]?.name ?? String(i), a, there.args[i]))
  for (const [name, a] of own.kwargs) compare(name, a, there.kwargs.get(name))
  return out
}

function isPlain(a: Arg): boolean {
  if (Array.isArray(a)) return (a as readonly Arg[]).every(isPlain)
  return typeof a === 'bigint' || typeof a === 'number' || typeof a === 'boolean'
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
