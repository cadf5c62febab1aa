import { describe, expect, it } from 'vitest'
import type { Step } from '../../../engine/session/steps_types'
import { actsAt } from './acts'
import { indexTimeline } from '../../on_screen/steps/timeline'
import { extended, windowAround } from './row_window'

function step(kind: Step['kind'], phase: Step['phase'], ok: boolean | null, graphNode: string | null = null): Step {
  return {
    ...{ index: 0, kind, level: 'coarse', depth: 0, entry: 0, phase, patternNode: null, graphNode },
    ...{ source: null, ok, expected: null, found: null, text: kind },
  }
}

const steps = [
  step('candidate', null, null),
  step('entry', null, null),
  step('attempt', 'initial', null),
  step('verdict', 'initial', true),
  step('retrace', null, null),
  step('attempt', 'specific', null),
  step('verdict', 'specific', false, 'mul_3'),
  step('entry', null, null),
  step('attempt', 'initial', null),
  step('done', null, false),
].map((s, index) => ({ ...s, index }))
const indexed = indexTimeline({ pass: 'p', node: 'n', entry: null, steps, cut: false })

describe('acts', () => {
  it('are the stages of the pattern tried at the step, with their outcomes', () => {
    expect(actsAt(indexed, 6).map((a) => [a.title, a.outcome, a.current])).toEqual([
      ['Stage one', 'matches', false],
      ['Stage two', 'fails at mul_3', true],
    ])
    expect(actsAt(indexed, 0).map((a) => a.index)).toEqual([2, 5])
    expect(actsAt(indexed, 9).map((a) => [a.title, a.outcome])).toEqual([['Stage one', '']])
  })
})

describe('the rendered rows', () => {
  it('surround the current one, and grow at their ends', () => {
    expect(windowAround(0, 1000)).toEqual({ from: 0, to: 21, total: 1000 })
    const rows = windowAround(500, 1000)
    expect(rows.to - rows.from).toBe(41)
    expect(extended(rows, -1).from).toBeLessThan(rows.from)
    expect(extended(windowAround(999, 1000), 1).to).toBe(1000)
  })
})
