/** The origin of a workspace's code, and the consent to run it. Consent covers Python and WGSL alike. */
import { sha256 } from '../base/sha256'
import type { TextFile, Workspace } from './types'

/** A workspace that holds code of a link, edited or not. Null: the code is the user's own or the site's. */
export interface ForeignCode {
  /** codeHash of the code that the user allowed to run; null: none. */
  allowed: string | null
}

/** Code of a link that has not been allowed. */
export const FOREIGN: ForeignCode = { allowed: null }

const hashes = new WeakMap<TextFile, string>()

/** SHA-256 of a file's text, computed once for each file object. */
export function textHash(file: TextFile): string {
  let hash = hashes.get(file)
  if (hash === undefined) hashes.set(file, (hash = sha256(file.text)))
  return hash
}

/** SHA-256 of the files with their names, in order. */
export const codeHash = ({ files }: Pick<Workspace, 'files'>): string =>
  sha256(JSON.stringify(files.map((f) => [f.name, textHash(f)])))

/** SHA-256 of a workspace as it was sent: stored edits are restored over the same workspace only. */
export const sourceOf = (sent: Workspace): string => sha256(JSON.stringify(sent))

/** True if there is code to run. */
export const hasCode = ({ files }: Pick<Workspace, 'files'>): boolean => files.some((f) => f.text.trim() !== '')

/** True if the code needs consent before it runs. */
export const needsConsent = (workspace: Pick<Workspace, 'files'>, foreign: ForeignCode | null): boolean =>
  foreign !== null && hasCode(workspace) && foreign.allowed !== codeHash(workspace)
