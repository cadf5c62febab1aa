import { beforeEach, expect, it } from 'vitest'
import { useRun } from '../../session/run_store'
import { done } from '../../session/section'
import { useView } from '../../session/view_store'
import { fused, graph } from '../../../engine/queries/testing/report_fixture'
import { useCompare } from '../compare/store'
import { differencesBetween } from './differences'
import { onScreen, stepDifference, stepsOf } from './stepping'
import { resultOf } from '../../testing/run_state'

const before = graph(`
    x placeholder
    clone aten.clone.default x
    sin aten.sin.default x
    relu aten.relu.default sin
    neg aten.neg.default relu
    exp aten.exp.default neg
    out output exp`)
const after = graph(`
    x placeholder
    fused my.fused.default x
    cos aten.cos.default fused
    copy aten.copy.default x
    view aten.view.default copy
    exp aten.exp.default cos view
    out output exp`)
const match = { index: 0, nodes: ['relu', 'neg'], added: ['fused'] }

it('lists matches, and connected nodes that other code removed or added, in graph order', () => {
  expect(differencesBetween(before, after, [{ pass: { name: 'p' }, match }])).toEqual([
    { match: null, old: [], now: ['copy', 'view'], beside: 'x' },
    { match: null, old: ['clone'], now: [], beside: 'x' },
    { match: { pass: 'p', index: 0 }, old: ['relu', 'neg', 'sin'], now: ['fused', 'cos'], beside: null },
  ])
  expect(differencesBetween(before, before, [])).toEqual([])
})

beforeEach(() => {
  useCompare.setState(useCompare.getInitialState())
  useView.setState({ selection: null, mode: 'before', stage: null })
})

it('steps around before and after, side by side', () => {
  useRun.setState(resultOf(fused()))
  stepDifference(1)
  expect(useView.getState()).toMatchObject({ mode: 'split', selection: { kind: 'match', index: 0 } })
  expect(stepsOf(onScreen())).toMatchObject({ at: 0, of: 1 })
  stepDifference(-1)
  expect(stepsOf(onScreen())!.at).toBe(0)
  useRun.setState(resultOf(null))
  expect(stepsOf(onScreen())).toBeNull()
})

it('steps through the places of a comparison', () => {
  const change = {
    kind: 'removed',
    sentence: '',
    places: [
      { old: ['clone'], now: [] },
      { old: ['neg'], now: [] },
    ],
  }
  const report = { lost: [], won: [], changes: [change] } as never
  useCompare.setState({ compared: done(report, 1), picked: null })
  stepDifference(-1)
  expect(useCompare.getState().picked).toEqual({ list: 'changes', index: 0, place: 1 })
  stepDifference(1)
  expect(useCompare.getState().picked).toMatchObject({ place: 0 })
})
