/**
 * Checks the invariants of a pass on the nodes that it changed. The check prefers a missed violation to a false
 * positive: an operator without a rule passes, and a rule applies to a node only if it reproduces the node's original
 * metadata.
 */
import type { AppliedMatch, SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'
import { aliasesKept } from './alias'
import { Blame } from './blame'
import type { Watch } from './changes'
import { metadataKept } from './metadata'
import { noMutation } from './mutation'
import { orderKept } from './order'
import { Recompute } from './recompute'
import type { Violation } from './types'

/** Maximum number of violations in a report; further ones repeat in each layer. */
const MAX_VIOLATIONS = 200

/** @param watch the graph before the pass @param matches the pass's replacements */
export function findViolations(watch: Watch, matches: readonly AppliedMatch[], tracer: Tracer): Violation[] {
  const changes = watch.changes()
  if (!changes) return []
  const schemaOf: SchemaLookup = (target) => tracer.schemaOf(target)
  const blame = new Blame(matches)
  const recompute = new Recompute(tracer)
  return [
    ...metadataKept(changes, recompute, blame),
    ...aliasesKept(changes, recompute, schemaOf, blame),
    ...noMutation(changes, schemaOf, blame),
    ...orderKept(changes, blame),
  ].slice(0, MAX_VIOLATIONS)
}
