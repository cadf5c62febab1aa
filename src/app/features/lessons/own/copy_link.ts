/** Copies a link to one of the user's own lessons. A separate file, because the first screen does not load OwnLessons.tsx. */
import { pageAddress } from '../../../site_files'
import { copyAndSay } from '../../../ui/clipboard'
import { keptFragment } from './open_files'

/** The lesson itself is in the link. */
export async function copyLink(id: string): Promise<void> {
  const fragment = await keptFragment(id)
  if (fragment !== null)
    await copyAndSay(pageAddress() + fragment, 'The link to this lesson is copied; the lesson is in it.')
}
