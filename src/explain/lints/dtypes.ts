/**
 * Lint `dtype-unchecked`: patterns that fired on a different dtype than they were written for. Stage two traces the
 * pattern with the graph's own dtypes, so only nodes that hold a dtype (casts, factories) exclude others. Detected from
 * matches: the replacement returns a different dtype than the graph had, or passes a custom operator a different dtype
 * than the example inputs have.
 */
import { code, listedParts, message, node, operator, worded } from '../../base/message'
import { type Node, operatorOf, isFunctionalized } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import type { Registration } from '../../matcher/types'
import { isNative } from '../reasons/native'
import { Folded, unlessChecked, type LintFacts } from './facts'
import type { Lint } from './types'

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
