/** Parts of the run's state, for tests that put a report or a graph on screen without a run. */
import type { GraphView, Report } from '../../engine/protocol'
import { useRun, type RunState } from '../session/run_store'
import type { ResultSection } from '../session/section'

/** @param more the version that it is of, or that it is a stored one */
export const resultOf = (value: Report | null, more: Partial<ResultSection> = {}): Pick<RunState, 'result'> => ({
  result: { ...useRun.getState().result, value, ...more },
})

export const graphOf = (value: GraphView | null, version = -1): Pick<RunState, 'graphRead'> => ({
  graphRead: { state: 'done', version, value },
})
