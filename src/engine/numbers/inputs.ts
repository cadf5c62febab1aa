/** Generates small inputs that show each kind's purpose; Run's one special value in a thousand would be too rare. */
import { DTYPES } from '../../ops/dtype'
import { numel } from '../../ops/kernel'
import { readValues, writeValues } from '../../gpu/device/host'
import type { Plan } from '../../gpu/run/run_plan'
import { DISTRIBUTIONS, type Distribution } from '../../gpu/types'

/** Run's kinds plus `small`: activations of about 0.001 beside weights of about 1, where an epsilon matters. */
export type InputKind = Distribution | 'small'
export const INPUT_KINDS: readonly InputKind[] = [...DISTRIBUTIONS, 'small']

/** The kind in Run from which a kind is derived. */
export const madeFrom = (kind: InputKind): Distribution => (kind === 'small' ? 'normal' : kind)

/** Inputs with more elements than this already contain outliers and infinities. */
const FEW = 2 ** 16
/** Interval of special elements: coprime with the sizes of heads, groups and rows. */
const STEP = 7
/** Factors of outliers; only float32 and bfloat16 have the range for the second. */
const FACTORS = [64, 4096]
const SMALL = 2 ** -10
const NON_FINITE = [Infinity, -Infinity, NaN]

/** Modifies `inputs` in place. */
export function madeFor(plan: Plan, kind: InputKind, inputs: Map<string, Uint8Array>): Map<string, Uint8Array> {
  if (kind !== 'outliers' && kind !== 'non-finite' && kind !== 'small') return inputs
  const seen = new Set<string>()
  for (const { name, at } of [...plan.unfused.inputs, ...plan.fused.inputs]) {
    const { view } = at
    const info = DTYPES[view.dtype]
    if (seen.has(name) || !info.floating || info.bytes === 1 || numel(view.shape) > FEW) continue
    if (kind === 'small' && view.shape.length < 2) continue
    if ((plan.roles.get(name) ?? 'data') !== 'data') continue
    seen.add(name)
    const bytes = inputs.get(name)!
    const values = readValues(view, bytes)
    const wide = view.dtype === 'float32' || view.dtype === 'bfloat16'
    if (kind === 'small') for (let i = 0; i < values.length; i++) values[i]! *= SMALL
    else
      for (let i = STEP - 1, k = 0; i < values.length; i += STEP, k++)
        if (kind === 'outliers') values[i]! *= FACTORS[wide ? k % 2 : 0]!
        else if (k % 4 === 0) values[i] = NON_FINITE[(k / 4) % 3]!
    writeValues(view, bytes, values)
  }
  return inputs
}
