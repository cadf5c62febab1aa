/** The panel of the matches, and the commands that step through them. */
import { inGroup } from '../../commands/types'
import { indexOf } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { replacedIn } from '../../../engine/report/replaced'
import type { Feature, PanelBadge } from '../types'
import { MatchesPanel } from './MatchesPanel'

const hasReport = (): boolean => useRun.getState().result.value !== null

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

function useBadge(): PanelBadge | null {
  const matches = useRun((s) => s.result.value && replacedIn(s.result.value))
  return matches === null ? null : { text: `${matches}`, tone: 'neutral' }
}

export const matchesFeature: Feature = {
  panel: { id: 'matches', label: 'Matches', title: 'Matches', key: 'M', useBadge, Component: MatchesPanel },
  commands: inGroup('Graph', [
    { id: 'next-match', title: 'Next match', keys: ['N'], enabled: hasReport, run: () => stepMatch(1) },
    { id: 'previous-match', title: 'Previous match', keys: ['Shift+N'], enabled: hasReport, run: () => stepMatch(-1) },
  ]),
}
