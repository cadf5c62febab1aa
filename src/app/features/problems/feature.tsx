/** The problems of all files as a list; a press opens the line. */
import { EmptyState } from '../../ui/Messages'
import type { Feature, PanelBadge } from '../types'
import { PlaceList } from './PlaceList'
import { useProblemPlaces } from './problem_places'

function ProblemsPanel() {
  const places = useProblemPlaces()
  if (places.length === 0) return <EmptyState>No problems in the files of this workspace.</EmptyState>
  return <PlaceList label="Problems" places={places} />
}

/** The number of problems, marked if one of them is an error. */
function useBadge(): PanelBadge | null {
  const places = useProblemPlaces()
  const tone = places.some((p) => p.tone === 'bad') ? 'bad' : 'neutral'
  return places.length === 0 ? null : { text: String(places.length), tone }
}

export const problemsFeature: Feature = {
  panel: { id: 'problems', label: 'Problems', title: 'Problems', key: 'Shift+E', useBadge, Component: ProblemsPanel },
}
