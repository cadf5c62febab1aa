import type { Feature, PanelBadge } from '../types'
import { WHY_NOT_COMMANDS } from './commands'
import { useExplained } from '../../on_screen/explained'
import { pinPart } from './pins'
import { whyNot } from '../../../engine/queries/why_not'
import { WhyNotPanel } from './WhyNotPanel'

/** The number of causes that the panel lists. */
function useBadge(): PanelBadge | null {
  const { report } = useExplained()
  if (!report) return null
  const { general, apart, near } = whyNot(report)
  const reasons = general.length + apart.length + near.length
  return reasons > 0 ? { text: `${reasons}`, tone: 'neutral' } : null
}

export const whyNotFeature: Feature = {
  panel: { id: 'whynot', label: 'Why not', title: 'Why not', key: 'W', useBadge, Component: WhyNotPanel },
  commands: WHY_NOT_COMMANDS,
  sessionPart: pinPart,
}
