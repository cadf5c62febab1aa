/** Encodes a snapshot on its base. Independent of the stores: it runs in a worker. */
import { workspaceSchema, type Snapshot, type Workspace } from '../../../workspace'
import { encodeFitting, readBase, type FittedLink } from '../../../workspace/link'
import type { Base } from '../../../workspace/link_v2'
import type { ReportSummary } from '../../../workspace/types'

/** A base as the site stores it. */
export interface BaseText {
  hash: string
  text: string
}

/** Without its base a link is longer, and opens all the same. */
export async function encodeOnBase(snapshot: Snapshot, stored: BaseText | null): Promise<FittedLink> {
  const base = stored && (await readBase(stored.text, stored.hash))
  const shared =
    base && isExample(snapshot.workspace, base) ? { ...snapshot, summary: exampleSummary(snapshot, base) } : snapshot
  return encodeFitting(shared, base)
}

/** The workspace is the example that the base holds, unedited. */
export function isExample(workspace: Workspace, base: Base): boolean {
  // The schema gives both the same order of fields.
  const text = (value: unknown): string => JSON.stringify(workspaceSchema.parse(value))
  return text(workspace) === text((base.snapshot as Snapshot).workspace)
}

/** The site stores the report of an unedited example; its summary is that of the base, which costs nothing. */
function exampleSummary({ summary }: Snapshot, base: Base): ReportSummary | null {
  const stored = (base.snapshot as Snapshot).summary
  const { run, steps, pin, stage } = summary ?? {}
  const screen = { ...(run && { run }), ...(steps && { steps }), ...(pin && { pin }), ...(stage && { stage }) }
  return stored && { ...stored, ...screen }
}
