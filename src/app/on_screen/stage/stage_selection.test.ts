import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { StageView } from '../../../engine/pipeline/types'
import { useRun } from '../../session/run_store'
import { done } from '../../session/section'
import { useView } from '../../session/view_store'
import { fused, graph } from '../../../engine/queries/testing/report_fixture'
import { stepDifference, stepsOf, onScreen } from '../differences/stepping'
import { counterpartOf } from '../counterpart'
import { pairOnScreen, selectOnScreen } from '../sides'
import { NOTHING } from '../../report/highlight'
import { stageLit } from './stage_selection'
import { usePipeline } from './store'
import { resultOf } from '../../testing/run_state'

/** The pass replaces relu and neg; the code around it removes two copies. */
const before = graph(`
    x placeholder
    copy aten.clone.default x
    relu aten.relu.default copy
    neg aten.neg.default relu
    copy_1 aten.clone.default neg
    out output copy_1`)
const stage: StageView = {
  at: 1,
  before,
  graph: graph(`
    x placeholder
    fused my.fused.default x
    out output fused`),
  added: ['fused'],
  removed: ['copy', 'relu', 'neg', 'copy_1'],
  from: [0, 1, 0],
  until: [null, null, null],
}
const first = {
  kind: 'pass',
  name: 'patterns',
  at: 1,
  pass: 0,
  off: null,
  entries: 1,
  nodes: 3,
  added: 1,
  removed: 4,
  uuid: null,
} as const
const report = { ...fused(), pipeline: { stages: [first], defined: [], uuid: '' } }

beforeEach(() => {
  useRun.setState(resultOf({ ...report, graph: before }))
  useView.setState({ stage: 1, selection: null, mode: 'before' })
  usePipeline.setState({ shown: done(stage, 1), beside: true, picked: null })
})

afterEach(() => vi.unstubAllGlobals())

const lit = (): string[][] => {
  const { before: old, after } = stageLit(stage, report, NOTHING, usePipeline.getState().picked)
  return [[...old], [...after]]
}

it('selects on both graphs what the stage made of a node', () => {
  selectOnScreen('before', 'relu')
  expect(lit()).toEqual([['relu'], ['fused']])
  expect(useView.getState().selection).toEqual({ kind: 'node', side: 'before', name: 'relu' })
  selectOnScreen('after', 'fused')
  expect(lit()).toEqual([['relu', 'neg'], ['fused']])
  selectOnScreen('before', 'x')
  expect(lit()).toEqual([['x'], ['x']])
})

it('looks at the counterpart of a node, or at the nearest node that has one', () => {
  const pair = pairOnScreen()!
  expect(['x', 'relu', 'neg', 'copy_1'].map((n) => counterpartOf(pair, 'before', n))).toEqual([
    'x',
    'fused',
    'fused',
    'fused',
  ])
  expect(counterpartOf(pair, 'after', 'fused')).toBe('neg')
  usePipeline.setState({ beside: false })
  expect(pairOnScreen()).toBeNull()
})

it('steps through differences that only remove nodes, in both directions', () => {
  // `copy` and `copy_1` are connected to the match and so belong to it.
  const more = graph(`
    x placeholder
    one aten.clone.default x
    y aten.exp.default one
    two aten.clone.default y
    out output two`)
  const less = { ...stage, before: more, graph: graph('x placeholder\n y aten.exp.default x\n out output y') }
  usePipeline.setState({ shown: done({ ...less, added: [], removed: ['one', 'two'] }, 1) })
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const at = (by: 1 | -1): unknown => {
    stepDifference(by)
    return [stepsOf(onScreen())!.at, usePipeline.getState().picked?.name]
  }
  expect([at(1), at(1), at(1), at(-1), at(-1)]).toEqual([
    [0, 'one'],
    [1, 'two'],
    [0, 'one'],
    [1, 'two'],
    [0, 'one'],
  ])
})
