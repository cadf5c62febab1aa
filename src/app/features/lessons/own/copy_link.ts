/** Copies a link to one of the user's own lessons. A separate file, because the first screen does not load OwnLessons.tsx. */
import { toast } from '../../../session/view_store'
import { pageAddress } from '../../../site_files'
import { copyText } from '../../../ui/clipboard'
import { keptFragment } from './open_files'

/** The lesson itself is in the link. */
export async function copyLink(id: string): Promise<void> {
  const fragment = await keptFragment(id)
  if (fragment === null) return
  const done = await copyText(pageAddress() + fragment)
  toast(done ? 'The link to this lesson is copied; the lesson is in it.' : 'The browser does not let this page copy.')
}
