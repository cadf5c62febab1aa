/** Commands that step through the matches. */
import type { Command } from '../../commands/types'
import { indexOf } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'

const hasReport = (): boolean => useRun.getState().result.value !== null

export const MATCHES_COMMANDS: readonly Command[] = [
  { id: 'next-match', title: 'Next match', group: 'Graph', keys: ['N'], enabled: hasReport, run: () => stepMatch(1) },
  {
    id: 'previous-match',
    title: 'Previous match',
    group: 'Graph',
    keys: ['Shift+N'],
    enabled: hasReport,
    run: () => stepMatch(-1),
  },
]

function stepMatch(step: 1 | -1): void {
  const report = useRun.getState().result.value
  if (!report) return
  const { matches } = indexOf(report)
  if (matches.length === 0) return
  const { selection, select } = useView.getState()
  const at =
    selection?.kind === 'match'
      ? matches.findIndex((m) => m.pass.name === selection.pass && m.match.index === selection.index)
      : step > 0
        ? -1
        : 0
  const next = matches[(at + step + matches.length) % matches.length]!
  select({ kind: 'match', pass: next.pass.name, index: next.match.index })
}
