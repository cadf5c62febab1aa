/** The pages of docs/systems, each fetched on demand. */
import type { Block } from '../../markdown/markdown'

const PAGES = import.meta.glob<readonly Block[]>('../../../../docs/systems/*.md', { import: 'default' })

const pathOf = (page: string): string => `../../../../docs/systems/${page}.md`

export const hasPage = (page: string): boolean => pathOf(page) in PAGES

/** The blocks of docs/systems/PAGE.md; null if the page does not exist. */
export async function loadPage(page: string): Promise<readonly Block[] | null> {
  return (await PAGES[pathOf(page)]?.()) ?? null
}
