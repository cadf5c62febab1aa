/** Largest and smallest elements, and their indices. */
import type { FakeTensor } from '../../fake'
import type { Kernel } from '../../kernel'
import { type OpCall, wrapDim } from '../../op_call'
import type { Families, Kernels, OpDef, Rules } from '../../operator'
import { runtimeError, TorchError } from '../../torch_error'
import { DIM, KEEP, keepdim, lineKernel, oneDim, own, reduceKernel, SELF } from './line_kernel'
import { allDims, dimsOf, reduce } from './reduce_rule'

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
  meta: (c) => {
    const { shape, dtype } = c.tensor('self').meta
    const dim = wrapDim(c.int('dim', -1), shape.length)
    const [k, size] = [c.dim('k'), shape[dim] ?? 1]
    if (typeof k === 'number' && typeof size === 'number' && (k < 1 || k > size))
      throw runtimeError(`kthvalue(): selected number k out of range for dimension ${dim}`)
    return { kind: 'tuple', items: [reduce(c, dtype), reduce(c, 'int64')] }
  },
}

/** Largest (or smallest) element, the first of equal ones; a NaN wins over all. */
export const BEST = (better: '<' | '>'): string => `  var best = x(0u);
  var where_ = 0u;
  for (var r = 1u; r < n; r++) {
    let v = x(r);
    if (nan_at(best) == 0u && (nan_at(v) == 1u || order(v) ${better} order(best))) { best = v; where_ = r; }
  }`

function bestAt(x: Float64Array, better: (a: number, b: number) => boolean): number {
  let at = 0
  for (let i = 1; i < x.length; i++) if (!Number.isNaN(x[at]!) && (Number.isNaN(x[i]!) || better(x[i]!, x[at]!))) at = i
  return at
}

const more = (a: number, b: number): boolean => a > b

const less = (a: number, b: number): boolean => a < b

const extremeKernel = (name: string, sign: '<' | '>', values: boolean): Kernel => {
  const better = sign === '>' ? more : less
  return values
    ? reduceKernel(name, own, `${BEST(sign)}\n  out_result(0u, best);`, (x) => x[bestAt(x, better)]!)
    : reduceKernel(
        name,
        () => 'int64',
        `${BEST(sign)}\n  out_result(0u, f32(where_));`,
        (x) => bestAt(x, better),
      )
}

const both = (name: string, sign: '<' | '>'): Kernel =>
  lineKernel({
    name,
    params: [SELF, DIM, KEEP],
    dims: oneDim,
    keepdim,
    outs: [
      { name: 'values', per: 'line', dtype: own },
      { name: 'indices', per: 'line', dtype: () => 'int64' },
    ],
    wgsl: () => `${BEST(sign)}\n  out_values(0u, best);\n  out_indices(0u, f32(where_));`,
    js(x) {
      const at = bestAt(x, sign === '>' ? more : less)
      return [x[at]!, at]
    },
  })

export const rules = (): Rules => ({
  'aten.amax': {
    decomp: (c) =>
      c.tensor('self').meta.dtype === 'bool'
        ? c.call('aten.any.dims', [c.tensor('self'), ...(allDims(c) ? [] : [c.get('dim'), c.bool('keepdim')])])
        : undefined,
    meta: extremeOf,
  },
  'aten.amin': {
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
    meta: (c) => {
      checkSearched(c)
      return reduce(c, 'int64')
    },
  },
  'aten.aminmax': {
    decomp: (c) => {
      const x = c.tensor('self')
      const dims = c.has('dim') ? [c.get('dim')] : []
      const min = c.op('aten.amin.default', x, dims, c.bool('keepdim'))
      return { kind: 'tuple', items: [min, c.op('aten.amax.default', x, dims, c.bool('keepdim'))] }
    },
  },
})

export const KERNELS: Kernels = {
  'aten.amax': extremeKernel('amax', '>', true),
  'aten.amin': extremeKernel('amin', '<', true),
  'aten.argmax': extremeKernel('argmax', '>', false),
  'aten.argmin': extremeKernel('argmin', '<', false),
  'aten.max.default': extremeKernel('max', '>', true),
  'aten.min.default': extremeKernel('min', '<', true),
  'aten.max.dim': both('max', '>'),
  'aten.min.dim': both('min', '<'),
}

export const FAMILIES: Families = {
  reduction: 'amax amin max min argmax argmin',
}
