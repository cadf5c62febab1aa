/** Lint `argument-order`: a replacement whose parameters are the search function's in another order. */
import { code, message, worded } from '../../base/message'
import type { LintFacts } from './facts'
import type { Lint } from './types'

export function reorderedArguments(facts: LintFacts): Lint[] {
  return facts.fired.flatMap(({ index, registration }): Lint[] => {
    if (!('argNames' in registration) || !registration.replaceArgNames) return []
    const { argNames, replaceArgNames } = registration
    const at = replaceArgNames.findIndex((name, i) => name !== argNames[i])
    const sameNames = replaceArgNames.length === argNames.length && replaceArgNames.every((n) => argNames.includes(n))
    if (at < 0 || !sameNames) return []
    const matches = facts.matchesOf(index)
    return [
      {
        kind: 'argument-order',
        entry: index,
        times: matches.length,
        graphNode: matches[0]?.node ?? null,
        argument: replaceArgNames[at]!,
        source: registration.source,
        ...worded(
          message`the replacement function takes (${replaceArgNames.join(', ')}) and the search function (${argNames.join(', ')}), and PyTorch passes arguments by position: its ${code(replaceArgNames[at]!)} is the pattern’s ${code(argNames[at]!)}. Give both functions the same order`,
        ),
      },
    ]
  })
}
