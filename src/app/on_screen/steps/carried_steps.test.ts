import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../../../engine/session/steps_types'
import { stepsSchema, type CarriedSteps } from '../../../workspace/carried_steps'
import { fused, WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { resetSessionStores } from '../../session/session_store'
import { done } from '../../session/section'
import { useView } from '../../session/view_store'
import { carriedSteps, timelineFrom } from './carried_steps'
import { useSteps } from './store'
import { boundAt, indexTimeline, numberOf } from './timeline'

const step = (index: number, more: Partial<Step>): Step => ({
  ...{ index, kind: 'comparison', level: 'fine', depth: 3, entry: 0, phase: 'initial', patternNode: 0 },
  ...{ graphNode: 'relu', source: { file: 'patterns.py', line: 1 }, ok: true, expected: null, found: null },
  text: `step ${index}`,
  ...more,
})

/** Two attempts of `n` steps: bindings at 3 and 4 of each, the latter reverted at 10. */
function long(n: number): Step[] {
  return [0, n].flatMap((start) =>
    Array.from({ length: n }, (_, i) => {
      if (i === 0) return step(start, { kind: 'candidate', level: 'coarse', depth: 0, entry: null })
      if (i === 1) return step(start + 1, { kind: 'attempt', level: 'coarse', depth: 1 })
      if (i === 2) return step(start + 2, { kind: 'expression', depth: 2 })
      if (i === 3 || i === 4) return step(start + i, { kind: 'binding', found: `found ${start + i}` })
      if (i === 10) return step(start + i, { kind: 'revert', restores: start + 3 })
      return step(start + i, {})
    }),
  )
}

const sent = (steps: Step[], at: number): CarriedSteps => {
  const of = { pass: 'patterns', entry: 0, node: 'relu' }
  const indexed = indexTimeline({ ...of, steps, cut: false })
  useSteps.setState({ of, timeline: done(indexed, 1), at, level: 'fine' })
  useView.setState({ selection: { kind: 'step', ...of, index: at } })
  return stepsSchema.parse(JSON.parse(JSON.stringify(carriedSteps(fused()))))
}

afterEach(resetSessionStores)

describe('the steps that a link carries', () => {
  it('are all steps of a short timeline, with the pattern', () => {
    const steps = sent(long(12), 15)
    expect([steps.at, steps.total, steps.steps.length]).toEqual([15, 24, 24])
    expect(steps.patterns.map((p) => p.entry)).toEqual([0])
    expect(timelineFrom(steps, WORKSPACE).numbers).toHaveLength(24)
  })

  it('are of a long timeline those around the current one, under their own numbers and with the same bindings', () => {
    const steps = long(400)
    const all = indexTimeline({ pass: 'patterns', entry: 0, node: 'relu', steps, cut: false })
    for (const at of [5, 430, 700, 799]) {
      const read = timelineFrom(sent(steps, at), WORKSPACE)
      expect(read.steps.length).toBeLessThan(40)
      const here = read.numbers!.indexOf(at)
      expect(read.steps[here]).toMatchObject({ text: `step ${at}`, index: here })
      for (let i = here - 3; i <= Math.min(here + 3, read.steps.length - 1); i++)
        expect(boundAt(read, i).map((s) => s.text)).toEqual(boundAt(all, numberOf(read, i)).map((s) => s.text))
    }
  })

  it('are carried again by a reader who shares them before their code has run', () => {
    const first = timelineFrom(sent(long(400), 430), WORKSPACE)
    const of = { pass: 'patterns', entry: 0, node: 'relu' }
    useSteps.setState({ of, timeline: done(first, 1), at: first.numbers!.indexOf(431) })
    const again = carriedSteps(fused())!
    expect([again.at, again.total]).toEqual([431, 800])
    expect(again.steps.find((s) => s.index === 431)?.text).toBe('step 431')
  })
})
