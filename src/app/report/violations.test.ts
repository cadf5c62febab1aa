import { describe, expect, it } from 'vitest'
import { message, node, nodeAfter, worded } from '../../base/message'
import type { Report, Violation } from '../../engine/protocol'
import { marksOf } from '../on_screen/canvas_view'
import { fused } from '../../engine/queries/testing/report_fixture'
import { violationNotes, foldViolations, violationsAt } from './violations'

const violation = (more: Partial<Violation> = {}): Violation => ({
  kind: 'output',
  node: 'fused',
  before: 'neg',
  match: 0,
  was: 'f32[4]',
  is: 'f64[4]',
  ...worded(message`${node('neg')} was f32[4], and ${nodeAfter('fused')}, which replaced it, is f64[4]`),
  ...more,
})

function reportWith(...violations: Violation[]): Report {
  const r = fused()
  r.passes[0]!.violations = violations
  return r
}

describe('what a rewrite broke', () => {
  it('is marked on the replaced node and on its replacement, over other marks', () => {
    const r = reportWith(violation())
    expect([...violationNotes(r, r.graph, 'before').keys()]).toEqual(['neg'])
    const after = violationNotes(r, r.after!, 'after')
    expect(
      marksOf(r, { graph: r.after!, side: 'after', mode: 'after', culprits: new Map(), violations: after }).get(
        'fused',
      ),
    ).toBe('violation')
    expect(violationsAt(r, 'fused', 'after')).toHaveLength(1)
    expect(violationsAt(r, 'neg', 'before')).toHaveLength(1)
    expect(violationsAt(r, 'relu', 'before')).toEqual([])
  })

  it('is marked on the anchor of the match if the graph before has no corresponding node', () => {
    const r = reportWith(violation({ kind: 'mutation', before: null }))
    expect([...violationNotes(r, r.graph, 'before').keys()]).toEqual(['neg'])
    expect(violationsAt(r, 'neg', 'before')).toHaveLength(1)
  })

  it('is listed once for equal places', () => {
    const r = reportWith(violation(), violation({ node: 'fused_1' }), violation({ kind: 'order' }))
    const folded = foldViolations(r.passes[0]!)
    expect(folded.map((f) => [f.violation.kind, f.entry?.title, f.others])).toEqual([
      ['output', 'Fuse', ['fused_1']],
      ['order', 'Fuse', []],
    ])
  })
})
