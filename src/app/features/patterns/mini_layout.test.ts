import { describe, expect, it } from 'vitest'
import { miniLayout, shortTarget } from './mini_layout'
import { fused } from '../../testing/report_fixture'

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
})
