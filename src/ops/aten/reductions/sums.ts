/** Sums, means, products, any and all. */
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Families, Kernels, Rules } from '../../operator'
import { isComplexDtype, isFloatDtype } from '../../promote'
import { runtimeError } from '../../torch_error'
import { chosen, reduceKernel } from './line_kernel'
import { reduce, widened } from './reduce_rule'

export const total = (x: Float64Array): number => x.reduce((a, b) => a + b, 0)

export const SUM = `  var s0 = 0.0; var s1 = 0.0; var s2 = 0.0; var s3 = 0.0;
  var r = 0u;
  for (; r + 3u < n; r += 4u) { s0 += x(r); s1 += x(r + 1u); s2 += x(r + 2u); s3 += x(r + 3u); }
  for (; r < n; r++) { s0 += x(r); }
  let sum = (s0 + s1) + (s2 + s3);`

/** at::sum_to: sums over the dimensions that the size has as 1 or lacks. */
function sumTo(c: OpCall): FakeTensor {
  const x = c.tensor('self')
  const size = c.dims('size')!
  const lead = x.meta.shape.length - size.length
  const over = x.meta.shape.map((_, i) => i).filter((i) => i < lead || (size[i - lead] === 1 && x.meta.shape[i] !== 1))
  const sum = over.length > 0 ? c.op('aten.sum.dim_IntList', x, over.map(BigInt), true) : x
  return lead > 0 ? c.op('aten.view.default', sum, dimArgs(size)) : sum
}

export const rules = (): Rules => ({
  'aten.sum_to_size': { implicit: sumTo },
  'aten.sum aten.prod': { meta: (c) => reduce(c, c.dtype() ?? widened(c.tensor('self').meta.dtype)) },
  'aten.mean': {
    meta: (c) => {
      const dtype = c.dtype() ?? c.tensor('self').meta.dtype
      if (!isFloatDtype(dtype) && !isComplexDtype(dtype))
        throw runtimeError(
          `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: torch.${dtype}`,
        )
      return reduce(c, dtype)
    },
  },
  'aten.any': {
    meta: (c) => reduce(c, c.tensor('self').meta.dtype === 'uint8' ? 'uint8' : 'bool'),
  },
  'aten.all': {
    decomp: (c) => {
      const not = (x: DispatchArg): FakeTensor => c.op('aten.logical_not.default', x)
      const overload = c.schema.name.slice(c.schema.name.lastIndexOf('.') + 1)
      const rest = overload === 'default' ? [] : [c.get('dim'), c.bool('keepdim')]
      return not(
        c.call(overload === 'default' ? 'aten.any.dims' : `aten.any.${overload}`, [not(c.tensor('self')), ...rest]),
      )
    },
  },
  'aten.count_nonzero': {
    decomp: (c) => {
      const dim = c.get('dim')
      const list = dim === null ? null : (itemsOf(dim) ?? [dim])
      return c.op('aten.sum.dim_IntList', c.op('aten.ne.Scalar', c.tensor('self'), 0n), list)
    },
  },
  'aten.nansum': {
    decomp: (c) => {
      const x = c.tensor('self')
      const known = c.op('aten.where.ScalarSelf', c.op('aten.isnan.default', x), 0n, x)
      const options: Record<string, DispatchArg> = c.has('dtype') ? { dtype: c.get('dtype') } : {}
      return c.call('aten.sum.dim_IntList', [known, c.get('dim'), c.get('keepdim')], options)
    },
  },
})

export const KERNELS: Kernels = {
  'aten.sum': reduceKernel('sum', chosen('bool_to_long'), `${SUM}\n  out_result(0u, sum);`, total),
  'aten.mean': reduceKernel(
    'mean',
    chosen('default'),
    `${SUM}\n  out_result(0u, sum / f32(n));`,
    (x) => total(x) / x.length,
  ),
  'aten.prod': reduceKernel(
    'prod',
    chosen('bool_to_long'),
    '  var p = 1.0;\n  for (var r = 0u; r < n; r++) { p *= x(r); }\n  out_result(0u, p);',
    (x) => x.reduce((a, b) => a * b, 1),
  ),
  'aten.any': reduceKernel(
    'any',
    () => 'bool',
    '  var v = 0.0;\n  for (var r = 0u; r < n; r++) { if (order(x(r)) != 0) { v = 1.0; } }\n  out_result(0u, v);',
    (x) => Number(x.some((v) => v !== 0)),
  ),
  'aten.all': reduceKernel(
    'all',
    () => 'bool',
    '  var v = 1.0;\n  for (var r = 0u; r < n; r++) { if (order(x(r)) == 0) { v = 0.0; } }\n  out_result(0u, v);',
    (x) => Number(x.every((v) => v !== 0)),
  ),
}

export const FAMILIES: Families = {
  reduction: 'sum mean prod any all',
}
