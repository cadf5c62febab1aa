/**
 * Lint `layout-unchecked`: an operator with its own kernel is called with an argument whose dimensions lie in memory in
 * another order than in the example input, which is row-major. The matcher compares no strides.
 */
import { code, listedParts, message, node, operator, worded } from '../../base/message'
import type { Val } from '../../fx'
import { customUsers } from './dtypes'
import { Folded, type LintFacts } from './facts'
import type { Lint } from './types'

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
