/** Images of another size: upsampling and pixel shuffles. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { dimArgs, itemsOf } from '../../fake'
import type { Rules } from '../../operator'
import { floorDiv, mulDims, productOf } from '../../sym'
import { reshape } from '../views/reshape'

export const rules = (): Rules => ({
  /** upsample_nearest2d: rows and columns picked by index. */
  'aten.upsample_nearest2d.vec': {
    implicit: (c) => {
      const x = c.tensor('input')
      const given = c.dims('output_size')
      const factors = (itemsOf(c.get('scale_factors')) ?? []).map(Number)
      const ends = x.meta.shape.slice(-2)
      const size = given ?? ends.map((d, i) => Math.floor(Number(d) * factors[i]!))
      const indices = ends.map((d, i) => {
        const index = c.call('aten.arange.default', [dimArgs(size)[i]!], {
          dtype: dtypeArg('float32'),
          device: x.meta.device!,
        })
        const scale = given ? Number(d) / Number(size[i]) : 1 / factors[i]!
        const near = c.op('aten.mul.Tensor', c.op('aten.add.Tensor', index, 0), scale)
        const whole = c.op('prims.convert_element_type.default', near, dtypeArg('int64'))
        return i === 0 ? c.op('aten.unsqueeze.default', whole, -1n) : whole
      })
      return c.op('aten._unsafe_index.Tensor', x, [null, null, ...indices])
    },
  },
  'aten.pixel_shuffle': {
    implicit: (c) => {
      const x = c.tensor('self')
      const f = c.dim('upscale_factor')
      const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
      const lead = x.meta.shape.slice(0, -3)
      const [n, out] = [lead.length, floorDiv(channels, mulDims(f, f))]
      const split = c.op('aten.view.default', x, dimArgs([...lead, out, f, f, h, w]))
      const order = [...lead.map((_, i) => i), n, n + 3, n + 1, n + 4, n + 2]
      return reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), [
        ...lead,
        out,
        mulDims(h, f),
        mulDims(w, f),
      ])
    },
  },
  'aten.pixel_unshuffle': {
    implicit: (c) => {
      const x = c.tensor('self')
      const f = c.dim('downscale_factor')
      const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
      const lead = x.meta.shape.slice(0, -3)
      const n = lead.length
      const [rows, columns] = [floorDiv(h, f), floorDiv(w, f)]
      const split = c.op('aten.view.default', x, dimArgs([...lead, channels, rows, f, columns, f]))
      const order = [...lead.map((_, i) => i), n, n + 2, n + 4, n + 1, n + 3]
      const many = productOf([channels, f, f])
      return reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), [...lead, many, rows, columns])
    },
  },
})
