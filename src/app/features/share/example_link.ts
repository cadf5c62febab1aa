/** Encodes a snapshot on its base. It uses no store, because it runs in a worker. */
import { workspaceSchema, type Snapshot, type Workspace } from '../../../workspace'
import { encodeFitting, readBase, type FittedLink } from '../../../workspace/link'
import type { Base } from '../../../workspace/link_v2'
import type { ReportSummary } from '../../../workspace/types'

/** A base as the site stores it. */
export interface BaseText {
  hash: string
  text: string
}

/** Without its base, a link is longer but still opens. */
export async function encodeOnBase(snapshot: Snapshot, stored: BaseText | null): Promise<FittedLink> {
  const base = stored && (await readBase(stored.text, stored.hash))
  const shared =
    base && isExample(snapshot.workspace, base) ? { ...snapshot, summary: exampleSummary(snapshot, base) } : snapshot
  return encodeFitting(shared, base)
}

/** The workspace is the unedited example that the base holds. */
export function isExample(workspace: Workspace, base: Base): boolean {
  // The schema gives both the same order of fields, so their texts can be compared.
  const text = (value: unknown): string => JSON.stringify(workspaceSchema.parse(value))
  return text(workspace) === text((base.snapshot as Snapshot).workspace)
}

/** The site stores the report of an unedited example; taking the summary from the base costs nothing in the link. */
function exampleSummary({ summary }: Snapshot, base: Base): ReportSummary | null {
  const stored = (base.snapshot as Snapshot).summary
  const { run, steps, pin, stage } = summary ?? {}
  const screen = { ...(run && { run }), ...(steps && { steps }), ...(pin && { pin }), ...(stage && { stage }) }
  return stored && { ...stored, ...screen }
}
