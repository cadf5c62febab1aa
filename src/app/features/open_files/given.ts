/** `?file=PATH`, from `fusescope FILE…`: local files that the command's server gives to this page (scripts/serve/given.mjs). */
import { messageOf } from '../../../base/error_message'
import { pageAddress } from '../../session/address'
import { openOwn } from '../../session/open_workspace'
import { toast } from '../../session/view_store'
import { EMPTY_WORKSPACE } from '../../session/workspace_store'
import { siteFile } from '../../site_files'
import { takeFiles } from './sources'

/** The server's token, the file's number and its name. In the name, a backslash would be another path separator. */
const PATH = /^[0-9a-f]{32}\/\d+\/([^/\\]+)$/

/** The files that the page's address names. */
export const askedFiles = (): string[] => new URLSearchParams(location.search).getAll('file')

/**
 * Opens the files in a workspace that needs no consent, and removes them from the address, so that a reload opens the stored
 * workspace.
 * @returns false, with a sentence on screen, if the server no longer serves one of them
 */
export async function openGiven(paths: readonly string[]): Promise<boolean> {
  history.replaceState(history.state, '', pageAddress())
  try {
    const files = await Promise.all(paths.map(fileOf))
    openOwn({ workspace: { ...EMPTY_WORKSPACE, name: files[0]!.name } })
    await takeFiles(files)
    return true
  } catch (e) {
    toast(messageOf(e), { tone: 'bad' })
    return false
  }
}

async function fileOf(path: string): Promise<File> {
  const name = decodeURIComponent(PATH.exec(path)?.[1] ?? '')
  // A server that decodes `..%2f` would deliver another file of its host as the user's own.
  const response = name === '' || /[/\\]/.test(name) ? null : await siteFile(`given/${path}`).catch(() => null)
  if (!response?.ok) throw new Error(`${name || 'The file'} is not on this server: start fusescope with it again.`)
  return new File([await response.blob()], name)
}
