/**
 * The invariants of a pass, checked after it on what it touched. Silence is better than a false alarm: what no rule
 * knows is taken to be right, and a rule is believed about a node only when it explains the node as it was.
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

/** Findings that a report carries; thousands of equal layers say nothing new. */
const MOST = 200

/** @param watch the graph as it was before the pass @param matches what the pass tells of its rewrites */
export function findViolations(watch: Watch, matches: readonly AppliedMatch[], tracer: Tracer): Violation[] {
  const changes = watch.changes()
  if (!changes) return []
  const schemaOf: SchemaLookup = (target) => tracer.schemaOf?.(target) ?? null
  const blame = new Blame(matches)
  const recompute = new Recompute(tracer)
  return [
    ...metadataKept(changes, recompute, blame),
    ...aliasesKept(changes, recompute, schemaOf, blame),
    ...noMutation(changes, schemaOf, blame),
    ...orderKept(changes, blame),
  ].slice(0, MOST)
}
