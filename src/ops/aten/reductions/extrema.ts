/** Largest and smallest elements, and their indices. */
import { type Expr, fold, where, whole } from '../../expr/expr'
import { exceeds, larger, precedes, smaller } from '../../expr/functions'
import type { FakeTensor } from '../../fake'
import type { Kernel } from '../../kernel'
import { python } from '../../formula/formula'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Kernels, OpDef, Rules } from '../../operator'
import { runtimeError, TorchError } from '../../torch_error'
import { DIM, KEEP, keepdim, type Line, lineKernel, oneDim, own, reduceKernel, SELF } from './line_kernel'
import { allDims, dimsOf, reduce } from './reduce_rule'
import { REDUCED } from '../../shape_words'
import * as guess from '../../guess/relations'

const extreme: OpDef = { meta: (c) => reduce(c, c.tensor('self').meta.dtype) }

/** A minimum or maximum over no elements is undefined. @throws TorchError */
function checkElements(c: OpCall): void {
  const x = c.tensor('self')
  if (dimsOf(c, x).some((d) => x.meta.shape[d] === 0))
    throw runtimeError('reducing over zero-size dimension for reduction operation without identity')
}

const extremeOf = (c: OpCall): FakeTensor => {
  checkElements(c)
  return reduce(c, c.tensor('self').meta.dtype)
}

/** zero_numel_check_dims. @throws TorchError IndexError */
function checkSearched(c: OpCall): void {
  const { shape } = c.tensor('self').meta
  const name = c.schema.name.split('.')[1]
  if (!c.has('dim') && shape.includes(0))
    throw new TorchError(
      'IndexError',
      `${name}: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.`,
    )
  const dim = c.has('dim') ? wrapDim(c.int('dim'), shape.length) : -1
  if (shape[dim] === 0)
    throw new TorchError('IndexError', `${name}: Expected reduction dim ${dim} to have non-zero size.`)
}

const withIndex: OpDef = {
  meta: (c) => ({ kind: 'tuple', items: [reduce(c, c.tensor('self').meta.dtype), reduce(c, 'int64')] }),
}

const kthValue: OpDef = {
  meta: (c, { meta: { shape, dtype } }) => {
    const dim = wrapDim(c.int('dim', -1), shape.length)
    const [k, size] = [c.dim('k'), shape[dim] ?? 1]
    if (typeof k === 'number' && typeof size === 'number' && (k < 1 || k > size))
      throw runtimeError(`kthvalue(): selected number k out of range for dimension ${dim}`)
    return { kind: 'tuple', items: [reduce(c, dtype), reduce(c, 'int64')] }
  },
}

/** The largest (or smallest) element, the first on a tie, and its index; NaN wins over all. */
const best = ({ n, x }: Line, better: typeof exceeds): [value: Expr, at: Expr] =>
  fold(n, [x(0), whole(0)], (r, [top, at]) => {
    const wins = better(x(r), top!)
    return [where(wins, x(r), top!), where(wins, r, at!)]
  }) as [Expr, Expr]

const extremeKernel = (name: string, better: typeof larger): Kernel =>
  reduceKernel(name, own, ({ n, x }) => fold(n, [x(0)], (r, [top]) => [better(top!, x(r))])[0]!)

const indexKernel = (name: string, better: typeof exceeds): Kernel =>
  reduceKernel(
    name,
    () => 'int64',
    (line) => best(line, better)[1],
  )

const both = (name: string, better: typeof exceeds): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, KEEP],
    dims: oneDim,
    keepdim,
    outs: [
      { name: 'values', per: 'line', dtype: own },
      { name: 'indices', per: 'line', dtype: () => 'int64' },
    ],
    values: (line) => best(line, better),
  })

export const rules = (): Rules => ({
  'aten.amax': {
    shape: REDUCED,
    guess: guess.reduced,
    decomp: (c) =>
      c.tensor('self').meta.dtype === 'bool'
        ? c.call('aten.any.dims', [c.tensor('self'), ...(allDims(c) ? [] : [c.get('dim'), c.bool('keepdim')])])
        : undefined,
    meta: extremeOf,
  },
  'aten.amin': {
    shape: REDUCED,
    guess: guess.reduced,
    decomp: (c) =>
      c.tensor('self').meta.dtype === 'bool'
        ? allDims(c)
          ? c.call('aten.all.default', [c.tensor('self')])
          : c.call('aten.all', [c.tensor('self'), c.get('dim'), c.bool('keepdim')])
        : undefined,
    meta: extremeOf,
  },
  'aten.max.default aten.min.default': extreme,
  'aten.max.dim aten.min.dim aten.median.dim aten.nanmedian.dim aten.mode': withIndex,
  'aten.kthvalue': kthValue,
  'aten.argmax aten.argmin': {
    shape: `${REDUCED} The dtype is int64.`,
    meta: (c) => {
      checkSearched(c)
      return reduce(c, 'int64')
    },
  },
  'aten.aminmax': {
    decomp: python(
      `dims = [] if dim is None else [dim]
       amin(self, dims, keepdim), amax(self, dims, keepdim)`,
    ),
  },
})

export const KERNELS: Kernels = {
  'aten.amax': extremeKernel('amax', larger),
  'aten.amin': extremeKernel('amin', smaller),
  'aten.argmax': indexKernel('argmax', exceeds),
  'aten.argmin': indexKernel('argmin', precedes),
  'aten.max.default': extremeKernel('max', larger),
  'aten.min.default': extremeKernel('min', smaller),
  'aten.max.dim': both('max', exceeds),
  'aten.min.dim': both('min', precedes),
}

export const TRAITS: Traits = {
  reduction: 'amax amin max min argmax argmin',
}
