import type { Feature, PanelBadge } from '../types'
import { ProblemsPanel } from './ProblemsPanel'
import { useProblemPlaces } from './problem_places'

/** The number of problems, marked if one of them is an error. */
function useBadge(): PanelBadge | null {
  const places = useProblemPlaces()
  const tone = places.some((p) => p.tone === 'bad') ? 'bad' : 'neutral'
  return places.length === 0 ? null : { text: String(places.length), tone }
}

export const problemsFeature: Feature = {
  panel: { id: 'problems', label: 'Problems', title: 'Problems', key: 'Shift+E', useBadge, Component: ProblemsPanel },
}
