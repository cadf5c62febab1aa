/** In-place operators with their own decompositions. */
import { type DispatchArg, type FakeTensor, isFake } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules, Traits } from '../../operator'
import { isFloatDtype } from '../../promote'
import { broadcastShapes, preservedStrides, sizeRepr, stridesOf } from '../../strides'
import { sameDims } from '../../sym'
import { runtimeError } from '../../torch_error'
import { inOpmath } from './elementwise_rule'

const thenCopied: OpDef = {
  decomp: (c) => {
    const self = c.get('self')
    if (!isFake(self)) return undefined
    const functional = c.schema.name.replace('_.', '.')
    const kwargs: Record<string, DispatchArg> = {}
    const args: DispatchArg[] = []
    for (const a of c.schema.args)
      if (a.kwargOnly) kwargs[a.name] = c.get(a.name)
      else args.push(c.get(a.name))
    return c.op('aten.copy_.default', self, c.call(functional, args, kwargs) as FakeTensor)
  },
}

/** sqrt_ and sin_ call the prims directly. */
const byPrim = (name: string): OpDef => ({
  decomp: (c, x) => {
    if (!isFloatDtype(x.meta.dtype)) return undefined
    return c.op(
      'aten.copy_.default',
      x,
      inOpmath(c, [x], (y) => c.op(name, y!))!,
    )
  },
})

const bitwise = (sign: 'and' | 'or'): OpDef => ({
  decomp: (c) => {
    const [x, other] = [c.tensor('self'), c.get('other')]
    const alike = isFake(other) && other.meta.dtype === x.meta.dtype && sameDims(other.meta.shape, x.meta.shape)
    const name = alike ? `prims.bitwise_${sign}.default` : `aten.bitwise_${sign}`
    return c.op('aten.copy_.default', x, c.op(name, x, other))
  },
})

/** Aliases of in-place operators. */
const renamed = (name: string): OpDef => ({
  implicit: (c) => c.call(name, c.all()),
})

const refill = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c, x) => c.op('aten.copy_.default', x, c.op('aten.full_like.default', x, value(c))),
})

/** Can also be functional: then the result has the layout of self. */
const copy: OpDef = {
  meta: (c) => {
    const [self, src] = [c.tensor('self'), c.tensor('src')]
    const fits = broadcastShapes([self.meta.shape, src.meta.shape])
    if (!sameDims(fits, self.meta.shape))
      throw runtimeError(
        `expand: attempting to expand a dimension of length ${sizeRepr(src.meta.shape)} to ${sizeRepr(self.meta.shape)}`,
      )
    if (c.schema.mutable) return self
    // clone_preserve_strides, except if elements overlap.
    const strides = stridesOf(self.meta)
    const overlaps = self.meta.shape.some((d, i) => strides[i] === 0 && d !== 1)
    return c.fresh(self.meta.dtype, self.meta.shape, self.meta.device, overlaps ? preservedStrides(self.meta) : strides)
  },
}

export const rules = (): Rules => ({
  'aten.celu_ aten.deg2rad_ aten.elu_ aten.fill_.Tensor aten.frac_ aten.gelu_ aten.hardsigmoid_ aten.hardswish_ aten.hardtanh_ aten.heaviside_ aten.leaky_relu_ aten.logit_ aten.masked_fill_ aten.mish_ aten.nan_to_num_ aten.rad2deg_ aten.renorm_ aten.sgn_ aten.silu_ aten.sinc_ aten.threshold_ aten.tril_ aten.triu_ aten.xlogy_':
    thenCopied,
  /** In decompositions, clamp_min is a clamp with a single limit. */
  'aten.clamp_min_': {
    decomp: (c) => {
      const [x, min] = [c.tensor('self'), c.get('min')]
      const form = isFake(min) ? 'Tensor' : 'default'
      return c.op('aten.copy_.default', x, c.call(`aten.clamp.${form}`, [x, min]) as FakeTensor)
    },
  },
  'aten.sqrt_': byPrim('prims.sqrt.default'),
  'aten.sin_': byPrim('prims.sin.default'),
  'prims.sqrt prims.sin': {
    meta: (c, x) => c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta)),
  },
  'aten.fill.Tensor': { decomp: (c) => c.op('aten.copy.default', c.tensor('self'), c.tensor('value')) },
  'aten.bitwise_and_': bitwise('and'),
  'aten.bitwise_or_': bitwise('or'),
  'aten.square_': { implicit: (c) => c.call('aten.pow_.Scalar', [c.tensor('self'), 2n]) },
  'aten.clip_.default': renamed('aten.clamp_.default'),
  'aten.clip_.Tensor': renamed('aten.clamp_.Tensor'),
  'aten.absolute_': renamed('aten.abs_.default'),
  'aten.negative_': renamed('aten.neg_.default'),
  'aten.fix_': renamed('aten.trunc_.default'),
  'aten.copy_': {
    ...copy,
    shape: 'Returns self, with the broadcast values of src.',
  },
  'aten.copy': { ...copy, noop: ([, from]) => from },
  'aten.fill_.Scalar': refill((c) => c.get('value')),
  'aten.zero_': refill((c) => (c.tensor('self').meta.dtype === 'bool' ? false : 0n)),
})

export const TRAITS: Traits = {
  passes: 'copy copy_',
}
