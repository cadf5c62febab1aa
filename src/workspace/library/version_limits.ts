/** Selects versions of a workspace to drop if there are too many. Named versions stay. */
import { graphsOf } from '../graphs'
import type { Workspace } from '../types'
import type { VersionInfo } from './types'

/** Maximum number of versions that were kept without a request. */
export const MAX_VERSIONS = 60
/** Maximum number of characters of those versions together. */
export const MAX_VERSION_CHARACTERS = 60_000_000

/** Number of characters of a workspace's texts. */
export const sizeOf = (w: Workspace): number =>
  [...w.files, ...graphsOf(w).flatMap((g) => [g, g.shapes ?? [], g.capture ?? []].flat())].reduce(
    (n, f) => n + f.text.length,
    0,
  )

/** The versions beyond the limits, oldest first. @param versions newest first */
export function spareVersions(versions: readonly VersionInfo[]): VersionInfo[] {
  const automatic = versions.filter((v) => v.why.kind !== 'named')
  let characters = 0
  return automatic.filter(({ size }, i) => {
    characters += size
    // The newest one stays whatever its size.
    return i > 0 && (i >= MAX_VERSIONS || characters > MAX_VERSION_CHARACTERS)
  })
}
