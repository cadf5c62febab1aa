/** Largest and smallest elements, and their indices. */
import type { Kernel } from '../../kernel'
import type { Families, Kernels, OpDef, Rules } from '../../operator'
import { DIM, KEEP, keepdim, lineKernel, oneDim, own, reduceKernel, SELF } from './line_kernel'
import { allDims, reduce } from './reduce_rule'

const extreme: OpDef = { meta: (c) => reduce(c, c.tensor('self').meta.dtype) }

const withIndex: OpDef = {
  meta: (c) => ({ kind: 'tuple', items: [reduce(c, c.tensor('self').meta.dtype), reduce(c, 'int64')] }),
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
    meta: (c) => reduce(c, c.tensor('self').meta.dtype),
  },
  'aten.amin': {
    decomp: (c) =>
      c.tensor('self').meta.dtype === 'bool'
        ? allDims(c)
          ? c.call('aten.all.default', [c.tensor('self')])
          : c.call('aten.all', [c.tensor('self'), c.get('dim'), c.bool('keepdim')])
        : undefined,
    meta: (c) => reduce(c, c.tensor('self').meta.dtype),
  },
  'aten.max.default aten.min.default': extreme,
  'aten.max.dim aten.min.dim aten.median.dim aten.nanmedian.dim aten.mode aten.kthvalue': withIndex,
  'aten.argmax aten.argmin': { meta: (c) => reduce(c, 'int64') },
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
