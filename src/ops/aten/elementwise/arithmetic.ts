/** Arithmetic of two operands, and sums of products. */
import { dtype as dtypeArg } from '../../../fx'
import { roundTo } from '../../dtype'
import { fn, number } from '../../expr/expr'
import { sqrt } from '../../expr/functions'
import { dimArgs, type DispatchArg, type FakeTensor, isFake, isNumber } from '../../fake'
import { type Kernel, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { remainder, WGSL_POW } from '../../kernels/math'
import type { OpCall } from '../../op_call'
import type { Kernels, OpDef, Rules } from '../../operator'
import { elementwiseDtype, isComplexDtype, isIntDtype, type Promotion } from '../../promote'
import { preservedStrides, stridesOf } from '../../strides'
import { mulDims } from '../../sym'
import { TorchError } from '../../torch_error'
import { pairs } from './complex'
import { elementwiseKernel, type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'
import { elementwise } from './elementwise_rule'
import { BROADCAST, COMPARED } from '../../shape_words'
import * as guess from '../../guess/relations'

export const binary = (kind: Promotion): OpDef => ({
  shape: kind === 'always_bool' ? COMPARED : BROADCAST,
  ...(kind === 'always_bool' && { guess: guess.compared }),
  meta: (c) => elementwise(c, [c.get('self'), c.get('other')], kind),
})

export const same = (name: string): OpDef => ({
  implicit: (c) =>
    c.call(
      name,
      [c.get('self'), c.get('other')],
      c.has('alpha') && c.get('alpha') !== 1n ? { alpha: c.get('alpha') } : {},
    ),
})

const ARITHMETIC: Record<string, Formula> = {
  mul: (a, b) => a.times(b),
  fmod: fn('$0 - $1 * trunc($0 / $1)', (a, b) => a! % b!),
  remainder: fn('$0 - $1 * floor($0 / $1)', remainder),
}

const ALPHA: Param = { name: 'alpha', kind: 'attr', default: 1 }

/** self + alpha * other, and its variants. */
const added = (name: string, sign: 1 | -1, swapped = false): Kernel =>
  elementwiseKernel({
    name,
    params: [{ ...SELF, scalar: true }, OTHER, ALPHA],
    operands: ['self', 'other'],
    formula(call) {
      const alpha = sign * Number(call.attrs['alpha'])
      return (x, y) => (swapped ? y.plus(x.times(alpha)) : x.plus(y.times(alpha)))
    },
  })

const div = elementwiseKernel({
  name: 'div',
  params: [SELF, OTHER],
  operands: ['self', 'other'],
  promotion: 'int_to_float',
  formula: () => (a, b) => a.over(b),
})

const floor = fn('floor($0)', Math.floor)
const trunc = fn('trunc($0)', Math.trunc)

const divMode = elementwiseKernel({
  name: 'div',
  params: [SELF, OTHER, { name: 'rounding_mode', kind: 'attr' }],
  operands: ['self', 'other'],
  formula(call) {
    const mode = call.attrs['rounding_mode']
    if (mode === 'floor') return (a, b) => floor(a.over(b))
    if (mode === 'trunc') return (a, b) => trunc(a.over(b))
    if (mode === null) return (a, b) => a.over(b)
    throw new KernelRefusal(`rounding_mode must be None, 'floor' or 'trunc', found ${String(mode)}`)
  },
})

const power = fn('pow_of($0, $1)', (a, b) => a! ** b!, WGSL_POW)

const pow = elementwiseKernel({
  name: 'pow',
  params: [{ ...SELF, scalar: true }, OTHER],
  operands: ['self', 'other'],
  formula(call) {
    const e = call.tensors['other'] ? null : call.attrs['other']
    if (e === 2) return (x) => x.times(x)
    if (e === 3) return (x) => x.times(x).times(x)
    if (e === 0.5) return (x) => sqrt(x)
    if (e === -0.5) return (x) => number(1).over(sqrt(x))
    if (e === -1) return (x) => number(1).over(x)
    if (typeof e !== 'number') return power
    // PyTorch's CPU kernel rounds the exponent to the tensor's dtype.
    return (x) => power(x, roundTo(tensorArg(call, 'self').dtype, e))
  },
})

const addc = (name: string, divided: boolean): Kernel =>
  elementwiseKernel({
    name,
    params: [
      SELF,
      { name: 'tensor1', kind: 'in' },
      { name: 'tensor2', kind: 'in' },
      { name: 'value', kind: 'attr', default: 1 },
    ],
    operands: ['self', 'tensor1', 'tensor2'],
    formula(call) {
      const k = number(Number(call.attrs['value']))
      return (a, b, c) => a.plus(divided ? k.times(b.over(c)) : k.times(b).times(c))
    },
  })

const rounded: OpDef = {
  meta: (c) => {
    const mode = c.get('rounding_mode')
    if (mode !== null && mode !== 'trunc' && mode !== 'floor')
      throw new TorchError(
        'ValueError',
        `div expected rounding_mode to be one of None, 'trunc', or 'floor' but found ${c.string('rounding_mode')}.`,
      )
    return elementwise(c, [c.get('self'), c.get('other')], mode === null ? 'int_to_float' : 'default')
  },
}

/** @throws TorchError ValueError for a float alpha of integers */
function checkAlpha(c: OpCall, operands: readonly DispatchArg[]): void {
  if (typeof c.get('alpha') === 'number' && isIntDtype(elementwiseDtype(operands)))
    throw new TorchError(
      'ValueError',
      "alpha argument of type <class 'float'> cannot be safely cast to type <class 'int'>!",
    )
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.mul aten.maximum aten.minimum aten.fmod aten.remainder': binary('default'),
  'aten.div.Tensor_mode aten.div.Scalar_mode': rounded,
  'aten.div': binary('int_to_float'),
  'aten.bitwise_and aten.bitwise_or aten.bitwise_xor': binary('default'),
  'aten.sub': {
    shape: BROADCAST,
    meta: (c) => {
      const both = [c.get('self'), c.get('other')]
      // A number, or one bool tensor combined with another kind, passes under fake tensors.
      if (both.every((v) => isFake(v) && v.meta.dtype === 'bool'))
        throw new TorchError(
          'NotImplementedError',
          'Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.',
        )
      checkAlpha(c, both)
      return elementwise(c, both)
    },
  },
  'aten.pow': {
    shape: BROADCAST,
    noop: ([x, exponent]) => (exponent === 1n || exponent === true ? x : undefined),
    meta: (c) => {
      const x = c.get('self')
      // torch._refs.pow: the power of one is a copy.
      if (isFake(x) && isNumber(c.get('exponent')) && c.number('exponent') === 1) {
        const dtype = elementwiseDtype([x, c.get('exponent')], 'bool_to_long')
        if (dtype === x.meta.dtype) return c.fresh(dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
      }
      return elementwise(c, [x, c.get('exponent')], 'bool_to_long')
    },
  },
  'aten.rsub': {
    guess: guess.broadcast,
    decomp: (c) => {
      const alpha = c.get('alpha')
      return c.call('aten.sub.Tensor', [c.get('other'), c.tensor('self')], alpha === 1n ? {} : { alpha })
    },
  },
  'aten.floor_divide': {
    decomp: (c) => c.call('aten.div.Tensor_mode', [c.get('self'), c.get('other')], { rounding_mode: 'floor' }),
  },
  'aten.true_divide aten.divide': {
    implicit: (c) => {
      const mode = c.string('rounding_mode')
      return c.call('aten.div', [c.get('self'), c.get('other')], mode === null ? {} : { rounding_mode: mode })
    },
  },
  'aten.multiply': same('aten.mul'),
  'aten.subtract': same('aten.sub'),
  'aten.float_power': {
    decomp: (c) => {
      const wide = (v: DispatchArg): DispatchArg =>
        isFake(v)
          ? v.meta.dtype === 'float64'
            ? v
            : c.op('prims.convert_element_type.default', v, dtypeArg('float64'))
          : Number(v)
      return c.call('aten.pow', [wide(c.get('self')), wide(c.get('exponent'))])
    },
  },
  /**
   * torch._inductor.decomposition.add: complex numbers as pairs of reals; numbers and strided last dimensions are
   * unchanged.
   */
  'aten.add': {
    shape: BROADCAST,
    decomp: (c) => {
      const given = [c.get('self'), c.get('other')]
      if (!given.every((t) => isFake(t) && isComplexDtype(t.meta.dtype))) return undefined
      const [x, other] = (given as FakeTensor[]).map((t) =>
        t.meta.shape.length === 0 ? c.op('aten.view.default', t, [1n]) : t,
      ) as [FakeTensor, FakeTensor]
      const alpha = c.get('alpha')
      const y = isNumber(alpha) && Number(alpha) !== 1 ? c.op('aten.mul.Tensor', other, alpha) : other
      if ([x, y].some((t) => stridesOf(t.meta).at(-1) !== 1)) return undefined
      const [a, b] = [x, y].map((t) => c.op('aten.add.Tensor', t, 0n)).map((t) => pairs(c, t)) as [
        FakeTensor,
        FakeTensor,
      ]
      const sum = c.op('aten.add.Tensor', a, b)
      const size = sum.meta.shape
      const flat = c.op('aten.view.default', sum, dimArgs([...size.slice(0, -2), mulDims(size.at(-2)!, 2)]))
      const joined = c.op('aten.view.dtype', flat, dtypeArg(elementwiseDtype([x, y])))
      return (given as FakeTensor[]).every((t) => t.meta.shape.length === 0)
        ? c.op('aten.select.int', joined, 0n, 0n)
        : joined
    },
    meta: (c) => {
      const both = [c.get('self'), c.get('other')]
      checkAlpha(c, both)
      return elementwise(c, both)
    },
  },
})

export const KERNELS: Kernels = {
  ...kernelsOf(ARITHMETIC, [{ ...SELF, scalar: true }, OTHER]),
  'aten.add': added('add', 1),
  'aten.sub': added('sub', -1),
  'aten.rsub': added('rsub', -1, true),
  'aten.div': div,
  'aten.true_divide': div,
  'aten.div.Tensor_mode': divMode,
  'aten.div.Scalar_mode': divMode,
  'aten.pow': pow,
  'aten.addcmul': addc('addcmul', false),
  'aten.addcdiv': addc('addcdiv', true),
}
