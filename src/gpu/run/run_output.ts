/** Compares one output of a match: the two sides with each other, and each with its definition. */
import { DTYPES } from '../../ops/dtype'
import { compareCodes } from './compare'
import type { DefinedOutput } from './run_definitions'
import type { Plan } from './run_plan'
import type { Comparison, OutputReport } from '../types'

/** @param a codes of the unfused side, @param b of the fused, in row-major order */
export function outputReport(
  plan: Plan,
  i: number,
  device: OutputReport['device'],
  { a, b }: { readonly a: ArrayLike<number>; readonly b: ArrayLike<number> },
  reference: DefinedOutput | null,
): OutputReport {
  const { name, at } = plan.unfused.outputs[i]!
  const { dtype, shape, stride } = at.view
  // The reference has only the first rows, which come first in row-major order.
  const against = (r: ArrayLike<number> | undefined, x: ArrayLike<number>): Comparison | null =>
    device === 'reference' || !r ? null : compareCodes(dtype, shape, r, x, r)
  return {
    unfused: name,
    fused: plan.fused.outputs[i]!.name,
    dtype: DTYPES[dtype].short,
    shape: [...shape],
    stride: [...stride],
    device,
    pair: compareCodes(dtype, shape, a, b, reference?.unfused ?? null),
    referencePair: reference?.pair ?? null,
    unfusedAgainstReference: against(reference?.unfused, a),
    fusedAgainstReference: against(reference?.fused ?? reference?.unfused, b),
  }
}
