/** Vector norms and distances. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, rankOf } from '../../fake'
import { wrapDim } from '../../op_call'
import type { Traits, Rules } from '../../operator'
import { computationDtype, isComplexDtype, isFloatDtype } from '../../promote'
import { broadcastShapes } from '../../strides'
import { floorDiv, mulDims, subDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { cast } from '../elementwise/elementwise_rule'
import { dimsOf } from './reduce_rule'
import { REDUCED } from '../../shape_words'

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.linalg_vector_norm': {
    decomp: (c, x) => {
      const { dtype } = x.meta
      if (!isFloatDtype(dtype) && !isComplexDtype(dtype))
        throw runtimeError(
          `linalg.vector_norm: Expected a floating point or complex tensor as input. Got torch.${dtype}`,
        )
      const ord = c.number('ord')!
      const dims = c.get('dim') === null ? null : dimsOf(c, x).map(BigInt)
      const keep = c.bool('keepdim')
      const result = c.dtype() ?? dtype
      const given = c.dims('dim') ?? []
      if (ord === 0)
        return c.call('aten.sum.dim_IntList', [c.op('aten.ne.Scalar', x, 0), c.get('dim'), keep], {
          dtype: dtypeArg(result),
        })
      if (Math.abs(ord) === Infinity)
        return cast(
          c,
          c.op(ord > 0 ? 'aten.amax.default' : 'aten.amin.default', c.op('aten.abs.default', x), dimArgs(given), keep),
          result,
        )
      const wide = cast(c, x, computationDtype(result))
      const { shape } = x.meta
      const over = given.length > 0 ? dimsOf(c, x) : shape.map((_, i) => i)
      // The norm of one element is its absolute value.
      if (over.every((d) => shape[d] === 1) && (given.length === 0 || shape.length > 0)) {
        const size = c.op('aten.abs.default', wide)
        if (keep || shape.length === 0) return c.op('aten.contiguous.default', cast(c, size, result))
        if (given.length === 0)
          return c.op('aten.select.int', c.op('aten.flatten.using_ints', cast(c, size, result)), 0n, 0n)
        const rest = dimArgs(shape.filter((_, i) => !over.includes(i)))
        return c.op('aten.contiguous.default', cast(c, c.op('aten.view.default', size, rest), result))
      }
      const even = ord % 2 === 0 && isFloatDtype(wide.meta.dtype)
      const powers = c.op('aten.pow.Tensor_Scalar', even ? wide : c.op('aten.abs.default', wide), c.get('ord'))
      const sum = c.op('aten.sum.dim_IntList', powers, dims, keep)
      return cast(c, c.op('aten.pow.Tensor_Scalar', sum, 1 / ord), result)
    },
  },
  /** Older names of the same operators. */
  'aten.norm': {
    shape: REDUCED,
    decomp: (c) =>
      c.call(
        'aten.linalg_vector_norm.default',
        [c.tensor('self'), c.has('p') ? c.get('p') : 2n, c.get('dim'), c.bool('keepdim')],
        c.has('dtype') ? { dtype: c.get('dtype') } : {},
      ),
  },
  'aten.dist': {
    decomp: (c) =>
      c.op('aten.linalg_vector_norm.default', c.op('aten.sub.Tensor', c.tensor('self'), c.tensor('other')), c.get('p')),
  },
  'aten.cdist': {
    implicit: (c) => {
      const [m, n] = [c.tensor('x1').meta.shape.at(-1), c.tensor('x2').meta.shape.at(-1)]
      if (typeof m === 'number' && typeof n === 'number' && m !== n)
        throw runtimeError(`X1 and X2 must have the same number of columns. X1: ${m} X2: ${n}`)
      return c.call('aten._cdist_forward.default', [c.tensor('x1'), c.tensor('x2'), c.get('p'), c.get('compute_mode')])
    },
  },
  'aten.pdist': {
    implicit: (c, x) => {
      if (rankOf(x) !== 2) throw runtimeError(`pdist only supports 2D tensors, got: ${rankOf(x)}D`)
      const rows = c.call('aten.contiguous.default', [x])
      return c.call('aten._pdist_forward.default', [rows, c.get('p') ?? 2])
    },
  },
  'aten._pdist_forward': {
    meta: (c, { meta: { dtype, shape, device } }) => {
      const pairs = floorDiv(mulDims(shape[0]!, subDims(shape[0]!, 1)), 2)
      return c.fresh(dtype, [pairs], device)
    },
  },
  'aten._cdist_forward': {
    meta: (c) => {
      const [a, b] = [c.tensor('x1').meta, c.tensor('x2').meta]
      for (const [i, { dtype }] of [a, b].entries())
        if (!isFloatDtype(dtype))
          throw runtimeError(`cdist only supports floating-point dtypes, X${i + 1} got: torch.${dtype}`)
      const batch = broadcastShapes([a.shape.slice(0, -2), b.shape.slice(0, -2)])
      return c.fresh(a.dtype, [...batch, a.shape.at(-2)!, b.shape.at(-2)!], a.device)
    },
  },
  'aten.renorm': {
    decomp: (c, x) => {
      const rank = x.meta.shape.length
      const dim = wrapDim(c.int('dim'), rank)
      const over = x.meta.shape.map((_, i) => BigInt(i)).filter((i) => Number(i) !== dim)
      const wide = computationDtype(x.meta.dtype)
      const options: Record<string, DispatchArg> = wide === x.meta.dtype ? {} : { dtype: dtypeArg(wide) }
      const norm = c.call('aten.linalg_vector_norm.default', [x, c.get('p'), over, true], options) as FakeTensor
      const large = c.op('aten.gt.Scalar', norm, c.get('maxnorm'))
      const inverse = c.op('aten.reciprocal.default', c.op('aten.add.Tensor', norm, 1e-7))
      const factor = c.op('aten.mul.Tensor', inverse, c.get('maxnorm'))
      const scale = cast(c, c.op('aten.where.ScalarOther', large, factor, 1), x.meta.dtype)
      return c.op('aten.contiguous.default', c.op('aten.mul.Tensor', x, scale))
    },
  },
})

export const TRAITS: Traits = {
  reduction: 'norm linalg_vector_norm',
}
