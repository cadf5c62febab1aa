/**
 * Operators that only check and return nothing, with their behavior under FakeTensorMode. torch.export writes
 * `_assert_tensor_metadata` beside each cast of a model, and the others beside each data-dependent size.
 */
import type { Dim } from '../../fx'
import { isNumber } from '../fake'
import type { OpCall } from '../op_call'
import type { Rules } from '../operator'
import { sizeRepr, stridesOf } from '../strides'
import { runtimeError, TorchError } from '../torch_error'

/** torch._meta_registrations.assert_tensor_metadata. Checks that depend on a symbol become guards there. */
function checkMetadata(c: OpCall): null {
  const { meta } = c.tensor('a')
  const [size, stride, dtype, device] = [c.dims('size'), c.dims('stride'), c.dtype(), c.device()]
  const strides = stridesOf(meta)
  if (size && differ(size, meta.shape)) throw mismatch('size', `[${size.join(', ')}]`, sizeRepr(meta.shape))
  if (stride && differ(stride, strides)) throw mismatch('stride', `[${stride.join(', ')}]`, `(${strides.join(', ')})`)
  if (dtype && dtype !== meta.dtype) throw mismatch('dtype', `torch.${dtype}`, `torch.${meta.dtype}`)
  if (device && meta.device && device.type !== meta.device.type) throw mismatch('device', device.type, meta.device.type)
  return null
}

const differ = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length !== b.length || a.some((d, i) => typeof d === 'number' && typeof b[i] === 'number' && d !== b[i])

const mismatch = (of: string, expected: string, got: string): TorchError =>
  new TorchError('AssertionError', `Tensor ${of} mismatch! Expected: ${expected}, Got: ${got}`)

function checkRange(c: OpCall): null {
  const [size, min, max] = [c.get('size'), c.number('min') ?? -Infinity, c.number('max') ?? Infinity]
  if (!isNumber(size) || (Number(size) >= min && Number(size) <= max)) return null
  throw new TorchError('ValueError', `Invalid value ${Number(size)} for range [${bound(min)}:${bound(max)}]`)
}

const bound = (n: number): string => (Number.isFinite(n) ? String(n) : n < 0 ? '-int_oo' : 'int_oo')

function checkScalar(c: OpCall): null {
  const value = c.get('self')
  if (isNumber(value) && !value) throw runtimeError(c.string('assert_msg') ?? '')
  return null
}

export const rules = (): Rules => ({
  'aten._assert_async': { meta: () => null },
  'aten._assert_tensor_metadata': { meta: checkMetadata },
  'aten._assert_scalar': { meta: checkScalar },
  'aten.sym_constrain_range aten.sym_constrain_range_for_size': { meta: checkRange },
})
