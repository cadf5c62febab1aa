/** Parts of the run's state, for tests that put a report or a graph on screen without a run. */
import type { GraphView, Report } from '../../engine/protocol'
import { useRun, type RunState } from '../session/run_store'
import { done, type Outcome, type ResultSection } from '../session/section'

/** @param more its version, or that it is stored */
export const resultOf = (value: Report | null, more: Partial<ResultSection> = {}): Pick<RunState, 'result'> => ({
  result: { ...useRun.getState().result, value, ...more },
})

export const graphOf = (value: GraphView | null, version = -1): Pick<RunState, 'graphRead'> => ({
  graphRead: done(value, version),
})

/** The end of the newest run. */
export function outcomeWith(more: Partial<Outcome>): Pick<RunState, 'outcome'> {
  const { outcome } = useRun.getState()
  return { outcome: { ...outcome, value: { ...outcome.value, ...more } } }
}

export const RUNNING: RunState['running'] = { since: 0, silent: false, progress: null }
