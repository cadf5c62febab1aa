/** The problems of all files as a list; a press opens the line. */
import { EmptyState } from '../../ui/Messages'
import { PlaceList } from './PlaceList'
import { useProblemPlaces } from './problem_places'

export function ProblemsPanel() {
  const places = useProblemPlaces()
  if (places.length === 0) return <EmptyState>No problems in the files of this workspace.</EmptyState>
  return <PlaceList label="Problems" places={places} />
}
