/** In-place forms that Inductor takes apart: the functional form, then copy_ (torch._refs._make_inplace). */
import { isFake, type DispatchArg, type FakeTensor } from '../fake'
import { register, type OpDef } from '../registry'

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
   aten.hardswish_ aten.hardtanh_ aten.heaviside_ aten.index_fill_ aten.leaky_relu_ aten.logit_ aten.masked_fill_
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
    decomp: (c) => c.op('aten.copy_.default', c.tensor('self'), c.op(`prims.${name}.default`, c.tensor('self'))),
  })
register('prims.sqrt prims.sin', {
  meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self').meta.device),
})
register('aten.fill.Tensor', { decomp: (c) => c.op('aten.copy.default', c.tensor('self'), c.tensor('value')) })
for (const sign of ['and', 'or', 'xor'])
  register(`aten.bitwise_${sign}_`, {
    decomp: (c) =>
      sign === 'xor'
        ? undefined
        : c.op('aten.copy_.default', c.tensor('self'), c.op(`aten.bitwise_${sign}`, c.tensor('self'), c.get('other'))),
  })
