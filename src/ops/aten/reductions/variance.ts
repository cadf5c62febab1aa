/** Variances and standard deviations. */
import { sum } from '../../expr/expr'
import { sqrt } from '../../expr/functions'
import { type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { Kernel, KernelCall, Param } from '../../kernel'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { computationDtype } from '../../promote'
import { cast } from '../elementwise/elementwise_rule'
import { DIM, dims, KEEP, keepdim, lineKernel, own, SELF } from './line_kernel'
import { floating, reduce } from './reduce_rule'
import { total } from './sums'
import { REDUCED } from '../../shape_words'

/** var and std: the older overloads are rewritten with a correction. */
const corrected = (name: string, overload = 'correction'): OpDef => ({
  implicit: (c) => {
    const kwargs: Record<string, DispatchArg> = { correction: c.bool('unbiased') ? 1n : 0n }
    if (c.bool('keepdim')) kwargs['keepdim'] = true
    if (overload === 'correction_out') kwargs['out'] = c.tensor('out')
    const dim = c.get('dim')
    return c.call(`aten.${name}.${overload}`, dim === null ? [c.tensor('self')] : [c.tensor('self'), dim], kwargs)
  },
})

/** Bessel's correction: the divisor is n - correction. */
const correctionOf = (call: KernelCall): number =>
  Number(call.attrs['correction'] ?? (call.attrs['unbiased'] === false ? 0 : 1))

const VAR_PARAMS: Param[] = [
  SELF,
  DIM,
  { name: 'correction', kind: 'attr', default: null },
  { name: 'unbiased', kind: 'attr', default: null },
  KEEP,
]

const spread = (name: string, outs: string[]): Kernel =>
  lineKernel({
    name,
    params: VAR_PARAMS,
    dims,
    keepdim,
    outs: outs.map((o) => ({ name: o, per: 'line', dtype: own })),
    values(line, call) {
      const mean = total(line).over(line.n)
      const squares = sum(line.n, (r) => line.x(r).minus(mean).times(line.x(r).minus(mean)))
      const variance = squares.over(Math.max(0, line.n - correctionOf(call)))
      return outs.map((o) => ({ variance, mean, deviation: sqrt(variance) })[o]!)
    },
  })

/** The operator in the dtype of the computation, with this call's options. */
function widened(c: OpCall, x: FakeTensor, name: string): DispatchArg {
  const kwargs: Record<string, DispatchArg> = { correction: c.has('correction') ? c.number('correction')! : 1 }
  if (c.bool('keepdim')) kwargs['keepdim'] = true
  const wide = cast(c, x, computationDtype(x.meta.dtype))
  return c.call(name, c.has('dim') ? [wide, c.get('dim')] : [wide], kwargs)
}

export const rules = (): Rules => ({
  'aten.var.dim aten.var.default': {
    ...corrected('var'),
    shape: REDUCED,
  },
  'aten.std.dim aten.std.default': corrected('std'),
  'aten.var.out': corrected('var', 'correction_out'),
  'aten.std.out': corrected('std', 'correction_out'),
  'aten.var_mean.dim aten.var_mean.default': corrected('var_mean'),
  'aten.std_mean.dim aten.std_mean.default': corrected('std_mean'),
  'aten.var.correction aten.var.correction_out': {
    shape: REDUCED,
    meta: (c) => reduce(c, c.tensor('self').meta.dtype),
  },
  'aten.var_mean.correction': {
    meta: (c) => {
      const d = floating(
        c,
        `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: torch.${c.tensor('self').meta.dtype}`,
      )
      return { kind: 'tuple', items: [reduce(c, d), reduce(c, d)] }
    },
  },
  'aten.std.correction aten.std.correction_out': {
    decomp: (c, x) => {
      const variance = widened(c, x, 'aten.var.correction') as FakeTensor
      return cast(c, c.op('aten.sqrt.default', variance), x.meta.dtype)
    },
  },
  'aten.std_mean.correction': {
    decomp: (c, x) => {
      const [variance, mean] = itemsOf(widened(c, x, 'aten.var_mean.correction'))! as [FakeTensor, FakeTensor]
      const std = c.op('aten.sqrt.default', variance)
      const first = cast(c, std, x.meta.dtype)
      return { kind: 'tuple', items: [first, cast(c, mean, x.meta.dtype)] }
    },
  },
})

export const KERNELS: Kernels = {
  'aten.var': spread('var', ['variance']),
  'aten.std': spread('std', ['deviation']),
  'aten.var_mean': spread('var_mean', ['variance', 'mean']),
}

export const TRAITS: Traits = {
  reduction: 'var var_mean std std_mean',
}
