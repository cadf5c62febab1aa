import { describe, expect, it } from 'vitest'
import { searchNodes } from './search'
import { graph } from '../../testing/report_fixture'

describe('search', () => {
  const g = graph(`
    mm_1 aten.mm.default
    x placeholder
    addmm aten.addmm.default
    mm aten.mm.default`)
  it('puts the exact name first, then names, then targets', () => {
    expect(searchNodes(g, '%mm').map((n) => n.name)).toEqual(['mm', 'mm_1', 'addmm'])
    expect(searchNodes(g, 'aten.mm').map((n) => n.name)).toEqual(['mm_1', 'mm'])
    expect(searchNodes(g, ' ')).toEqual([])
  })
})
