/**
 * Lints of patterns that fired on graphs they were not written for: another keyword, dtype or layout, which the matcher does not
 * compare.
 */
import { code, message, node, operator, type Message, listedParts } from '../../base/message'
import { type Arg, type Node, operatorOf, isFunctionalized, isKind, type Val } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { AppliedMatch } from '../../matcher/observer'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { isFactory } from '../reasons/operators'
import { matchedNodes, unlessChecked, type Finding, type LintFacts } from './facts'
import type { EntryView } from '../../matcher/registry'
import type { Registration } from '../../matcher/types'
import { isNative } from '../reasons/native'

/**
 * Lint `ignored-kwarg`: keywords of graph nodes that the pattern does not name. PyTorch compares only the keywords a pattern names (and
 * fills in defaults only when the node has fewer), so `add(x, y, alpha=2)` matches `add(x, y)` and loses its alpha.
 */
export function* ignoredKwargs(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired)
    for (const { at, p, g } of matchedNodes(facts, entry)) {
      if (p.op !== 'call_function' || g.op !== 'call_function') continue
      for (const [argument, value] of g.kwargs) {
        if (p.kwargs.has(argument) || meansNothing(g, argument, value, facts.schemaOf)) continue
        const given = `${argument}=${pyRepr(value)}`
        yield {
          kind: 'ignored-kwarg',
          entry,
          key: `${at} ${given}`,
          graphNode: g.name,
          argument,
          source: p.meta.source,
          text: message`${node(g.name)} is ${operator(operatorOf(g))} with ${code(given)}, which the pattern does not name: it matches anyway, and the replacement drops the keyword${leftDead(facts, value)}${unlessChecked(entry)}`,
        }
      }
    }
}

/** The node that computed the keyword's value, if nothing uses it any more. */
function leftDead(facts: LintFacts, value: Arg): Message {
  const made = isNode(value) && value.op === 'call_function' ? facts.nodeAfter(value.name) : undefined
  if (!made || made.users.size > 0) return []
  return message`; nothing uses ${node(made.name)} (${operator(operatorOf(made))}) any more, so dead-code elimination removes it`
}

/** True if the keyword only restates the default. */
function meansNothing(g: Node, key: string, value: Arg, schemaOf: SchemaLookup): boolean {
  if (value === null) return true
  if (key === 'layout') return isKind(value, 'layout') && value.name === 'strided'
  if (key === 'pin_memory') return value === false
  if (key === 'memory_format' || key === 'non_blocking') return true
  // A factory's device is determined by its user.
  if (key === 'device' && isFactory(g)) return true
  if (key === 'implicit') return true
  // auto_functionalized's own bookkeeping arguments.
  if (isFunctionalized(g) && key.startsWith('_')) return true
  const fact = schemaOf(operatorOf(g))?.args.find((a) => a.name === key)
  return fact?.default !== undefined && !isNode(value) && pyEqual(value, fact.default)
}

const isNode = (a: Arg): a is Node => typeof a === 'object' && a !== null && 'users' in a

/**
 * Lint `dtype-unchecked`: patterns that fired on a different dtype than they were written for. Stage two traces the
 * pattern with the graph's own dtypes, so only nodes that hold a dtype (casts, factories) exclude others. Detected from
 * matches: the replacement returns a different dtype than the graph had, or passes a custom operator a different dtype
 * than the example inputs have.
 */
export function* uncheckedDtypes(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired) {
    yield* changedOutputs(facts, entry)
    yield* otherInputs(facts, entry)
  }
}

function* changedOutputs(facts: LintFacts, entry: EntryView): Generator<Finding> {
  for (const match of facts.matchesOf(entry.index))
    for (const [i, name] of match.outputs.entries()) {
      const was = dtypeOf(name === null ? undefined : facts.nodeBefore(name))
      const by = match.replacedBy[i]
      const is = dtypeOf(by == null ? undefined : facts.nodeAfter(by))
      if (was === null || is === null || was === is) continue
      yield {
        kind: 'dtype-unchecked',
        entry,
        key: `out ${i} ${was} ${is}`,
        graphNode: name,
        text: message`the replacement returns ${is} where ${name === null ? 'an output' : node(name)} was ${was}: the pattern does not check the dtype it was written for`,
      }
    }
}

function* otherInputs(facts: LintFacts, entry: EntryView): Generator<Finding> {
  for (const { registration, match, argument, bound, example } of boundExamples(facts, entry)) {
    const is = dtypeOf(bound)
    if (example.kind !== 'tensor' || is === null || is === example.dtype) continue
    // An extra_check may check the dtype; mixed dtypes that the examples do not mix are still worth a look.
    if (registration.extraCheck !== null && !isMixed(facts, match.kwargs, registration, example.dtype, is)) continue
    const takers = customUsers(facts.replacements[entry.index]!, argument, registration.argNames)
    if (takers.length === 0) continue
    yield {
      kind: 'dtype-unchecked',
      entry,
      key: `in ${argument} ${is}`,
      graphNode: bound.name,
      argument,
      text: message`${code(argument)} is ${example.dtype} in the example inputs and ${is} here (${node(bound.name)}): the pattern does not check its dtype, and ${listedParts(takers.map(operator))} is called with it; ${code(`extra_check=lambda match: match.kwargs["${argument}"].meta["val"].dtype == torch.${example.dtype}`)} in register_replacement refuses such matches${unlessChecked(entry)}`,
    }
  }
}

/** The arguments of an entry with a replacement at each match: their examples, and the nodes bound to them. */
function* boundExamples(
  facts: LintFacts,
  { index, registration }: EntryView,
): Generator<{ registration: Registration; match: AppliedMatch; argument: string; bound: Node; example: Val }> {
  if (!('argNames' in registration) || !facts.replacements[index]) return
  const names = registration.argNames.filter((n) => !registration.scalarWorkaround?.has(n))
  for (const match of facts.matchesOf(index))
    for (const [i, argument] of names.entries()) {
      const example = registration.exampleInputs[i]
      const bound = facts.nodeBefore(match.kwargs[argument] ?? '')
      if (example && bound) yield { registration, match, argument, bound, example }
    }
}

/** True if another input with the same example dtype keeps it here, or has a third dtype. */
function isMixed(
  facts: LintFacts,
  bound: Readonly<Record<string, string>>,
  { argNames, exampleInputs, scalarWorkaround }: Registration,
  example: string,
  is: string,
): boolean {
  const names = argNames.filter((n) => !scalarWorkaround?.has(n))
  return names.some((name, i) => {
    const other = exampleInputs[i]
    const here = dtypeOf(facts.nodeBefore(bound[name] ?? ''))
    return other?.kind === 'tensor' && other.dtype === example && here !== null && here !== is
  })
}

/** Operators with their own kernels that the replacement calls directly with the argument. */
export function customUsers(
  replacement: NonNullable<LintFacts['replacements'][number]>,
  argument: string,
  names: readonly string[],
): string[] {
  const placeholders = [...replacement.nodes()].filter((n) => n.op === 'placeholder')
  const at = placeholders[names.indexOf(argument)]
  if (!at || placeholders.length !== names.length) return []
  const calls = [...at.users].filter((u) => u.op === 'call_function' && (isFunctionalized(u) || !isNative(u.target)))
  return [...new Set(calls.map(operatorOf))].filter((op) => !isNative(op) && !op.startsWith('higher_order.'))
}

const dtypeOf = (n: Node | undefined): string | null => (n?.meta.val?.kind === 'tensor' ? n.meta.val.dtype : null)

/**
 * Lint `layout-unchecked`: an operator with its own kernel gets an argument whose dimension order in memory differs from the
 * row-major example input. The matcher does not compare strides.
 */
export function* uncheckedLayouts(facts: LintFacts): Generator<Finding> {
  for (const entry of facts.fired)
    for (const { registration, argument, bound, example } of boundExamples(facts, entry)) {
      if (registration.extraCheck !== null || !isRowMajor(example) || isRowMajor(bound.meta.val) !== false) continue
      const takers = customUsers(facts.replacements[entry.index]!, argument, registration.argNames)
      if (takers.length === 0) continue
      const strides = bound.meta.val?.kind === 'tensor' ? `[${bound.meta.val.stride?.join(', ')}]` : ''
      yield {
        kind: 'layout-unchecked',
        entry,
        key: `${argument} ${strides}`,
        graphNode: bound.name,
        argument,
        text: message`${code(argument)} is row-major in the example inputs and has strides ${strides} here (${node(bound.name)}): the matcher compares no strides, and ${listedParts(takers.map(operator))} is called with it; ${code(`extra_check=lambda match: match.kwargs["${argument}"].meta["val"].is_contiguous()`)} in register_replacement refuses such matches`,
      }
    }
}

/** True if the strides are row-major in order; null if sizes or strides are unknown or symbolic. */
function isRowMajor(val: Val | undefined | null): boolean | null {
  if (val?.kind !== 'tensor' || !val.stride) return null
  const strides: number[] = []
  for (const [d, size] of val.shape.entries()) {
    const stride = val.stride[d]
    if (typeof size !== 'number' || typeof stride !== 'number') return null
    if (size !== 1) strides.push(stride)
  }
  return strides.every((s, i) => i === 0 || s <= strides[i - 1]!)
}
