/** Checks the pages of docs/systems: one per example and system, with links that resolve and Markdown that the app draws. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SYSTEMS, systemPage } from '../src/app/examples/catalog'
import type { Block, Span } from '../src/app/markdown/markdown'
import { readMarkdown } from './vite/markdown.mjs'
import { aboutOf, EXAMPLE_IDS, examplePage, systemPagesDir } from './examples'
import { root } from './lib.mjs'

const PAGES = readdirSync(systemPagesDir).map((name) => name.replace(/\.md$/, ''))
const textOf = (page: string): string => readFileSync(join(systemPagesDir, `${page}.md`), 'utf8')

function spansOf(block: Block): Span[] {
  if (block.kind === 'code') return []
  if (block.kind === 'list') return block.items.flat()
  return block.kind === 'table' ? [...block.head, ...block.rows.flat()].flat() : block.text
}
const linksOf = (page: string): string[] =>
  readMarkdown(textOf(page))
    .flatMap(spansOf)
    .flatMap((s) => (s.kind === 'link' ? [s.to] : []))

describe('docs/systems', () => {
  it('has a page for every system and every example, and no other page', () => {
    const wanted = [...SYSTEMS.map(systemPage), ...EXAMPLE_IDS.map(examplePage)]
    expect(PAGES.sort()).toEqual([...new Set(wanted)].sort())
  })

  it.each(EXAMPLE_IDS)('the page of its system links to %s', (id) => {
    const links = linksOf(systemPage(aboutOf(id).system))
    expect(links.some((to) => to === `${id}.md` || to === `../../public/examples/${id}/`)).toBe(true)
  })

  it.each(PAGES)('%s is at most a screen, with a title, and the app can draw all of it', (page) => {
    const text = textOf(page)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
    const blocks = readMarkdown(text)
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
    const prose = blocks.flatMap(spansOf).flatMap((s) => (s.kind === 'text' ? [s.text] : []))
    for (const part of prose) expect(part).not.toMatch(/^\||!\[|<\/?[a-z]+>|\*\*|`|^>/)
  })

  it.each(PAGES)('links in %s resolve', (page) => {
    for (const to of linksOf(page))
      if (!/^https?:/.test(to)) expect(existsSync(join(systemPagesDir, to)), to).toBe(true)
  })
})

describe('the documents', () => {
  const documents = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'conformance/README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true })
      .map((name) => `docs/${String(name).replaceAll('\\', '/')}`)
      .filter((name) => name.endsWith('.md')),
  ]

  it.each(documents)('%s names only files that exist', (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const paths = [...text.matchAll(/`((?:src|scripts|docs|conformance|e2e|public|bench)\/[\w./-]+)`/g)].map(
      (m) => m[1]!,
    )
    // Capitals stand for a name that the reader chooses: `docs/systems/ID.md`.
    const named = paths.filter((path) => !/(^|[/_])(NAME|ID|NAMESPACE)\b/.test(path))
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})
