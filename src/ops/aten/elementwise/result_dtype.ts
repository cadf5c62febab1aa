/** Result dtype of an elementwise operator: src/ops/promote.ts for tensor views instead of fake tensors. */
import { dtypeInfo, type DTypeName } from '../../dtype'
import { KernelRefusal, type TensorView } from '../../kernel'
import { isFloatDtype, promoteTypes, type Promotion } from '../../promote'
import { TorchError } from '../../torch_error'

const categoryOf = (dtype: string): number =>
  dtype === 'bool' ? 0 : isFloatDtype(dtype) || dtype.startsWith('float') ? 2 : 1
const categoryOfNumber = (v: unknown): number => (typeof v === 'boolean' ? 0 : Number.isInteger(v) ? 1 : 2)

/** @param operands tensors, and numbers that take part (a whole number counts as an int). Throws KernelRefusal. */
export function resultDtype(operands: readonly (TensorView | number | boolean)[], kind: Promotion): DTypeName {
  if (kind === 'always_bool') return 'bool'
  const tensors = operands.filter((o) => typeof o === 'object')
  const highest = Math.max(
    0,
    ...operands.map((o) => (typeof o === 'object' ? categoryOf(o.dtype) : categoryOfNumber(o))),
  )
  const own = tensors.filter((t) => categoryOf(t.dtype) === highest)
  const dims = own.filter((t) => t.shape.length > 0)
  let result = ''
  try {
    for (const { dtype } of dims.length > 0 ? dims : own) result = result === '' ? dtype : promoteTypes(result, dtype)
  } catch (e) {
    if (e instanceof TorchError) throw new KernelRefusal(e.message)
    throw e
  }
  if (result === '') result = ['bool', 'int64', 'float32'][highest]!
  if (kind === 'int_to_float' && categoryOf(result) < 2) result = 'float32'
  if (kind === 'bool_to_long' && result === 'bool') result = 'int64'
  const info = dtypeInfo(result)
  if (!info) throw new KernelRefusal(`the dtype ${result} is not supported`)
  return info.name
}
