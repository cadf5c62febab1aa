/** In-place forms that Inductor takes apart: the functional form, then copy_ (torch._refs._make_inplace). */
import { isFake, type DispatchArg, type FakeTensor } from '../fake'
import { register, type OpDef } from '../registry'
import { isFloatDtype } from '../promote'
import { preservedStrides } from '../strides'
import { sameDims } from '../sym'
import { inOpmath } from './elementwise'

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

register(
  `aten.celu_ aten.deg2rad_ aten.elu_ aten.fill_.Tensor aten.frac_ aten.gelu_ aten.hardsigmoid_
   aten.hardswish_ aten.hardtanh_ aten.heaviside_ aten.leaky_relu_ aten.logit_ aten.masked_fill_
   aten.mish_ aten.nan_to_num_ aten.rad2deg_ aten.renorm_ aten.sgn_ aten.silu_ aten.sinc_ aten.threshold_ aten.tril_
   aten.triu_ aten.xlogy_`,
  thenCopied,
)

/** clamp_min is a clamp of one limit to the decompositions. */
register('aten.clamp_min_', {
  decomp: (c) => {
    const [x, min] = [c.tensor('self'), c.get('min')]
    const form = isFake(min) ? 'Tensor' : 'default'
    return c.op('aten.copy_.default', x, c.call(`aten.clamp.${form}`, [x, min]) as FakeTensor)
  },
})

/** sqrt_ and sin_ go through the prims themselves. */
for (const name of ['sqrt', 'sin'])
  register(`aten.${name}_`, {
    decomp: (c) => {
      const x = c.tensor('self')
      if (!isFloatDtype(x.meta.dtype)) return undefined
      return c.op(
        'aten.copy_.default',
        x,
        inOpmath(c, [x], (y) => c.op(`prims.${name}.default`, y!))!,
      )
    },
  })
register('prims.sqrt prims.sin', {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
  },
})
register('aten.fill.Tensor', { decomp: (c) => c.op('aten.copy.default', c.tensor('self'), c.tensor('value')) })
for (const sign of ['and', 'or'])
  register(`aten.bitwise_${sign}_`, {
    decomp: (c) => {
      const [x, other] = [c.tensor('self'), c.get('other')]
      const alike = isFake(other) && other.meta.dtype === x.meta.dtype && sameDims(other.meta.shape, x.meta.shape)
      const name = alike ? `prims.bitwise_${sign}.default` : `aten.bitwise_${sign}`
      return c.op('aten.copy_.default', x, c.op(name, x, other))
    },
  })

/** Other names of in-place operators. */
const renamed = (name: string): OpDef => ({
  implicit: (c) => c.call(name, c.all()),
})
register('aten.square_', { implicit: (c) => c.call('aten.pow_.Scalar', [c.tensor('self'), 2n]) })
register('aten.clip_.default', renamed('aten.clamp_.default'))
register('aten.clip_.Tensor', renamed('aten.clamp_.Tensor'))
register('aten.absolute_', renamed('aten.abs_.default'))
register('aten.negative_', renamed('aten.neg_.default'))
register('aten.fix_', renamed('aten.trunc_.default'))
