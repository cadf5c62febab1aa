import { describe, expect, it } from 'vitest'
import { graph } from '../../engine/queries/testing/report_fixture'
import { drawnGraph } from './drawn'
import { only, pathBetween, usesOf, withoutNodes, withoutViews } from './filters'
import { visibilityOf, type Filter } from './visibility'

const g = graph(`
    x placeholder
    w placeholder
    t aten.t.default w
    mm aten.mm.default x t
    relu aten.relu.default mm
    add aten.add.Tensor relu x
    mul aten.mul.Tensor add t
    out output mul`)
g.nodes[2]!.family = 'view'

/** Drawn nodes with their inputs. */
function drawn(...filters: Filter[]): string[] {
  const { nodes } = drawnGraph(g, null, new Set(), visibilityOf(g, filters))
  return nodes.map((n) => [n.name, ...n.inputs.map((i) => nodes[i]!.name)].join(' '))
}

describe('filters', () => {
  it('draw a part with steps up and down', () => {
    expect(drawn(only(new Set(['relu']), 0, 0))).toEqual(['relu'])
    expect(drawn(only(new Set(['relu']), 1, 2))).toEqual(['mm', 'relu mm', 'add relu', 'mul add'])
    expect(drawn(only(new Set(['absent']), 1, 1))).toHaveLength(8)
  })
  it('draw edges past views and hidden nodes', () => {
    expect(drawn(withoutViews)[2]).toBe('mm x w')
    expect(drawn(withoutNodes(new Set(['relu', 'add'])), withoutViews)).toEqual([
      'x',
      'w',
      'mm x w',
      'mul mm x w',
      'out mul',
    ])
    expect(drawn(only(new Set(['mm']), 2, 0), withoutViews)).toEqual(['x', 'w', 'mm x w'])
  })
  it('know the paths between two nodes, and the uses of one', () => {
    expect(pathBetween(g, 'add', 'mm')).toEqual(['mm', 'relu', 'add'])
    expect(pathBetween(g, 'x', 'add')).toEqual(['x', 'mm', 'relu', 'add'])
    expect(pathBetween(g, 'x', 'w')).toBeNull()
    expect(usesOf(g, 'w')).toEqual(['w', 't', 'mm', 'mul'])
  })
})
