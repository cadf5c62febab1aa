// @ts-check
/**
 * Compiles the pages of docs and the texts of lessons at build time: an import of a page yields its blocks as plain data, never HTML.
 */
import { readFileSync } from 'node:fs'
import { readMarkdown } from '../../src/app/markdown/read_markdown.ts'

export { readMarkdown }

/** @returns {import('vite').Plugin} */
export function markdownPages() {
  return {
    name: 'fusescope-markdown',
    enforce: 'pre',
    load(id) {
      if (!/\/(?:docs\/(?:systems\/)?[\w-]+|public\/lessons\/[\w-]+\/lesson)\.md$/.test(id)) return null
      this.addWatchFile(id)
      return {
        code: `export default ${JSON.stringify(readMarkdown(readFileSync(id, 'utf8')))}`,
        moduleType: 'js',
        map: null,
      }
    },
  }
}
