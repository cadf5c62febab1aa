/** The examples that links build on: public/bases/HASH.txt. */
import type { Base } from '../../../workspace/link_v2'
import { useWorkspace } from '../../session/workspace_store'
import { useExamples } from '../gallery/examples'

/** Loads a base; null if this site has none of that hash. */
export async function loadBase(hash: string): Promise<Base | null> {
  const response = await fetch(new URL(`bases/${hash}.txt`, document.baseURI))
  if (!response.ok) return null
  const { readBase } = await import('../../../workspace/link')
  return readBase(await response.text(), hash)
}

/** The base of the open workspace: of the example that it began as, here or in the link that it came from. */
export async function baseNow(): Promise<Base | null> {
  const { origin } = useWorkspace.getState()
  const example = useExamples.getState().list.find((e) => e.id === origin)
  const hash = example?.base ?? /^link:.*@([0-9a-f]{12})$/.exec(origin)?.[1]
  // Without the base the link is longer, and opens all the same.
  return hash === undefined ? null : loadBase(hash).catch(() => null)
}

/** The origin of a link's workspace, which names the base that the link builds on. */
export const linkOrigin = (id: string, base: Base | null): string => `link:${id}${base ? `@${base.hash}` : ''}`
