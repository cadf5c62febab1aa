import { replacedIn } from '../../../engine/report/replaced'
import { useRun } from '../../session/run_store'
import type { Feature, PanelBadge } from '../types'
import { MATCHES_COMMANDS } from './commands'
import { MatchesPanel } from './MatchesPanel'

function useBadge(): PanelBadge | null {
  const matches = useRun((s) => s.result.value && replacedIn(s.result.value))
  return matches === null ? null : { text: `${matches}`, tone: 'neutral' }
}

export const matchesFeature: Feature = {
  panel: { id: 'matches', label: 'Matches', title: 'Matches', key: 'M', useBadge, Component: MatchesPanel },
  commands: MATCHES_COMMANDS,
}
