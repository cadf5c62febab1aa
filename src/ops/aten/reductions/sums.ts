/** Sums, means, products, any and all. */
import { dimArgs, type DispatchArg, type FakeTensor, itemsOf } from '../../fake'
import { type Expr, fold, number, sum } from '../../expr/expr'
import { python } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { isComplexDtype, isFloatDtype } from '../../promote'
import { runtimeError } from '../../torch_error'
import { chosen, type Line, reduceKernel } from './line_kernel'
import { reduce, widened } from './reduce_rule'
import { REDUCED } from '../../shape_words'
import * as guess from '../../guess/relations'

export const total = ({ n, x }: Line): Expr => sum(n, x)

const some = ({ n, x }: Line): Expr => sum(n, (r) => x(r).truth().float()).truth()

/** at::sum_to: sums over the dimensions for which the target size is 1 or missing. */
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
  'aten.sum aten.prod': {
    shape: REDUCED,
    guess: guess.reduced,
    meta: (c) => reduce(c, c.dtype() ?? widened(c.tensor('self').meta.dtype)),
  },
  'aten.mean': {
    shape: REDUCED,
    guess: guess.reduced,
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
    shape: REDUCED,
    meta: (c) => reduce(c, c.tensor('self').meta.dtype === 'uint8' ? 'uint8' : 'bool'),
  },
  'aten.all': {
    shape: REDUCED,
    decomp: (c) => {
      const not = (x: DispatchArg): FakeTensor => c.op('aten.logical_not.default', x)
      // The overloads that write to a tensor have the parameters of the others.
      const byDim = c.schema.args.find((a) => a.name === 'dim')
      const rest = byDim ? [c.get('dim'), c.bool('keepdim')] : []
      const overload = byDim?.type.list === null ? 'dim' : 'dims'
      return not(c.call(`aten.any.${overload}`, [not(c.tensor('self')), ...rest]))
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
    decomp: python('sum.dim_IntList(where(isnan(self), 0, self), dim, keepdim, dtype=dtype)'),
  },
})

export const KERNELS: Kernels = {
  'aten.sum': reduceKernel('sum', chosen('bool_to_long'), total),
  'aten.mean': reduceKernel('mean', chosen('default'), (line) => total(line).over(line.n)),
  'aten.prod': reduceKernel(
    'prod',
    chosen('bool_to_long'),
    ({ n, x }) => fold(n, [number(1)], (r, [p]) => [p!.times(x(r))])[0]!,
  ),
  'aten.any': reduceKernel('any', () => 'bool', some),
  'aten.all': reduceKernel(
    'all',
    () => 'bool',
    ({ n, x }) => some({ n, x: (r) => x(r).truth().not().float() }).not(),
  ),
}

export const TRAITS: Traits = {
  reduction: 'sum mean prod any all',
}
