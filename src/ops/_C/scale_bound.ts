/** A known difference of vLLM's fused FP8 quantizations: the lower bound of their scales. */
import type { AttrValue, Counterfactual, KernelCall } from '../kernel'

const AS_UNFUSED_EPS = 'as_unfused_eps'

/** The lower bound of the scales, where the quantization that was replaced bounds the group's maximum by its `eps`. */
export function boundDifference(unfused: readonly Readonly<Record<string, AttrValue>>[]): Counterfactual[] {
  const eps = unfused.find((a) => typeof a['eps'] === 'number')?.['eps']
  if (eps === undefined) return []
  const text = `bounds its scale by 1/(448*512) from below, the unfused one bounds the group's maximum by ${String(eps)}`
  return [{ id: 'eps', text, attrs: { [AS_UNFUSED_EPS]: eps } }]
}

/** The unfused bound that a counterfactual sets; undefined: the kernel's own. */
export const unfusedEps = (call: KernelCall): number | undefined => {
  const eps = call.attrs[AS_UNFUSED_EPS]
  return typeof eps === 'number' ? eps : undefined
}
