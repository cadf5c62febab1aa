/** The prims operators that appear in traces; those with an aten counterpart are in its file. */
import type { Dim } from '../../fx'
import { dimArgs, type DispatchArg, isFake, toDim } from '../fake'
import type { OpCall } from '../op_call'
import type { OpDef, Rules } from '../operator'
import { contiguousStrides, physicalOrder, stridesOf } from '../strides'
import { isOne, mulDims } from '../sym'

/** _prim_elementwise_meta: dense, in the physical order of the operands. */
function meta(c: OpCall, dtype?: string): DispatchArg {
  const tensors = c.all().filter(isFake)
  const like = tensors.find((t) => t.meta.shape.length > 0) ?? tensors[0]!
  const { shape } = like.meta
  const order = physicalOrder(tensors.filter((t) => t.meta.shape.length === shape.length).map((t) => t.meta))
  const packed = contiguousStrides(order.map((i) => shape[i]!))
  const stride = shape.map((_, i) => packed[order.indexOf(i)]!)
  return c.fresh(dtype ?? like.meta.dtype, shape, like.meta.device, stride)
}

const same: OpDef = { meta: (c) => meta(c) }

export const rules = (): Rules => ({
  'prims.add prims.sub prims.mul prims.div prims.maximum prims.minimum prims.fmod prims.remainder prims.pow prims.abs prims.neg prims.exp prims.exp2 prims.log prims.tanh prims.erf prims.cos prims.floor prims.ceil prims.round prims.trunc prims.sign prims.rsqrt prims.reciprocal prims.bitwise_and prims.bitwise_or':
    same,
  'prims.eq prims.ne prims.lt prims.le prims.gt prims.ge prims.isfinite': { meta: (c) => meta(c, 'bool') },
  /** Dimensions of `a` go where broadcast_dimensions says; the others repeat. */
  'prims.broadcast_in_dim': {
    meta: (c, a) => {
      const to = c.dims('broadcast_dimensions')!.map(Number)
      const shape = c.dims('shape')!
      const strides = stridesOf(a.meta)
      let own = 0
      const stride: Dim[] = shape.map((d, i) => {
        if (!to.includes(i)) {
          if (!isOne(d)) return 0
          return own < strides.length ? mulDims(a.meta.shape[own]!, strides[own]!) : 1
        }
        const at = own++
        return isOne(a.meta.shape[at]!) && !isOne(d) ? 0 : strides[at]!
      })
      return c.view(a, { shape, stride })
    },
  },
  'prims.sum prims.prod prims.amax prims.amin': {
    meta: (c) => {
      const x = c.all().find(isFake)!
      const over = c.dims('dims')?.map((d) => Number(toDim(dimArgs([d])[0]!)))
      const shape = x.meta.shape.filter((_, i) => over && !over.includes(i))
      return c.fresh(c.dtype('output_dtype') ?? x.meta.dtype, shape, x.meta.device)
    },
  },
})
