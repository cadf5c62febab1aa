/** Softmax and its logarithm. */
import { dtype as dtypeArg } from '../../../fx'
import { fold, number, sum } from '../../expr/expr'
import { exp, larger, log } from '../../expr/functions'
import { type FakeTensor, itemsOf } from '../../fake'
import { python, type Helper, type Helpers } from '../../formula/formula'
import type { Kernel } from '../../kernel'
import { wrapDim } from '../../op_call'
import type { Traits, Kernels, OpDef, Rule, Rules } from '../../operator'
import { computationDtype, isFloatDtype } from '../../promote'
import { isZero } from '../../sym'
import { cast, pointwise } from '../elementwise/elementwise_rule'
import { fullLike } from '../factories/like'
import { DIM, lineKernel, oneDim, own, SELF } from './line_kernel'
import { UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'

/** _softmax_unbacked_safe_amax: the maximum of an empty tensor is minus infinity. */
const nonEmpty: Helper = (c, given) => {
  const x = given as FakeTensor
  const { shape } = x.meta
  if (shape.length === 0 || !isZero(shape[wrapDim(c.int('dim'), shape.length)]!)) return x
  const one = shape.map((d, i) => (i === wrapDim(c.int('dim'), shape.length) ? 1 : d))
  return fullLike(c, x, -Infinity, x.meta.dtype, one)
}

const softmaxInput: Helper = (c) => {
  const x = c.call('aten.contiguous.default', [c.tensor('self')]) as FakeTensor
  return isFloatDtype(x.meta.dtype) ? cast(c, x, computationDtype(x.meta.dtype)) : x
}

/** @param value of `x`, from which its maximum is subtracted */
const normalized = (value: string): OpDef => ({
  shape: UNCHANGED,
  guess: guess.likeFirst,
  decomp: python(
    `x = input()
     x = x - amax(non_empty(x), [dim], True)
     ${value}
     out if half_to_float else cast(out, self.dtype)`,
    { input: softmaxInput, non_empty: nonEmpty },
  ),
})

const softmaxOf = (name: string): OpDef => ({
  shape: UNCHANGED,
  guess: guess.likeFirst,
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

/** A list of dimensions, also of one. */
const DIMS: Helpers = { dims: (c) => itemsOf(c.get('dim')) ?? [c.get('dim')] }
const summed = (text: string): Rule => pointwise('self', text, 'int_to_float', DIMS).decomp!

const ofEmpty = summed('log(sum.dim_IntList(exp(self), dims(), keepdim))')
const logsumexp = summed(`
  top = amax(self, dims(), True)
  shift = where(abs(top) == inf, 0.0, top)
  rest = shift if keepdim else squeeze.dims(shift, dims())
  log(sum.dim_IntList(exp(self - shift), dims(), keepdim)) + rest`)

export const rules = (): Rules => ({
  'aten._softmax': normalized(`e = exp(x)
     out = e / sum.dim_IntList(e, [dim], True)`),
  'aten._log_softmax': normalized('out = x - log(sum.dim_IntList(exp(x), [dim], True))'),
  'aten.softmax.int': softmaxOf('aten._softmax.default'),
  'aten.log_softmax.int': softmaxOf('aten._log_softmax.default'),
  'aten.special_softmax': { implicit: softmaxOf('aten._softmax.default').implicit },
  'aten.logsumexp': { decomp: (c, x) => (x.meta.shape.some(isZero) ? ofEmpty : logsumexp)(c, x) },
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
