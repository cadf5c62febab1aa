/** Example inputs of a registration, as arguments of its initial trace. */
import type { Val } from '../../fx'
import { TorchError } from '../../trace/types'
import { countLeaves } from '../trace_args'
import type { Registration } from '../types'

/** The example inputs by argument, with scalar_workaround's values substituted. */
export function initialTraceArgs(registration: Registration): Val[] {
  let next = 0
  return registration.argNames.map((name): Val => {
    const scalar = registration.scalarWorkaround?.get(name)
    if (scalar !== undefined) return { kind: 'scalar', value: scalar }
    const input = registration.exampleInputs[next++]
    if (!input) throw new TorchError('IndexError', 'list index out of range')
    return input
  })
}

/** Ids of the Python tensors behind the leaves of initialTraceArgs. */
export function exampleIds({ argNames, exampleInputs, exampleIds: ids, scalarWorkaround }: Registration) {
  if (!ids) return undefined
  let [input, leaf] = [0, 0]
  return argNames.flatMap((name): (number | null)[] => {
    if (scalarWorkaround?.has(name)) return [null]
    const count = countLeaves(exampleInputs[input++] ?? null)
    return ids.slice(leaf, (leaf += count))
  })
}
