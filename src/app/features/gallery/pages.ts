/** The pages of docs/systems, each fetched when it is asked for. */
const PAGES = import.meta.glob<string>('../../../../docs/systems/*.md', { query: '?raw', import: 'default' })

const pathOf = (page: string): string => `../../../../docs/systems/${page}.md`

export const hasPage = (page: string): boolean => pathOf(page) in PAGES

/** The text of docs/systems/PAGE.md; null where there is no such page. */
export async function loadPage(page: string): Promise<string | null> {
  return (await PAGES[pathOf(page)]?.()) ?? null
}
