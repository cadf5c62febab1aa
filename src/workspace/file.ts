/** Snapshots as files, `NAME.fusescope.json`: for snapshots too large for a link, and for version control. */
import { jsonFault } from '../base/error_message'
import { err, type Result } from '../base/result'
import type { Snapshot } from './types'
import { problem, subject, upgrade } from './versions'

/** The file name of a snapshot: the workspace's name with safe characters. */
export function snapshotFileName(snapshot: Snapshot): string {
  const safe = snapshot.workspace.name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+|-+$/g, '')
  return `${safe.slice(0, 80) || 'workspace'}.fusescope.json`
}

/** The file's text; `v` comes first and identifies the format. */
export function writeSnapshotFile(snapshot: Snapshot): string {
  const { v, workspace, view, summary } = snapshot
  return `${JSON.stringify({ v, workspace, view, summary }, null, 1)}\n`
}

/** @param name the file's, for the Problem */
export function readSnapshotFile(text: string, name: string): Result<Snapshot> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (e) {
    const reason = jsonFault(e).replace(/\s+/g, ' ').slice(0, 200)
    return err(problem(name, `${subject(name)} is not valid JSON: ${reason}.`, 'the text of a .fusescope.json file'))
  }
  return upgrade(value, name)
}
