/** Finds results that a replacement returns in another order than the search function. */
import { compareCodes } from './compare'
import type { DefinedOutput } from './run_definitions'
import type { Plan } from './run_plan'
import type { OutputReport } from '../types'
import { isClose } from './verdict'

/** Two unequal outputs of one shape and dtype of which each is close to the other's definition; null if there are none. */
export function exchangedOutputs(
  { unfused }: Plan,
  reports: readonly OutputReport[],
  defined: readonly DefinedOutput[],
): [string, string] | null {
  const agree = (i: number, j: number): boolean => {
    const [a, b, { dtype, shape }] = [defined[i]!.unfused, defined[j]!.fused, unfused.outputs[i]!.at.view]
    return b !== null && isClose({ ...reports[i]!, pair: compareCodes(dtype, shape, a, b, null) })
  }
  const alike = (i: number, j: number): boolean =>
    reports[i]!.dtype === reports[j]!.dtype && reports[i]!.shape.join() === reports[j]!.shape.join()
  const open = [...reports.keys()].filter((i) => !reports[i]!.pair.equal && !isClose(reports[i]!))
  for (const i of open)
    for (const j of open)
      if (i < j && alike(i, j) && agree(i, j) && agree(j, i)) return [reports[i]!.unfused, reports[j]!.unfused]
  return null
}
