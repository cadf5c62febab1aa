import { testFailed } from '../../../engine/cases/unit_tests'
import { useRun } from '../../session/run_store'
import type { Feature, PanelBadge } from '../types'
import { ConsolePanel } from './ConsolePanel'

const FAILED: PanelBadge = { text: '!', tone: 'bad' }

/** Marks a Python error or a failed test. */
function useBadge(): PanelBadge | null {
  return useRun((s) => s.python !== null || s.report?.tests?.some(testFailed) === true) ? FAILED : null
}

export const consoleFeature: Feature = {
  panel: { id: 'console', label: 'Console', title: 'Console', key: 'O', useBadge, Component: ConsolePanel },
}
