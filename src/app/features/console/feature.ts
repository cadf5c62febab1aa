import { testFailed } from '../../../engine/cases/unit_tests'
import { fileFailures } from '../../../engine/report/file_outcomes'
import { useRun } from '../../session/run_store'
import type { Feature, PanelBadge } from '../types'
import { ConsolePanel } from './ConsolePanel'

const FAILED: PanelBadge = { text: '!', tone: 'bad' }

/** Marks a Python error, one failed file among others, or a failed test. */
function useBadge(): PanelBadge | null {
  const failed = useRun(
    ({ outcome, result: { value: report } }) =>
      outcome.value.python !== null ||
      report?.tests?.some(testFailed) === true ||
      fileFailures(report?.files).length > 0,
  )
  return failed ? FAILED : null
}

export const consoleFeature: Feature = {
  panel: { id: 'console', label: 'Console', title: 'Console', key: 'O', useBadge, Component: ConsolePanel },
}
