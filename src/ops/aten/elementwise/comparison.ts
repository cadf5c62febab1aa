/** Comparisons and logical operators of two operands. */
import type { Kernels, Rules } from '../../operator'
import { isFloatDtype } from '../../promote'
import { binary, same } from './arithmetic'
import { type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'
import { broadcastTogether, cast, inOpmath } from './elementwise_rule'

const COMPARISONS: Record<string, Formula> = {
  eq: (a, b) => a.eq(b),
  ne: (a, b) => a.ne(b),
  lt: (a, b) => a.lt(b),
  le: (a, b) => a.le(b),
  gt: (a, b) => a.gt(b),
  ge: (a, b) => a.ge(b),
  logical_and: (a, b) => a.truth().and(b.truth()),
  logical_or: (a, b) => a.truth().or(b.truth()),
  logical_xor: (a, b) => a.truth().and(b.truth().not()).or(b.truth().and(a.truth().not())),
}

export const rules = (): Rules => ({
  'aten.eq aten.ne aten.lt aten.le aten.gt aten.ge aten.logical_and aten.logical_or aten.logical_xor':
    binary('always_bool'),
  'aten.greater': same('aten.gt'),
  'aten.greater_equal': same('aten.ge'),
  'aten.less': same('aten.lt'),
  'aten.less_equal': same('aten.le'),
  'aten.not_equal': same('aten.ne'),
  'aten.heaviside': {
    decomp: (c) => {
      return inOpmath(c, [c.tensor('self'), c.tensor('values')], (...both) => {
        const [x, values] = broadcastTogether(c, both)
        const zero = c.op('aten.eq.Scalar', x!, 0n)
        const below = c.op('aten.logical_or.default', c.op('aten.lt.Scalar', x!, 0n), c.op('aten.isnan.default', x!))
        return c.op('aten.where.self', zero, values!, c.op('aten.where.Scalar', below, 0n, 1n))
      })
    },
  },
  'aten.isclose': {
    implicit: (c) => {
      const [x, y] = [c.tensor('self'), c.tensor('other')]
      if (c.bool('equal_nan')) return undefined
      const equal = c.op('aten.eq.Tensor', x, y)
      const [rtol, atol] = [c.number('rtol')!, c.number('atol')!]
      if (rtol === 0 && atol === 0) return equal
      const a = x.meta.dtype === 'bool' ? cast(c, x, 'float32') : x
      const b = isFloatDtype(x.meta.dtype) ? y : cast(c, y, 'float32')
      const allowed = c.op('aten.add.Scalar', c.op('aten.abs.default', c.op('aten.mul.Scalar', b, rtol)), atol)
      const apart = c.op('aten.abs.default', c.op('aten.sub.Tensor', a, b))
      const finite = c.op('aten.isfinite.default', apart)
      const near = c.op('aten.bitwise_and_.Tensor', finite, c.op('aten.le.Tensor', apart, allowed))
      return c.op('aten.bitwise_or_.Tensor', equal, near)
    },
  },
})

export const KERNELS: Kernels = kernelsOf(COMPARISONS, [{ ...SELF, scalar: true }, OTHER], 'always_bool')
