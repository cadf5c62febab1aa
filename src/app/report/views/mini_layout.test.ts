import { describe, expect, it } from 'vitest'
import { miniLayout, shortTarget } from './mini_layout'
import { fused, graph } from '../../../engine/queries/testing/report_fixture'

describe('the small graph of a pattern', () => {
  it('places users below their inputs and omits the output', () => {
    const layout = miniLayout(fused().passes[0]!.entries[0]!.pattern)
    expect(layout.nodes.map((n) => n.y)).toEqual([0, 46, 92])
    expect(layout.edges).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ])
    expect(shortTarget('_C.silu_and_mul.default')).toBe('silu_and_mul')
  })

  it('draws the first argument of a call left of the second one', () => {
    const layout = miniLayout(
      graph(`
        b placeholder
        x placeholder
        w placeholder
        mul aten.mul.Tensor w x
        add aten.add.Tensor mul b
      `),
    )
    const rows = [...new Set(layout.nodes.map((n) => n.y))].sort((a, b) => a - b)
    const row = (y: number) => layout.nodes.filter((n) => n.y === y).sort((a, b) => a.x - b.x)
    expect(rows.map((y) => row(y).map((n) => n.label))).toEqual([['w', 'x'], ['mul', 'b'], ['add']])
  })
})
