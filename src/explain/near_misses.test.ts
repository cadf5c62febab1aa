import { describe, expect, it } from 'vitest'
import type { Attempt } from '../matcher/types'
import { foldNearMisses as fold, type NearMissContext, type NearMissFold } from './near_misses'

const open: NearMissContext = { sameOperator: () => true, matched: () => false }
function foldNearMisses(attempts: Attempt[], context = open): NearMissFold[] {
  const last = fold(attempts, context, { due: () => false }).next()
  return last.done ? last.value : []
}

const initial = (node: string, extra: Partial<Attempt> = {}): Attempt => ({
  entry: 0,
  phase: 'initial',
  node,
  ok: true,
  reason: null,
  nodes: [node, `af_${node}`],
  ...extra,
})
const specific = (node: string, found = '128'): Attempt => ({
  entry: 0,
  phase: 'specific',
  node,
  ok: false,
  reason: `constant_args: af_${node} ${found}!=64`,
  nodes: null,
  mismatch: {
    kind: 'constant_args',
    graphNode: `af_${node}`,
    patternNode: 4,
    argument: 'group_size',
    expected: '64',
    found,
  },
})

describe('near misses', () => {
  it('folds equal failures of the specific stage into one sentence with a count', () => {
    const attempts = ['a', 'b', 'c'].flatMap((n) => [initial(n), specific(n)])
    const [miss, ...rest] = foldNearMisses(attempts)
    expect(rest).toEqual([])
    expect(miss).toMatchObject({ count: 3, phase: 'specific', anchors: ['a', 'b', 'c'], aligned: ['a', 'af_a'] })
    expect(miss!.sentence).toBe(
      '3 attempts matched in the initial stage and failed in the specific one: group_size is 128 in the graph, 64 in the pattern (af_a and the like)',
    )
  })

  it('keeps different causes separate', () => {
    expect(foldNearMisses([initial('a'), specific('a'), initial('b'), specific('b', '32')])).toHaveLength(2)
  })

  it('omits anchors that fired or fail on their first node', () => {
    const never = initial('x', {
      ok: false,
      nodes: null,
      reason: 'function_mismatch',
      mismatch: {
        kind: 'function_mismatch',
        graphNode: 'x',
        patternNode: 0,
        argument: null,
        expected: 'a',
        found: 'b',
      },
    })
    expect(foldNearMisses([initial('a'), { ...specific('a'), ok: true, reason: null, nodes: ['a'] }, never])).toEqual(
      [],
    )
  })

  it('reports a match that was dropped', () => {
    const [miss] = foldNearMisses([initial('a', { dropped: 'extra_check returned False' })])
    expect(miss!.sentence).toBe('1 attempt matched but was dropped: extra_check returned False')
  })

  it('omits a different operator, and sorts nodes that another pattern replaced last', () => {
    const at = (n: string): Attempt[] => [initial(n), specific(n, n)]
    expect(foldNearMisses(at('a'), { ...open, sameOperator: () => false })).toEqual([])
    const misses = foldNearMisses([...at('a'), ...at('b')], { ...open, matched: (n) => n === 'a' })
    expect(misses.map((m) => [m.anchors[0], m.taken])).toEqual([
      ['b', false],
      ['a', true],
    ])
  })
})
