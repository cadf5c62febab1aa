/** The examples that links build on: public/bases/HASH.txt. */
import type { Report } from '../../../engine/protocol'
import type { Snapshot } from '../../../workspace'
import type { Base } from '../../../workspace/link_v2'
import { useWorkspace } from '../../session/workspace_store'
import { siteFile, siteJson } from '../../site_files'
import { exampleNow } from '../../examples/examples'
import type { BaseText } from './example_link'

/** Loads a base; null if this site has no base with that hash. */
export async function loadBase(hash: string): Promise<Base | null> {
  const stored = await loadText(hash)
  if (!stored) return null
  const { readBase } = await import('../../../workspace/link')
  return readBase(stored.text, hash)
}

async function loadText(hash: string): Promise<BaseText | null> {
  const response = await siteFile(`bases/${hash}.txt`)
  return response.ok ? { hash, text: await response.text() } : null
}

/** The base of the open workspace: the example that it began as, here or in the link that it came from. */
export async function baseNow(): Promise<BaseText | null> {
  const { origin } = useWorkspace.getState()
  const hash = exampleNow()?.base ?? /^link:.*@([0-9a-f]{12})$/.exec(origin)?.[1]
  // Without the base, the link is longer but still opens.
  return hash === undefined ? null : loadText(hash).catch(() => null)
}

/**
 * The stored report of the example that a link shows unedited, so that the full result appears before Python; null for an edited
 * example, and for one that has changed since.
 */
export async function storedReport({ workspace }: Snapshot, base: Base): Promise<Report | null> {
  const { isExample } = await import('./example_link')
  if (!isExample(workspace, base)) return null
  const hashes = await siteJson<Record<string, string>>('bases/index.json')
  const id = Object.keys(hashes).find((name) => hashes[name] === base.hash)
  return id === undefined ? null : siteJson<Report>(`examples/${id}/report.json`)
}

/** The origin of a link's workspace, which names the base that the link builds on. */
export const linkOrigin = (id: string, base: Base | null): string => `link:${id}${base ? `@${base.hash}` : ''}`
