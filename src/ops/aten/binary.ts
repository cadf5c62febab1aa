/** Elementwise operators of two operands: arithmetic, comparisons, logic, choice. */
import { dtype as dtypeArg, layout } from '../../fx'
import { isFake, isNumber, type DispatchArg, type FakeTensor } from '../fake'
import { register, type OpDef } from '../registry'
import type { OpCall } from '../op_call'
import { elementwiseDtype, isFloatDtype, isIntDtype, type Promotion } from '../promote'
import { broadcastShapes, preservedStrides, sizeRepr, stridesOf } from '../strides'
import { sameDims } from '../sym'
import { runtimeError, TorchError } from '../torch_error'
import { broadcastTogether, cast, elementwise, inOpmath } from './elementwise'

const binary = (kind: Promotion): OpDef => ({ meta: (c) => elementwise(c, [c.get('self'), c.get('other')], kind) })

register('aten.mul aten.maximum aten.minimum aten.fmod aten.remainder aten.div.Tensor_mode', binary('default'))
register('aten.div', binary('int_to_float'))
register('aten.div.Scalar_mode aten.bitwise_and aten.bitwise_or aten.bitwise_xor', binary('default'))
register('aten.bitwise_left_shift aten.bitwise_right_shift aten.__rshift__ aten.__lshift__', binary('default'))
register('aten.__and__ aten.__or__ aten.__xor__ aten.hypot aten.nextafter', binary('default'))
register('aten.atan2 aten.copysign', binary('int_to_float'))
register(
  'aten.eq aten.ne aten.lt aten.le aten.gt aten.ge aten.logical_and aten.logical_or aten.logical_xor',
  binary('always_bool'),
)
register('aten.sub', {
  meta: (c) => {
    const both = [c.get('self'), c.get('other')]
    // A number, or one bool tensor beside another kind, goes through under fake tensors.
    if (both.every((v) => isFake(v) && v.meta.dtype === 'bool'))
      throw new TorchError(
        'NotImplementedError',
        'Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.',
      )
    return elementwise(c, both)
  },
})
register('aten.pow', {
  meta: (c) => {
    const x = c.get('self')
    // torch._refs.pow: to the power of one is a copy.
    if (isFake(x) && isNumber(c.get('exponent')) && c.number('exponent') === 1) {
      const dtype = elementwiseDtype([x, c.get('exponent')], 'bool_to_long')
      if (dtype === x.meta.dtype) return c.fresh(dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
    }
    return elementwise(c, [x, c.get('exponent')], 'bool_to_long')
  },
})
const fmost = (compare: string): OpDef => ({
  decomp: (c) => {
    const [a, b] = [c.tensor('self'), c.tensor('other')]
    const nan = c.op('aten.isnan.default', b)
    const mine = c.op('aten.bitwise_or.Tensor', nan, c.op(compare, b, a))
    return c.op('aten.where.self', mine, a, b)
  },
})
register('aten.fmax', fmost('aten.lt.Tensor'))
register('aten.fmin', fmost('aten.gt.Tensor'))
/** x * log(y): 0 where x is 0, NaN where y is. */
const xlog = (log: string): OpDef => ({
  decomp: (c) => {
    const [a, b] = [c.get('self'), c.get('other')]
    if (!isFake(a) || !isFake(b)) return undefined
    return inOpmath(
      c,
      [a, b],
      (x, y) => {
        const zero = c.op('aten.eq.Scalar', x!, 0n)
        const product = c.op('aten.mul.Tensor', x!, c.op(log, y!))
        const known = c.op('aten.where.ScalarSelf', zero, 0n, product)
        return c.op('aten.where.ScalarSelf', c.op('aten.isnan.default', y!), NaN, known)
      },
      'int_to_float',
    )
  },
})
register('aten.special_xlog1py', xlog('aten.log1p.default'))
register('aten.ldexp.Tensor', binary('int_to_float'))
register('aten.gcd', binary('default'))
register('aten.lcm', {
  decomp: (c) => {
    const given = [c.tensor('self'), c.tensor('other')]
    const dtype = elementwiseDtype(given)
    const compute = dtype === 'int8' || dtype === 'int16' ? 'int32' : dtype
    const both = broadcastTogether(
      c,
      given.map((t) => cast(c, t, dtype)),
    )
    const [a, b] = both.map((t) => cast(c, t, compute)) as [FakeTensor, FakeTensor]
    const gcd = c.op('aten.gcd.default', a, b)
    const divisor = c.op('aten.where.ScalarSelf', c.op('aten.eq.Scalar', gcd, 0n), 1n, gcd)
    const multiple = c.op('aten.mul.Tensor', c.op('prims.div.default', a, divisor), b)
    return cast(c, c.op('aten.abs.default', multiple), dtype)
  },
})

register('aten.rsub', {
  decomp: (c) => {
    const alpha = c.get('alpha')
    return c.call('aten.sub.Tensor', [c.get('other'), c.tensor('self')], alpha === 1n ? {} : { alpha })
  },
})
register('aten.floor_divide', {
  decomp: (c) => c.call('aten.div.Tensor_mode', [c.get('self'), c.get('other')], { rounding_mode: 'floor' }),
})

const same = (name: string): OpDef => ({
  implicit: (c) =>
    c.call(
      name,
      [c.get('self'), c.get('other')],
      c.has('alpha') && c.get('alpha') !== 1n ? { alpha: c.get('alpha') } : {},
    ),
})
register('aten.true_divide aten.divide', {
  implicit: (c) => {
    const mode = c.string('rounding_mode')
    return c.call('aten.div', [c.get('self'), c.get('other')], mode === null ? {} : { rounding_mode: mode })
  },
})
register('aten.multiply', same('aten.mul'))
register('aten.subtract', same('aten.sub'))
register('aten.max.other', same('aten.maximum.default'))
register('aten.min.other', same('aten.minimum.default'))
register('aten.greater', same('aten.gt'))
register('aten.greater_equal', same('aten.ge'))
register('aten.less', same('aten.lt'))
register('aten.less_equal', same('aten.le'))
register('aten.not_equal', same('aten.ne'))

register('aten.addcmul aten.addcdiv', {
  meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('tensor1'), c.tensor('tensor2')]),
})

register('aten.clamp_min', { meta: (c) => elementwise(c, [c.tensor('self'), c.get('min')]) })
register('aten.clamp_max', { meta: (c) => elementwise(c, [c.tensor('self'), c.get('max')]) })

register('aten.where.self', {
  meta: (c) => {
    const [cond, a, b] = [c.tensor('condition'), c.tensor('self'), c.tensor('other')]
    if (cond.meta.dtype !== 'bool' && cond.meta.dtype !== 'uint8')
      throw runtimeError(`expected predicate to be bool, got torch.${cond.meta.dtype}`)
    return elementwise(c, [cond, a, b], 'default', elementwiseDtype([a, b]))
  },
})

/** A number as a tensor of no dimensions, as decompositions and where() make one. */
export function scalarTensor(c: OpCall, value: DispatchArg, dtype: string, like: FakeTensor): FakeTensor {
  return c.call('aten.scalar_tensor.default', [value], {
    dtype: dtypeArg(dtype),
    layout: layout('strided'),
    device: like.meta.device!,
  }) as FakeTensor
}

register('aten.where.ScalarOther aten.where.ScalarSelf aten.where.Scalar', {
  implicit: (c) => {
    const cond = c.tensor('condition')
    const [a, b] = [c.get('self'), c.get('other')]
    const dtype = elementwiseDtype([a, b])
    // C++ evaluates arguments from the right.
    let other = isFake(b) ? b : scalarTensor(c, b, dtype, cond)
    let self = isFake(a) ? a : scalarTensor(c, a, dtype, cond)
    other = cast(c, other, dtype)
    self = cast(c, self, dtype)
    return c.op('aten.where.self', cond, self, other)
  },
})

/** A number as Python's type of the dtype: 0 is 0.0 in a float tensor. */
const asNumberOf = (dtype: string, value: DispatchArg): DispatchArg => {
  if (typeof value !== 'bigint' && typeof value !== 'boolean' && typeof value !== 'number') return value
  if (dtype === 'bool') return Boolean(value)
  return isFloatDtype(dtype) ? Number(value) : isIntDtype(dtype) ? BigInt(Math.trunc(Number(value))) : value
}

register('aten.masked_fill.Scalar', {
  decomp: (c) => {
    const x = c.tensor('self')
    const value = asNumberOf(x.meta.dtype, c.get('value'))
    const filled = c.op('aten.where.self', c.tensor('mask'), scalarTensor(c, value, x.meta.dtype, x), x)
    return c.op('aten.contiguous.default', filled)
  },
})
register('aten.masked_fill.Tensor', {
  decomp: (c) => {
    const filled = c.op('aten.where.self', c.tensor('mask'), c.tensor('value'), c.tensor('self'))
    return c.op('aten.contiguous.default', filled)
  },
})

register('aten.lerp.Scalar', {
  decomp: (c) => {
    const [start, end, weight] = [c.tensor('self'), c.tensor('end'), c.number('weight')!]
    const diff = c.op('aten.sub.Tensor', end, start)
    return weight >= 0.5 || weight <= -0.5
      ? c.call('aten.add.Tensor', [end, diff], { alpha: -(1 - weight) })
      : c.call('aten.add.Tensor', [start, diff], { alpha: weight })
  },
})
register('aten.lerp.Tensor', {
  decomp: (c) => {
    const [start, end, weight] = [c.tensor('self'), c.tensor('end'), c.tensor('weight')]
    const diff = c.op('aten.sub.Tensor', end, start)
    const mask = c.op('aten.ge.Scalar', c.op('aten.abs.default', weight), 0.5)
    const negative = c.op('aten.neg.default', c.op('aten.rsub.Scalar', weight, 1))
    const w = c.op('aten.where.self', mask, negative, weight)
    return c.op('aten.addcmul.default', c.op('aten.where.self', mask, end, start), w, diff)
  },
})

register('aten.xlogy', xlog('aten.log.default'))
register('aten.mse_loss', {
  decomp: (c) =>
    inOpmath(c, [c.tensor('self'), c.tensor('target')], (x, y) => {
      const loss = c.op('aten.pow.Tensor_Scalar', c.op('aten.sub.Tensor', x!, y!), 2n)
      const reduction = c.int('reduction')
      return reduction === 0 ? loss : c.op(reduction === 1 ? 'aten.mean.default' : 'aten.sum.default', loss)
    }),
})

register('aten.copy_ aten.copy', {
  meta: (c) => {
    const [self, src] = [c.tensor('self'), c.tensor('src')]
    const fits = broadcastShapes([self.meta.shape, src.meta.shape])
    if (!sameDims(fits, self.meta.shape))
      throw runtimeError(
        `expand: attempting to expand a dimension of length ${sizeRepr(src.meta.shape)} to ${sizeRepr(self.meta.shape)}`,
      )
    if (c.schema.mutable) return self
    // clone_preserve_strides, but where elements lie on each other.
    const strides = stridesOf(self.meta)
    const overlaps = self.meta.shape.some((d, i) => strides[i] === 0 && d !== 1)
    return c.fresh(self.meta.dtype, self.meta.shape, self.meta.device, overlaps ? preservedStrides(self.meta) : strides)
  },
})
const refill = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
    return c.op('aten.copy_.default', x, c.op('aten.full_like.default', x, value(c)))
  },
})
register(
  'aten.fill_.Scalar',
  refill((c) => c.get('value')),
)
register(
  'aten.zero_',
  refill((c) => (c.tensor('self').meta.dtype === 'bool' ? false : 0n)),
)

/** log(e**a + e**b), kept from overflowing by the larger of the two; of infinities alike, the one. */
const logaddexp = (two: boolean): OpDef => ({
  decomp: (c) => {
    const body = (...both: FakeTensor[]): FakeTensor => {
      const [x, y] = broadcastTogether(c, both) as [FakeTensor, FakeTensor]
      const mask = c.op('aten.ge.Tensor', x, y)
      const max = c.op('aten.where.self', mask, x, y)
      const min = c.op('aten.where.self', mask, y, x)
      const infinite = two
        ? c.op('aten.isinf.default', x)
        : c.op('aten.logical_not.default', c.op('aten.isfinite.default', x))
      const alike = c.op('aten.logical_and.default', infinite, c.op('aten.eq.Tensor', x, y))
      const power = c.op(two ? 'aten.exp2.default' : 'aten.exp.default', c.op('aten.sub.Tensor', min, max))
      const log = c.op('aten.log1p.default', power)
      const rest = two ? c.op('aten.mul.Tensor', log, 1 / Math.log(2)) : log
      return c.op('aten.where.self', alike, x, c.op('aten.add.Tensor', max, rest))
    }
    return inOpmath(c, [c.tensor('self'), c.tensor('other')], body, 'int_to_float')
  },
})
register('aten.logaddexp', logaddexp(false))
register('aten.logaddexp2', logaddexp(true))

register('aten.clip', {
  implicit: (c) =>
    c.call(
      c.schema.name.endsWith('.Tensor') ? 'aten.clamp.Tensor' : 'aten.clamp.default',
      ['self', 'min', 'max'].map((n) => c.get(n)),
    ),
})
register('aten.heaviside', {
  decomp: (c) => {
    return inOpmath(c, [c.tensor('self'), c.tensor('values')], (...both) => {
      const [x, values] = broadcastTogether(c, both)
      const zero = c.op('aten.eq.Scalar', x!, 0n)
      const below = c.op('aten.logical_or.default', c.op('aten.lt.Scalar', x!, 0n), c.op('aten.isnan.default', x!))
      return c.op('aten.where.self', zero, values!, c.op('aten.where.Scalar', below, 0n, 1n))
    })
  },
})
register('aten.float_power', {
  decomp: (c) => {
    const wide = (v: DispatchArg): DispatchArg =>
      isFake(v)
        ? v.meta.dtype === 'float64'
          ? v
          : c.op('prims.convert_element_type.default', v, dtypeArg('float64'))
        : Number(v)
    return c.call('aten.pow', [wide(c.get('self')), wide(c.get('exponent'))])
  },
})
