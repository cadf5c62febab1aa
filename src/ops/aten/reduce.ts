/** Reductions and what is built on them. */
import { dtype as dtypeArg, type Dim } from '../../fx'
import { dimArgs, toDim, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { computationDtype, isComplexDtype, isFloatDtype } from '../promote'
import { register, type OpDef } from '../registry'
import { isZero } from '../sym'
import { runtimeError } from '../torch_error'
import { itemsOf } from '../fake'
import { cast, elementwise, inOpmath } from './elementwise'
import { fullLike } from './factory'

/** The dimensions that a `dim` argument names; all of them when it names none. */
function dimsOf(c: OpCall, x: FakeTensor, name = 'dim'): number[] {
  const v = c.get(name)
  const rank = x.meta.shape.length
  const list = v === null ? [] : (itemsOf(v) ?? [v]).map((d) => Number(toDim(d)))
  if (list.length === 0) return x.meta.shape.map((_, i) => i)
  const dims = list.map((d) => wrapDim(d, rank))
  if (new Set(dims).size !== dims.length)
    throw runtimeError(`dim ${dims.find((d, i) => dims.indexOf(d) !== i)} appears multiple times in the list of dims`)
  return dims
}

function reducedShape(x: FakeTensor, dims: readonly number[], keepdim: boolean): Dim[] {
  if (keepdim) return x.meta.shape.map((d, i) => (dims.includes(i) ? 1 : d))
  return x.meta.shape.filter((_, i) => !dims.includes(i))
}

const reduce = (c: OpCall, dtype: string, x = c.tensor('self'), dims = dimsOf(c, x)): FakeTensor =>
  c.fresh(dtype, reducedShape(x, dims, c.bool('keepdim')), x.meta.device)

const widened = (d: string): string => (isFloatDtype(d) || isComplexDtype(d) ? d : 'int64')

register('aten.sum aten.prod', { meta: (c) => reduce(c, c.dtype() ?? widened(c.tensor('self').meta.dtype)) })
register('aten.mean', {
  meta: (c) => {
    const dtype = c.dtype() ?? c.tensor('self').meta.dtype
    if (!isFloatDtype(dtype) && !isComplexDtype(dtype))
      throw runtimeError(
        `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: torch.${dtype}`,
      )
    return reduce(c, dtype)
  },
})
const allDims = (c: OpCall): boolean => itemsOf(c.get('dim'))?.length === 0 && !c.bool('keepdim')
register('aten.amax', {
  decomp: (c) =>
    c.tensor('self').meta.dtype === 'bool'
      ? c.call('aten.any.dims', [c.tensor('self'), ...(allDims(c) ? [] : [c.get('dim'), c.bool('keepdim')])])
      : undefined,
  meta: (c) => reduce(c, c.tensor('self').meta.dtype),
})
register('aten.amin', {
  decomp: (c) =>
    c.tensor('self').meta.dtype === 'bool'
      ? allDims(c)
        ? c.call('aten.all.default', [c.tensor('self')])
        : c.call('aten.all', [c.tensor('self'), c.get('dim'), c.bool('keepdim')])
      : undefined,
  meta: (c) => reduce(c, c.tensor('self').meta.dtype),
})

const extreme: OpDef = { meta: (c) => reduce(c, c.tensor('self').meta.dtype) }
register('aten.max.default aten.min.default', extreme)
const withIndex: OpDef = {
  meta: (c) => ({ kind: 'tuple', items: [reduce(c, c.tensor('self').meta.dtype), reduce(c, 'int64')] }),
}
register('aten.max.dim aten.min.dim aten.median.dim aten.mode aten.kthvalue', withIndex)
register('aten.argmax aten.argmin', { meta: (c) => reduce(c, 'int64') })
register('aten.any', {
  meta: (c) => reduce(c, c.tensor('self').meta.dtype === 'uint8' ? 'uint8' : 'bool'),
})
register('aten.all', {
  decomp: (c) => {
    const not = (x: DispatchArg): FakeTensor => c.op('aten.logical_not.default', x)
    const overload = c.schema.name.slice(c.schema.name.lastIndexOf('.') + 1)
    const rest = overload === 'default' ? [] : [c.get('dim'), c.bool('keepdim')]
    return not(
      c.call(overload === 'default' ? 'aten.any.dims' : `aten.any.${overload}`, [not(c.tensor('self')), ...rest]),
    )
  },
})

/** var and std: the older overloads are spelt with a correction. */
const correction = (c: OpCall): DispatchArg =>
  c.schema.name.endsWith('.correction') ? c.get('correction') : c.bool('unbiased') ? 1n : 0n
const corrected = (name: string): OpDef => ({
  implicit: (c) => {
    const kwargs: Record<string, DispatchArg> = {}
    // x.var() hands on no correction: 1 is what None means.
    if (!(c.schema.name.endsWith('.default') && c.bool('unbiased'))) kwargs['correction'] = correction(c)
    if (c.bool('keepdim')) kwargs['keepdim'] = true
    const dim = c.get('dim')
    return c.call(`aten.${name}.correction`, dim === null ? [c.tensor('self')] : [c.tensor('self'), dim], kwargs)
  },
})
for (const name of ['var', 'std', 'var_mean', 'std_mean'])
  register([`aten.${name}.dim`, `aten.${name}.default`], corrected(name))
const floating = (c: OpCall, what: string): string => {
  const { dtype } = c.tensor('self').meta
  if (!isFloatDtype(dtype)) throw runtimeError(what)
  return dtype
}
register('aten.var.correction', {
  meta: (c) => reduce(c, c.tensor('self').meta.dtype),
})
register('aten.var_mean.correction', {
  meta: (c) => {
    const d = floating(
      c,
      `mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: torch.${c.tensor('self').meta.dtype}`,
    )
    return { kind: 'tuple', items: [reduce(c, d), reduce(c, d)] }
  },
})
register('aten.std.correction', {
  decomp: (c) => {
    const x = c.tensor('self')
    const kwargs: Record<string, DispatchArg> = { correction: c.has('correction') ? c.number('correction')! : 1 }
    if (c.bool('keepdim')) kwargs['keepdim'] = true
    const wide = cast(c, x, computationDtype(x.meta.dtype))
    const variance = c.call('aten.var.correction', c.has('dim') ? [wide, c.get('dim')] : [wide], kwargs) as FakeTensor
    return cast(c, c.op('aten.sqrt.default', variance), x.meta.dtype)
  },
})

register('aten.cumsum aten.cumprod', {
  meta: (c) => {
    const x = c.tensor('self')
    wrapDim(c.int('dim'), x.meta.shape.length)
    return c.fresh(c.dtype() ?? widened(x.meta.dtype), x.meta.shape, x.meta.device)
  },
})
register('aten.topk', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim', -1), x.meta.shape.length)
    const [k, size] = [c.dim('k'), x.meta.shape[dim] ?? 1]
    if (typeof k === 'number' && typeof size === 'number' && (k < 0 || k > size))
      throw runtimeError('k not in range for dimension')
    const shape = x.meta.shape.map((d, i) => (i === dim ? k : d))
    return {
      kind: 'tuple',
      items: [c.fresh(x.meta.dtype, shape, x.meta.device), c.fresh('int64', shape, x.meta.device)],
    }
  },
})
register('aten.sort', {
  meta: (c) => {
    const x = c.tensor('self')
    return { kind: 'tuple', items: [elementwise(c, [x]), elementwise(c, [x], 'default', 'int64')] }
  },
})

const one = (c: OpCall): DispatchArg[] => [c.get('dim')]
const softmaxParts = (c: OpCall, x: FakeTensor): { shifted: FakeTensor; exp: FakeTensor; sum: FakeTensor } => {
  const shifted = c.op('aten.sub.Tensor', x, c.op('aten.amax.default', nonEmpty(c, x), one(c), true))
  const exp = c.op('aten.exp.default', shifted)
  return { shifted, exp, sum: c.op('aten.sum.dim_IntList', exp, one(c), true) }
}
/** _softmax_unbacked_safe_amax: the maximum of nothing is minus infinity. */
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
register('aten._softmax', {
  decomp: (c) => {
    const x = softmaxInput(c)
    const { exp, sum } = softmaxParts(c, x)
    const out = c.op('aten.div.Tensor', exp, sum)
    return c.bool('half_to_float') ? out : cast(c, out, c.tensor('self').meta.dtype)
  },
})
register('aten._log_softmax', {
  decomp: (c) => {
    const { shifted, sum } = softmaxParts(c, softmaxInput(c))
    const out = c.op('aten.sub.Tensor', shifted, c.op('aten.log.default', sum))
    return c.bool('half_to_float') ? out : cast(c, out, c.tensor('self').meta.dtype)
  },
})
const softmaxOf = (name: string): OpDef => ({
  implicit: (c) => {
    const x = c.tensor('self')
    const dtype = c.dtype()
    const from = dtype === null ? x : (c.call('aten.to.dtype', [x, dtypeArg(dtype)]) as FakeTensor)
    return c.call(name, [from, c.get('dim'), false])
  },
})
register('aten.softmax.int', softmaxOf('aten._softmax.default'))
register('aten.log_softmax.int', softmaxOf('aten._log_softmax.default'))
register('aten.special_softmax', softmaxOf('aten._softmax.default'))

register('aten.logsumexp', {
  decomp: (c) =>
    inOpmath(
      c,
      [c.tensor('self')],
      (x) => {
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

register('aten.linalg_vector_norm', {
  decomp: (c) => {
    const x = c.tensor('self')
    const { dtype } = x.meta
    if (!isFloatDtype(dtype) && !isComplexDtype(dtype))
      throw runtimeError(`linalg.vector_norm: Expected a floating point or complex tensor as input. Got torch.${dtype}`)
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
    // One element has its absolute value for a norm.
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
})

/** The older names of the same. */
register('aten.norm', {
  decomp: (c) =>
    c.call(
      'aten.linalg_vector_norm.default',
      [c.tensor('self'), c.has('p') ? c.get('p') : 2n, c.get('dim'), c.bool('keepdim')],
      c.has('dtype') ? { dtype: c.get('dtype') } : {},
    ),
})

register('aten.aminmax', {
  decomp: (c) => {
    const x = c.tensor('self')
    const dims = c.has('dim') ? [c.get('dim')] : []
    const min = c.op('aten.amin.default', x, dims, c.bool('keepdim'))
    return { kind: 'tuple', items: [min, c.op('aten.amax.default', x, dims, c.bool('keepdim'))] }
  },
})
register('aten.std_mean.correction', {
  decomp: (c) => {
    const x = c.tensor('self')
    const kwargs: Record<string, DispatchArg> = { correction: c.has('correction') ? c.number('correction')! : 1 }
    if (c.bool('keepdim')) kwargs['keepdim'] = true
    const wide = cast(c, x, computationDtype(x.meta.dtype))
    const made = c.call('aten.var_mean.correction', c.has('dim') ? [wide, c.get('dim')] : [wide], kwargs)
    const [variance, mean] = itemsOf(made)! as [FakeTensor, FakeTensor]
    const std = c.op('aten.sqrt.default', variance)
    const first = cast(c, std, x.meta.dtype)
    return { kind: 'tuple', items: [first, cast(c, mean, x.meta.dtype)] }
  },
})
register('aten.logcumsumexp', {
  meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self').meta.device),
})
register('aten.cummax aten.cummin', {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('self').meta
    return { kind: 'tuple', items: [c.fresh(dtype, shape, device), c.fresh('int64', shape, device)] }
  },
})
register('aten.count_nonzero', {
  decomp: (c) => {
    const dim = c.get('dim')
    const list = dim === null ? null : (itemsOf(dim) ?? [dim])
    return c.op('aten.sum.dim_IntList', c.op('aten.ne.Scalar', c.tensor('self'), 0n), list)
  },
})
register('aten.dist', {
  decomp: (c) =>
    c.op('aten.linalg_vector_norm.default', c.op('aten.sub.Tensor', c.tensor('self'), c.tensor('other')), c.get('p')),
})
register('aten.nansum', {
  decomp: (c) => {
    const x = c.tensor('self')
    const known = c.op('aten.where.ScalarSelf', c.op('aten.isnan.default', x), 0n, x)
    const options: Record<string, DispatchArg> = c.has('dtype') ? { dtype: c.get('dtype') } : {}
    return c.call('aten.sum.dim_IntList', [known, c.get('dim'), c.get('keepdim')], options)
  },
})
