/** addcmul, addcdiv and lerp, with the checks of their in-place forms (torch/_meta_registrations.py). */
import { type FakeTensor, isFake } from '../../fake'
import { contiguousIn, suggestedFormat } from '../../memory_format'
import { python } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { OpDef, Rule, Rules } from '../../operator'
import { isIntDtype } from '../../promote'
import { sizeRepr } from '../../strides'
import { sameDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { elementwise, pointwise } from './elementwise_rule'

const PRODUCT = 'self tensor1 tensor2'

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

/** _register_inplace_meta: an operator's checks, and the check that its result has the tensor's own shape. */
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

/** `end` in the memory format of `start`, copied as in Inductor's decomposition of lerp. */
function inFormatOf(c: OpCall, end: FakeTensor, start: FakeTensor): FakeTensor {
  const format = suggestedFormat(start.meta)
  return format === 'contiguous_format' ? end : contiguousIn(c, end, format)
}

/** A rule before PyTorch 2.13. */
const early = (made: OpDef): Rule => {
  const rule = made.decomp!
  return (c: OpCall) => (c.rules.fusedMultiplyAdd ? undefined : rule(c, c.tensor('self')))
}

/** torch._refs.lerp, before PyTorch 2.13. @param tensors of the operands; @param weight as a tensor */
const interpolated = (tensors: string, weight: string): OpDef =>
  pointwise(
    tensors,
    `t = ${weight}
     mask = abs(t) >= 0.5
     factor = where(mask, t - 1, t)
     base = where(mask, end, self)
     factor * (end - self) + base`,
    'default',
    { full: (c, x, value) => fullLike(c, x as FakeTensor, value!, (x as FakeTensor).meta.dtype, []) },
  )

const earlyByNumber = early(interpolated('self end', 'full(self, weight)'))
const earlyByTensor = early(interpolated('self end weight', 'weight'))

const lerp = python(
  `stop = in_format(end, self)
   diff = stop - self
   mask = abs(weight) >= 0.5
   w = where(mask, -(1.0 - weight), weight)
   addcmul(where(mask, stop, self), w, diff)`,
  { in_format: (c, end, start) => inFormatOf(c, end as FakeTensor, start as FakeTensor) },
)

export const rules = (): Rules => ({
  'aten.addcmul': { meta: addcMeta, decomp: early(pointwise(PRODUCT, 'self + tensor1 * value * tensor2')) },
  'aten.addcdiv': { meta: addcdivMeta, decomp: early(pointwise(PRODUCT, 'self + tensor1 * value / tensor2')) },
  'aten.addcmul_': { meta: writtenBack(addcMeta) },
  'aten.addcdiv_': { meta: writtenBack(addcdivMeta) },
  'aten.lerp_': { meta: writtenBack(lerpMeta) },
  'aten.lerp.Scalar': {
    decomp: (c) => {
      if (!c.rules.fusedMultiplyAdd) return earlyByNumber(c, c.tensor('self'))
      const [start, weight] = [c.tensor('self'), c.number('weight')!]
      const end = inFormatOf(c, c.tensor('end'), start)
      const diff = c.op('aten.sub.Tensor', end, start)
      return weight >= 0.5 || weight <= -0.5
        ? c.call('aten.add.Tensor', [end, diff], { alpha: -(1 - weight) })
        : c.call('aten.add.Tensor', [start, diff], { alpha: weight })
    },
  },
  'aten.lerp.Tensor': { decomp: (c, x) => (c.rules.fusedMultiplyAdd ? lerp : earlyByTensor)(c, x) },
})
