/** The only sign for results that belong to an older text than the editor's. */
import { useStale } from '../../session/run_store'
import type { Section } from '../../session/section'
import { Badge } from '../../ui/Badge'

export function OlderText({ of }: { of: Section<unknown> }) {
  return useStale(of) ? (
    <Badge tone="warn" role="status" data-testid="older-text">
      older text
    </Badge>
  ) : null
}
