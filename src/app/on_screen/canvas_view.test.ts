import { describe, expect, it } from 'vitest'
import { groupsOf, marksOf, parseGroupId } from './canvas_view'
import { letterOf, markOf } from '../../engine/queries/report_index'
import { fused, graph } from '../../engine/queries/testing/report_fixture'

describe('the overlays of the canvas', () => {
  it('groups matches before and replacements after under the same id', () => {
    const r = fused()
    const [before] = groupsOf(r, r.graph, 'before')
    const [after] = groupsOf(r, r.after!, 'after')
    expect(before).toMatchObject({ id: 'patterns:0', nodes: ['relu', 'neg'], letter: 'A1', kind: 'match' })
    expect(after).toMatchObject({ id: 'patterns:0', nodes: ['fused'], kind: 'added' })
    expect(parseGroupId('a:b:12')).toEqual({ kind: 'match', pass: 'a:b', index: 12 })
    expect(parseGroupId('a:1!2@mul_3')).toEqual({ kind: 'nearMiss', pass: 'a:1', index: 2, place: 'mul_3' })
  })
  it('omits nodes that a newer graph lacks', () => {
    const r = fused()
    expect(groupsOf(r, graph('x placeholder'), 'before')).toEqual([])
  })
  it('marks removed nodes only in the split view, added ones whenever the graph after is visible', () => {
    const r = fused()
    expect([...marksOf(r, { graph: r.graph, side: 'before', mode: 'before', culprits: new Map() })]).toEqual([])
    expect([...marksOf(r, { graph: r.graph, side: 'before', mode: 'split', culprits: new Map() })]).toEqual([
      ['relu', 'removed'],
      ['neg', 'removed'],
    ])
    expect([...marksOf(r, { graph: r.after!, side: 'after', mode: 'after', culprits: new Map() })]).toEqual([
      ['fused', 'added'],
    ])
  })
  it('gives a class one color and letter, and its variants numbers', () => {
    const r = fused()
    expect([0, 1, 2].map((i) => markOf(r, 'patterns', i).letter)).toEqual(['A1', 'A2', 'B'])
    expect([letterOf(25), letterOf(26)]).toEqual(['Z', 'AA'])
  })
})
