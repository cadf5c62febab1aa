/** Pixel shuffles. */
import type { Dim } from '../../../fx'
import { dimArgs } from '../../fake'
import { formatKeyword, suggestedFormat } from '../../memory_format'
import type { Rules } from '../../operator'
import { floorDiv, mulDims, productOf } from '../../sym'
import { reshape } from '../views/reshape'

export const rules = (): Rules => ({
  'aten.pixel_shuffle': {
    implicit: (c, x) => {
      const f = c.dim('upscale_factor')
      const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
      const lead = x.meta.shape.slice(0, -3)
      const [n, out] = [lead.length, floorDiv(channels, mulDims(f, f))]
      const split = c.op('aten.view.default', x, dimArgs([...lead, out, f, f, h, w]))
      const order = [...lead.map((_, i) => i), n, n + 3, n + 1, n + 4, n + 2]
      const shape = [...lead, out, mulDims(h, f), mulDims(w, f)]
      const shuffled = reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), shape)
      return c.call('aten.clone.default', [shuffled], formatKeyword(suggestedFormat(x.meta)))
    },
  },
  'aten.pixel_unshuffle': {
    implicit: (c, x) => {
      const f = c.dim('downscale_factor')
      const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
      const lead = x.meta.shape.slice(0, -3)
      const n = lead.length
      const [rows, columns] = [floorDiv(h, f), floorDiv(w, f)]
      const split = c.op('aten.view.default', x, dimArgs([...lead, channels, rows, f, columns, f]))
      const order = [...lead.map((_, i) => i), n, n + 2, n + 4, n + 1, n + 3]
      const many = productOf([channels, f, f])
      const shuffled = reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), [
        ...lead,
        many,
        rows,
        columns,
      ])
      return c.call('aten.clone.default', [shuffled], formatKeyword(suggestedFormat(x.meta)))
    },
  },
})
