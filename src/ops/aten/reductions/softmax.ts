/** Softmax and its logarithm. */
import { dtype as dtypeArg } from '../../../fx'
import { fold, number, sum } from '../../expr/expr'
import { exp, larger, log } from '../../expr/functions'
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { Kernel } from '../../kernel'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { computationDtype, isFloatDtype } from '../../promote'
import { isZero } from '../../sym'
import { cast, pointwise } from '../elementwise/elementwise_rule'
import { fullLike } from '../factories/like'
import { DIM, lineKernel, oneDim, own, SELF } from './line_kernel'
import { UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'

const one = (c: OpCall): DispatchArg[] => [c.get('dim')]

const softmaxParts = (c: OpCall, x: FakeTensor): { shifted: FakeTensor; exp: FakeTensor; sum: FakeTensor } => {
  const shifted = c.op('aten.sub.Tensor', x, c.op('aten.amax.default', nonEmpty(c, x), one(c), true))
  const exp = c.op('aten.exp.default', shifted)
  return { shifted, exp, sum: c.op('aten.sum.dim_IntList', exp, one(c), true) }
}

/** _softmax_unbacked_safe_amax: the maximum of an empty tensor is minus infinity. */
const nonEmpty = (c: OpCall, x: FakeTensor): FakeTensor => {
  const { shape } = x.meta
  if (shape.length === 0 || !isZero(shape[wrapDim(c.int('dim'), shape.length)]!)) return x
  return fullLike(
    c,
    x,
    -Infinity,
    x.meta.dtype,
    shape.map((d, i) => (i === wrapDim(c.int('dim'), shape.length) ? 1 : d)),
  )
}

const softmaxInput = (c: OpCall): FakeTensor => {
  const x = c.call('aten.contiguous.default', [c.tensor('self')]) as FakeTensor
  if (!isFloatDtype(x.meta.dtype)) return x
  return cast(c, x, computationDtype(x.meta.dtype))
}

const softmaxOf = (name: string): OpDef => ({
  implicit: (c, x) => {
    const dtype = c.dtype()
    const from = dtype === null ? x : (c.call('aten.to.dtype', [x, dtypeArg(dtype)]) as FakeTensor)
    return c.call(name, [from, c.get('dim'), false])
  },
})

const softmax = (name: string, logged: boolean): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, { name: 'half_to_float', kind: 'attr', default: false, aliases: ['dtype'] }],
    dims: oneDim,
    outs: [{ name: 'result', per: 'element', dtype: (c) => (c.attrs['half_to_float'] === true ? 'float32' : own(c)) }],
    values({ n, x }) {
      const [top] = fold(n, [number(-Infinity)], (r, [t]) => [larger(t!, x(r))])
      const total = sum(n, (r) => exp(x(r).minus(top!)))
      return [(r) => (logged ? x(r).minus(top!).minus(log(total)) : exp(x(r).minus(top!)).over(total))]
    },
  })

export const rules = (): Rules => ({
  'aten._softmax': {
    shape: UNCHANGED,
    guess: guess.likeFirst,
    decomp: (c) => {
      const x = softmaxInput(c)
      const { exp, sum } = softmaxParts(c, x)
      const out = c.op('aten.div.Tensor', exp, sum)
      return c.bool('half_to_float') ? out : cast(c, out, c.tensor('self').meta.dtype)
    },
  },
  'aten._log_softmax': {
    shape: UNCHANGED,
    guess: guess.likeFirst,
    decomp: (c) => {
      const { shifted, sum } = softmaxParts(c, softmaxInput(c))
      const out = c.op('aten.sub.Tensor', shifted, c.op('aten.log.default', sum))
      return c.bool('half_to_float') ? out : cast(c, out, c.tensor('self').meta.dtype)
    },
  },
  'aten.softmax.int': {
    ...softmaxOf('aten._softmax.default'),
    shape: UNCHANGED,
    guess: guess.likeFirst,
  },
  'aten.log_softmax.int': {
    ...softmaxOf('aten._log_softmax.default'),
    shape: UNCHANGED,
    guess: guess.likeFirst,
  },
  'aten.special_softmax': softmaxOf('aten._softmax.default'),
  'aten.logsumexp': pointwise(
    'self',
    (c, x) => {
      const dim = itemsOf(c.get('dim')) ?? [c.get('dim')]
      const keep = c.bool('keepdim')
      if (x.meta.shape.some(isZero))
        return c.op('aten.log.default', c.op('aten.sum.dim_IntList', c.op('aten.exp.default', x), dim, keep))
      const max = c.op('aten.amax.default', x, dim, true)
      const infinite = c.op('aten.eq.Scalar', c.op('aten.abs.default', max), Infinity)
      const shift = c.op('aten.where.ScalarSelf', infinite, 0, max)
      const result = keep ? shift : c.op('aten.squeeze.dims', shift, dim)
      const exp = c.op('aten.exp.default', c.op('aten.sub.Tensor', x, shift))
      return c.op('aten.add.Tensor', c.op('aten.log.default', c.op('aten.sum.dim_IntList', exp, dim, keep)), result)
    },
    'int_to_float',
  ),
})

export const KERNELS: Kernels = {
  'aten._softmax': softmax('_softmax', false),
  'aten.softmax': softmax('softmax', false),
  'aten._log_softmax': softmax('_log_softmax', true),
  'aten.log_softmax': softmax('log_softmax', true),
}

export const TRAITS: Traits = {
  reduction: 'softmax _softmax log_softmax _log_softmax logsumexp',
  composite: 'softmax _softmax log_softmax _log_softmax',
}
