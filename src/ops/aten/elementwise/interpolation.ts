/** addcmul, addcdiv and lerp, with the checks of their in-place forms (torch/_meta_registrations.py). */
import { type FakeTensor, isFake } from '../../fake'
import { contiguousIn, suggestedFormat } from '../../memory_format'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { isIntDtype } from '../../promote'
import { sizeRepr } from '../../strides'
import { sameDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { elementwise, inOpmath } from './elementwise_rule'

const addcMeta = (c: OpCall): FakeTensor => elementwise(c, [c.tensor('self'), c.tensor('tensor1'), c.tensor('tensor2')])

const ADDCDIV_OF_INTEGERS = [
  'Integer division with addcdiv is no longer supported, and in a future ',
  'release addcdiv will perform a true division of tensor1 and tensor2. ',
  'The historic addcdiv behavior can be implemented as ',
  '(input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) ',
  'for integer inputs and as ',
  '(input + value * tensor1 / tensor2) for float inputs. ',
  'The future addcdiv behavior is just the latter implementation: ',
  '(input + value * tensor1 / tensor2), for all dtypes.',
]

/** @throws TorchError RuntimeError for two tensors of integers; its message is a tuple */
function addcdivMeta(c: OpCall): FakeTensor {
  const divided = [c.tensor('tensor1'), c.tensor('tensor2')]
  if (divided.every((t) => t.meta.dtype !== 'bool' && isIntDtype(t.meta.dtype)))
    throw runtimeError(`(${ADDCDIV_OF_INTEGERS.map((line) => `'${line}'`).join(', ')})`)
  return addcMeta(c)
}

/** torch._meta_registrations.lerp. */
function lerpMeta(c: OpCall): FakeTensor {
  const [start, end, weight] = [c.tensor('self'), c.tensor('end'), c.get('weight')]
  const same = (t: FakeTensor, name: string): void => {
    if (t.meta.dtype !== start.meta.dtype)
      throw runtimeError(
        `expected dtype torch.${start.meta.dtype} for \`${name}\`, but got dtype torch.${t.meta.dtype}`,
      )
  }
  same(end, 'end')
  if (isFake(weight) && weight.meta.shape.length > 0) same(weight, 'weight')
  return elementwise(c, isFake(weight) ? [start, end, weight] : [start, end])
}

/** _register_inplace_meta: the checks of an operator, and that its result has the tensor's own shape. */
const writtenBack =
  (meta: (c: OpCall) => FakeTensor) =>
  (c: OpCall): FakeTensor => {
    const self = c.tensor('self')
    const { shape } = meta(c).meta
    if (!sameDims(shape, self.meta.shape))
      throw runtimeError(
        `output with shape ${sizeRepr(self.meta.shape)} doesn't match the broadcast shape ${sizeRepr(shape)}`,
      )
    return self
  }

/** `end` in the memory format of `start`, as Inductor's decomposition of lerp copies it. */
function inFormatOf(c: OpCall, end: FakeTensor, start: FakeTensor): FakeTensor {
  const format = suggestedFormat(start.meta)
  return format === 'contiguous_format' ? end : contiguousIn(c, end, format)
}

/** self + value * tensor1 * tensor2, or / tensor2, before PyTorch 2.13. */
const asProduct =
  (last: string) =>
  (c: OpCall): FakeTensor | undefined => {
    if (c.rules.fusedMultiplyAdd) return undefined
    const given = [c.tensor('self'), c.tensor('tensor1'), c.tensor('tensor2')]
    return inOpmath(c, given, (self, a, b) =>
      c.op('aten.add.Tensor', self!, c.op(last, c.op('aten.mul.Tensor', a!, c.get('value')), b!)),
    )
  }

/** torch._refs.lerp, before PyTorch 2.13. @param weight null: the number `weight` */
function interpolated(c: OpCall, weight: FakeTensor | null): FakeTensor | undefined {
  const [start, end] = [c.tensor('self'), c.tensor('end')]
  const given = weight ? [start, end, weight] : [start, end]
  return inOpmath(c, given, (x, y, w) => {
    const t = w ?? fullLike(c, x!, c.get('weight'), x!.meta.dtype, [])
    const mask = c.op('aten.ge.Scalar', c.op('aten.abs.default', t), 0.5)
    const factor = c.op('aten.where.self', mask, c.op('aten.sub.Tensor', t, 1n), t)
    const base = c.op('aten.where.self', mask, y!, x!)
    return c.op('aten.add.Tensor', c.op('aten.mul.Tensor', factor, c.op('aten.sub.Tensor', y!, x!)), base)
  })
}

export const rules = (): Rules => ({
  'aten.addcmul': { meta: addcMeta, decomp: asProduct('aten.mul.Tensor') },
  'aten.addcdiv': { meta: addcdivMeta, decomp: asProduct('aten.div.Tensor') },
  'aten.addcmul_': { meta: writtenBack(addcMeta) },
  'aten.addcdiv_': { meta: writtenBack(addcdivMeta) },
  'aten.lerp_': { meta: writtenBack(lerpMeta) },
  'aten.lerp.Scalar': {
    decomp: (c) => {
      if (!c.rules.fusedMultiplyAdd) return interpolated(c, null)
      const [start, weight] = [c.tensor('self'), c.number('weight')!]
      const end = inFormatOf(c, c.tensor('end'), start)
      const diff = c.op('aten.sub.Tensor', end, start)
      return weight >= 0.5 || weight <= -0.5
        ? c.call('aten.add.Tensor', [end, diff], { alpha: -(1 - weight) })
        : c.call('aten.add.Tensor', [start, diff], { alpha: weight })
    },
  },
  'aten.lerp.Tensor': {
    decomp: (c) => {
      if (!c.rules.fusedMultiplyAdd) return interpolated(c, c.tensor('weight'))
      const [start, weight] = [c.tensor('self'), c.tensor('weight')]
      const end = inFormatOf(c, c.tensor('end'), start)
      const diff = c.op('aten.sub.Tensor', end, start)
      const mask = c.op('aten.ge.Scalar', c.op('aten.abs.default', weight), 0.5)
      const negative = c.op('aten.neg.default', c.op('aten.rsub.Scalar', weight, 1))
      const w = c.op('aten.where.self', mask, negative, weight)
      return c.op('aten.addcmul.default', c.op('aten.where.self', mask, end, start), w, diff)
    },
  },
})
