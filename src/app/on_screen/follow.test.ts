import { describe, expect, it } from 'vitest'
import { fused } from '../../engine/queries/testing/report_fixture'
import { rewriteMap } from '../report/rewrite_map'
import { counterpartOf, type Pair } from './counterpart'

describe('the counterpart of a node on the other side', () => {
  const { graph: before, after, passes } = fused()
  const map = rewriteMap(
    before,
    after!,
    passes.flatMap((p) => p.matches),
  )
  const report: Pair = { before, after: after!, map, named: true }
  it('is itself, or what the rewrite put in its place', () => {
    const after = ['x', 'relu', 'neg', 'out'].map((n) => counterpartOf(report, 'before', n))
    expect(after).toEqual(['x', 'fused', 'fused', 'out'])
    const before = ['x', 'fused', 'out'].map((n) => counterpartOf(report, 'after', n))
    expect(before).toEqual(['x', 'neg', 'out'])
  })
  it('is absent for a node that the other side lacks', () => {
    expect(counterpartOf(report, 'before', 'absent')).toBeNull()
  })
})
