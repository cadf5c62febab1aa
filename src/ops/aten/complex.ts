/** Complex tensors: views as pairs of reals and back, conjugates. */
import { dtype as dtypeArg, type Dim } from '../../fx'
import { dimArgs, isFake, isNumber, type FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import { register } from '../registry'
import { stridesOf } from '../strides'
import { floorDiv, mulDims } from '../sym'
import { elementwiseDtype, isComplexDtype, toReal } from '../promote'
import { runtimeError } from '../torch_error'
import { elementwise } from './elementwise'

const COMPLEX: Readonly<Record<string, string>> = { float16: 'complex32', float32: 'complex64', float64: 'complex128' }

register('aten.view_as_complex', {
  meta: (c) => {
    const x = c.tensor('self')
    const dtype = COMPLEX[x.meta.dtype]
    if (!dtype)
      throw runtimeError(
        `view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: ${x.meta.dtype}`,
      )
    if (x.meta.shape.at(-1) !== 2) throw runtimeError('Tensor must have a last dimension of size 2')
    return c.view(x, {
      dtype,
      shape: x.meta.shape.slice(0, -1),
      stride: stridesOf(x.meta)
        .slice(0, -1)
        .map((d) => floorDiv(d, 2)),
    })
  },
})
register('aten.view_as_real', {
  meta: (c) => {
    const x = c.tensor('self')
    if (!isComplexDtype(x.meta.dtype)) throw runtimeError('view_as_real is only supported for complex tensors')
    return c.view(x, {
      dtype: toReal(x.meta.dtype),
      shape: [...x.meta.shape, 2],
      stride: [...stridesOf(x.meta).map((d): Dim => mulDims(d, 2)), 1],
    })
  },
})
register('aten.real', {
  implicit: (c) => {
    const x = c.tensor('self')
    if (!isComplexDtype(x.meta.dtype)) return x
    return c.op('aten.select.int', c.op('aten.view_as_real.default', x), BigInt(x.meta.shape.length), 0n)
  },
})
register('aten.imag', {
  implicit: (c) => {
    const x = c.tensor('self')
    if (!isComplexDtype(x.meta.dtype))
      throw runtimeError('imag is not implemented for tensors with non-complex dtypes.')
    return c.op('aten.select.int', c.op('aten.view_as_real.default', x), BigInt(x.meta.shape.length), 1n)
  },
})
/** torch._inductor.decomposition.add: complex numbers as pairs of reals; numbers, and strided last dimensions, as they are. */
register('aten.add', {
  decomp: (c) => {
    const given = [c.get('self'), c.get('other')]
    if (!given.every((t) => isFake(t) && isComplexDtype(t.meta.dtype))) return undefined
    const [x, other] = (given as FakeTensor[]).map((t) =>
      t.meta.shape.length === 0 ? c.op('aten.view.default', t, [1n]) : t,
    ) as [FakeTensor, FakeTensor]
    const alpha = c.get('alpha')
    const y = isNumber(alpha) && Number(alpha) !== 1 ? c.op('aten.mul.Tensor', other, alpha) : other
    if ([x, y].some((t) => stridesOf(t.meta).at(-1) !== 1)) return undefined
    const [a, b] = [x, y].map((t) => c.op('aten.add.Tensor', t, 0n)).map((t) => pairs(c, t)) as [FakeTensor, FakeTensor]
    const sum = c.op('aten.add.Tensor', a, b)
    const size = sum.meta.shape
    const flat = c.op('aten.view.default', sum, dimArgs([...size.slice(0, -2), mulDims(size.at(-2)!, 2)]))
    const joined = c.op('aten.view.dtype', flat, dtypeArg(elementwiseDtype([x, y])))
    return (given as FakeTensor[]).every((t) => t.meta.shape.length === 0)
      ? c.op('aten.select.int', joined, 0n, 0n)
      : joined
  },
  meta: (c) => elementwise(c, [c.get('self'), c.get('other')]),
})

/** A complex tensor as reals, with a last dimension of 2. */
function pairs(c: OpCall, x: FakeTensor): FakeTensor {
  const reals = c.op('aten.view.dtype', x, dtypeArg(toReal(x.meta.dtype)))
  return c.op('aten.view.default', reals, dimArgs([...x.meta.shape, 2]))
}

for (const [name, of] of [
  ['polar', ['abs', 'angle']],
  ['complex', ['real', 'imag']],
] as const)
  register(`aten.${name}`, {
    meta: (c) => {
      const both = of.map((n) => c.tensor(n))
      return elementwise(c, both, 'default', COMPLEX[both[0]!.meta.dtype] ?? 'complex64')
    },
  })
register('aten._conj', { meta: (c) => c.view(c.tensor('self'), {}) })
/** Lazy in eager mode; the operator that reads it materializes it, which traces as a clone. */
register('aten.conj', {
  implicit: (c) => {
    const x = c.tensor('self')
    if (!isComplexDtype(x.meta.dtype)) return x
    return c.op('aten.clone.default', c.op('aten._conj.default', x))
  },
})
