/** Checks the documentation: every page is listed, links and anchors resolve, and docs/cli.md has each command and option. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { anchorsOf, sectionsOf } from '../src/app/docs/anchors'
import { hashOf, placeOf, targetOf } from '../src/app/docs/address'
import { GROUPS, groupsOf } from '../src/app/docs/catalog'
import { entriesOf, search } from '../src/app/docs/search'
import type { Block, Span } from '../src/app/markdown/markdown'
import { readMarkdown } from '../src/app/markdown/read_markdown'
import { ORDER } from '../src/explain/kinds'
import { causesPage, commandSections, writtenSections } from './cli_docs'
import { root } from './lib.mjs'
import { missingNames, missingPaths, placesOf } from './written_paths.mjs'

const PAGES = new Map(
  readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => String(name).replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md'))
    .map((name): [string, Block[]] => [
      name.replace(/\.md$/, ''),
      readMarkdown(readFileSync(join(root, 'docs', name), 'utf8')),
    ]),
)
const spansOf = (block: Block): Span[] => {
  if (block.kind === 'code') return []
  if (block.kind === 'list') return block.items.flat()
  return block.kind === 'table' ? [...block.head, ...block.rows.flat()].flat() : block.text
}
const linksOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap(spansOf).flatMap((s) => (s.kind === 'link' ? [s.to] : []))

/** What is wrong with a link; null: it resolves. @param from a page below docs/ */
function fault(from: string, to: string): string | null {
  const target = targetOf(from, to)
  if (target.kind === 'web') return null
  if (target.kind === 'app') return existsSync(join(root, 'public/examples', target.href.slice(11))) ? null : to
  if (target.kind === 'file') return existsSync(join(root, target.path)) ? null : to
  const page = PAGES.get(target.place.page)
  return page && (target.place.anchor === '' || anchorsOf(page).has(target.place.anchor)) ? null : to
}

describe('the documentation', () => {
  it('has every page that a group lists, and each page in one group', () => {
    const listed = GROUPS.flatMap((g) => g.pages)
    expect(listed.filter((p) => !PAGES.has(p))).toEqual([])
    const shown = groupsOf([...PAGES.keys()]).flatMap((g) => g.pages)
    expect([...shown].sort()).toEqual([...PAGES.keys()].sort())
  })

  it.each([...PAGES])('%s has a title, no two equal anchors of headings, and links that resolve', (page, blocks) => {
    expect(blocks[0]).toMatchObject({ kind: 'heading', level: 1 })
    const anchors = sectionsOf(blocks).map((s) => s.anchor)
    expect(new Set(anchors).size).toBe(anchors.length)
    expect(linksOf(blocks).flatMap((to) => fault(page, to) ?? [])).toEqual([])
  })

  it.each(['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'])('links of %s to pages resolve', (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((m) => m[1]!)
    expect(links.flatMap((to) => fault(`../${file.replace('.md', '')}`, to) ?? [])).toEqual([])
  })

  it('names files and names in files that exist: recipes, READMEs', () => {
    const places = placesOf(root)
    const pages = places.filter((p) => /^\/(?:ARCHITECTURE|CONTRIBUTING)\.md$|README\.md$/.test(p))
    expect(pages.length).toBeGreaterThan(40)
    const missing = pages.flatMap((page) =>
      [...missingPaths(root, page, places), ...missingNames(root, page, places)].map((fault) => `${page}:${fault}`),
    )
    expect(missing).toEqual([])
  })

  it('names each kind of cause at an anchor, to which the panel links', () => {
    const anchors = anchorsOf(PAGES.get('causes')!)
    expect(ORDER.filter((kind) => !anchors.has(kind))).toEqual([])
  })

  it('has the facts of each kind of cause; `npx tsx scripts/cli_docs.ts` writes them', () => {
    const { written, made } = causesPage()
    expect(written).toBe(made)
  })

  it('has the commands and options of the command line; `npx tsx scripts/cli_docs.ts` writes them', () => {
    expect(writtenSections()).toBe(commandSections())
  })
})

describe('addresses', () => {
  it('name a page and an anchor', () => {
    for (const place of [
      { page: 'causes', anchor: '' },
      { page: 'systems/vllm', anchor: 'worth-knowing' },
      { page: 'cli', anchor: '--timeout-s' },
    ])
      expect(placeOf(hashOf(place))).toEqual(place)
    expect(placeOf('')).toEqual({ page: 'start', anchor: '' })
    expect(placeOf('#%E0%A4%A')).toEqual({ page: 'start', anchor: '' })
  })
})

describe('search', () => {
  const entries = entriesOf(PAGES)
  const first = (query: string): string => hashOf(search(entries, query)[0]!.place)

  it('finds sections by title, heading and text', () => {
    expect(first('command line')).toBe('#cli')
    expect(first('kinds of causes')).toBe('#causes:kinds-of-causes')
    expect(search(entries, 'mutation-barrier').map((r) => r.place.page)).toContain('causes')
    expect(search(entries, 'no such words at all zzz')).toEqual([])
    expect(search(entries, ' (')).not.toBeNull()
  })
})
