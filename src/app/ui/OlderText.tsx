/** The one sign of what is of another text than the one in the editor. */
import { isStale, type Section } from '../session/section'
import { useWorkspace } from '../session/workspace_store'
import { Badge } from './Badge'

export const useStale = (section: Section<unknown>): boolean =>
  isStale(
    section,
    useWorkspace((s) => s.version),
  )

export function OlderText({ of }: { of: Section<unknown> }) {
  return useStale(of) ? (
    <Badge tone="warn" role="status" data-testid="older-text">
      older text
    </Badge>
  ) : null
}
