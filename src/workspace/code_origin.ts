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

/** SHA-256 of a workspace as it was sent: stored edits are restored only over the same workspace. */
export const sourceOf = (sent: Workspace): string => sha256(JSON.stringify(sent))

const own = new WeakSet<TextFile>()

/** True for a text that a live process sent or allowed, also after edits of the page's user. */
export const isOwnText = (file: TextFile): boolean => own.has(file)

/** Marks a text as sent or allowed; every other text comes from elsewhere, whatever its name. */
export const markOwnText = (file: TextFile): void => void own.add(file)

/** Who edited a text: the user in the editor; undo or redo, back to a text that was own; anything else. */
export type EditedBy = 'user' | 'own' | 'elsewhere'

/** True if there is code to run. */
export const hasCode = ({ files }: Pick<Workspace, 'files'>): boolean => files.some((f) => f.text.trim() !== '')

/** True if the code needs consent before it runs. */
export const needsConsent = (workspace: Pick<Workspace, 'files'>, foreign: ForeignCode | null): boolean =>
  foreign !== null && hasCode(workspace) && foreign.allowed !== codeHash(workspace)
