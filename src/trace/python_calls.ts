/** The calls in Dynamo's graphs that Python resolves: torch functions, methods, and Python's operators on tensors. */
import { itemsOf, visitFakes, type DispatchArg } from '../ops/fake'

/**
 * True for a call whose result Python computes. The tracer itself calls `aten.add.Tensor`, `vllm.fused`, higher-order operators,
 * and functions that compute a size (`torch.sym_max`, `operator.mul`).
 */
export function isPythons(name: string, values: readonly DispatchArg[]): boolean {
  if (/^(?:\.|torch\.(?!_?sym_))/.test(name)) return true
  if (!/^(?:_?operator|math|torch|builtins)\./.test(name)) return false
  return holdsTensor(values) && !(name.endsWith('.getitem') && itemsOf(values[0]))
}

/** True if a value, or an item of one, is a tensor. */
function holdsTensor(values: readonly DispatchArg[]): boolean {
  let found = false
  for (const value of values) visitFakes(value, () => void (found = true))
  return found
}
