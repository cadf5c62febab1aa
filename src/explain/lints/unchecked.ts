/** Lints of patterns that fired where they were not written for: another keyword, dtype or layout, which nothing compares. */
import { code, message, node, operator, worded, type Message, listedParts } from '../../base/message'
import { type Arg, type Node, operatorOf, isFunctionalized, isKind, type Val } from '../../fx'
import { pyEqual, pyRepr } from '../../matcher/py'
import type { SchemaLookup } from '../../matcher/schema_facts'
import { isFactory } from '../reasons/operators'
import { Folded, unlessChecked, type LintFacts } from './facts'
import type { Lint } from './types'
import type { EntryView } from '../../matcher/registry'
import type { Registration } from '../../matcher/types'
import { isNative } from '../reasons/native'

/**
 * Lint `ignored-kwarg`: keywords of graph nodes that the pattern does not name. PyTorch compares only the keywords a pattern names (and
 * fills in defaults only when the node has fewer), so `add(x, y, alpha=2)` matches `add(x, y)` and loses its alpha.
 */
export function ignoredKwargs(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const entry of facts.fired) {
    const nodes = facts.patternNodes(entry.index)
    for (const match of facts.matchesOf(entry.index))
      for (const [index, name] of match.map) {
        const p = nodes[index]
        const g = facts.nodeBefore(name)
        if (!p || !g || p.op !== 'call_function' || g.op !== 'call_function' || g.kwargs.size === 0) continue
        for (const [key, value] of g.kwargs) {
          if (p.kwargs.has(key) || meansNothing(g, key, value, facts.schemaOf)) continue
          const text = `${key}=${pyRepr(value)}`
          found.add(`${entry.index} ${index} ${text}`, () => ({
            kind: 'ignored-kwarg',
            entry: entry.index,
            graphNode: name,
            argument: key,
            source: p.meta.source ?? entry.registration.source,
            ...worded(
              message`${node(name)} is ${operator(operatorOf(g))} with ${code(text)}, which the pattern does not name: it matches anyway, and the replacement drops the keyword${leftDead(facts, value)}${unlessChecked(entry)}`,
            ),
          }))
        }
      }
  }
  return found.all()
}

/** The node that computed the keyword's value, where nothing uses it any more. */
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
export function uncheckedDtypes(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const entry of facts.fired) {
    changedOutputs(facts, entry, found)
    otherInputs(facts, entry, found)
  }
  return found.all()
}

function changedOutputs(facts: LintFacts, entry: EntryView, found: Folded): void {
  for (const match of facts.matchesOf(entry.index))
    match.outputs.forEach((name, i) => {
      const was = dtypeOf(name === null ? undefined : facts.nodeBefore(name))
      const by = match.replacedBy[i]
      const is = dtypeOf(by == null ? undefined : facts.nodeAfter(by))
      if (was === null || is === null || was === is) return
      found.add(`${entry.index} out ${i} ${was} ${is}`, () => ({
        kind: 'dtype-unchecked',
        entry: entry.index,
        graphNode: name,
        argument: null,
        source: entry.registration.source,
        ...worded(
          message`the replacement returns ${is} where ${name === null ? 'an output' : node(name)} was ${was}: the pattern does not check the dtype it was written for`,
        ),
      }))
    })
}

function otherInputs(facts: LintFacts, entry: EntryView, found: Folded): void {
  const { registration } = entry
  const replacement = facts.replacements[entry.index]
  if (!('argNames' in registration) || !replacement) return
  const examples = registration.argNames.filter((n) => !registration.scalarWorkaround?.has(n))
  for (const match of facts.matchesOf(entry.index))
    examples.forEach((argument, i) => {
      const example = registration.exampleInputs[i]
      if (example?.kind !== 'tensor') return
      const bound = facts.nodeBefore(match.kwargs[argument] ?? '')
      const is = dtypeOf(bound)
      if (bound === undefined || is === null || is === example.dtype) return
      // An extra_check may check the dtype; one that mixes dtypes which the examples do not mix is worth a look.
      if (registration.extraCheck !== null && !isMixed(facts, match.kwargs, registration, example.dtype, is)) return
      const takers = customUsers(replacement, argument, registration.argNames)
      if (takers.length === 0) return
      found.add(`${entry.index} in ${argument} ${is}`, () => ({
        kind: 'dtype-unchecked',
        entry: entry.index,
        graphNode: bound.name,
        argument,
        source: registration.source,
        ...worded(
          message`${code(argument)} is ${example.dtype} in the example inputs and ${is} here (${node(bound.name)}): the pattern does not check its dtype, and ${listedParts(takers.map(operator))} is called with it; ${code(`extra_check=lambda match: match.kwargs["${argument}"].meta["val"].dtype == torch.${example.dtype}`)} in register_replacement refuses such matches${unlessChecked(entry)}`,
        ),
      }))
    })
}

/** True if another input that has the same dtype in the examples keeps it here, or has a third one. */
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
 * Lint `layout-unchecked`: an operator with its own kernel is called with an argument whose dimensions lie in memory in
 * another order than in the example input, which is row-major. The matcher compares no strides.
 */
export function uncheckedLayouts(facts: LintFacts): Lint[] {
  const found = new Folded()
  for (const entry of facts.fired) {
    const { registration } = entry
    const replacement = facts.replacements[entry.index]
    if (!('argNames' in registration) || !replacement || registration.extraCheck !== null) continue
    const examples = registration.argNames.filter((n) => !registration.scalarWorkaround?.has(n))
    for (const match of facts.matchesOf(entry.index))
      examples.forEach((argument, i) => {
        const bound = facts.nodeBefore(match.kwargs[argument] ?? '')
        const example = registration.exampleInputs[i]
        if (!bound || !isRowMajor(example) || isRowMajor(bound.meta.val) !== false) return
        const takers = customUsers(replacement, argument, registration.argNames)
        if (takers.length === 0) return
        const strides = bound.meta.val?.kind === 'tensor' ? `[${bound.meta.val.stride?.join(', ')}]` : ''
        found.add(`${entry.index} ${argument} ${strides}`, () => ({
          kind: 'layout-unchecked',
          entry: entry.index,
          graphNode: bound.name,
          argument,
          source: registration.source,
          ...worded(
            message`${code(argument)} is row-major in the example inputs and has strides ${strides} here (${node(bound.name)}): the matcher compares no strides, and ${listedParts(takers.map(operator))} is called with it; ${code(`extra_check=lambda match: match.kwargs["${argument}"].meta["val"].is_contiguous()`)} in register_replacement refuses such matches`,
          ),
        }))
      })
  }
  return found.all()
}

/** True where no dimension lies outside a later one; null where sizes or strides are unknown or symbolic. */
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
