/** Lint `undeclared-operator`: the replacement calls an operator that no file declares and the graph does not have. */
import { operatorOf } from '../../fx'
import { code, message, operator, worded } from '../../base/message'
import type { LintFacts } from './facts'
import type { Lint } from './types'

export function undeclaredOperators(facts: LintFacts): Lint[] {
  const guesses = facts.guesses?.()
  if (!guesses || guesses.size === 0) return []
  const inGraph = new Set([...facts.before.nodes()].map((n) => n.target))
  return facts.fired.flatMap(({ index, registration }): Lint[] => {
    const matches = facts.matchesOf(index)
    const calls = [...(facts.replacements[index]?.nodes() ?? [])]
    const call = calls.find((n) => n.op === 'call_function' && guesses.has(n.target) && !inGraph.has(n.target))
    if (!call) return []
    return [
      {
        kind: 'undeclared-operator',
        entry: index,
        times: matches.length,
        graphNode: matches[0]?.node ?? null,
        argument: null,
        source: call.meta.source ?? registration.source,
        ...worded(
          message`the replacement calls ${operator(operatorOf(call))}, which no file declares: PyTorch raises AttributeError there. Write ${code(guesses.get(call.target)!.declaration)} at the top of the file, or import the module that declares it`,
        ),
      },
    ]
  })
}
