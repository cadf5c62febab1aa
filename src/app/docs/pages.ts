/** The pages of docs/, compiled at build (scripts/vite/markdown.mjs). One chunk: all of them are searched. */
import type { Block } from '../markdown/markdown'
import { plainText } from './anchors'

const FILES = import.meta.glob<readonly Block[]>(['../../../docs/*.md', '../../../docs/systems/*.md'], {
  eager: true,
  import: 'default',
})

/** Blocks by page: `causes`, `systems/vllm`. */
export const PAGES: ReadonlyMap<string, readonly Block[]> = new Map(
  Object.entries(FILES).map(([path, blocks]) => [path.replace(/^.*\/docs\//, '').replace(/\.md$/, ''), blocks]),
)

export function titleOf(page: string): string {
  const [title] = PAGES.get(page) ?? []
  return title?.kind === 'heading' ? plainText(title.text) : 'No such page'
}
