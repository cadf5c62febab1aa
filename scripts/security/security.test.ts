/** Text of strangers in each format, and the corpus's tables in docs/security.md. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../lib.mjs'
import { ATTEMPTS, GROUPS } from './attempts'
import { BEGIN, corpusText, COUNTS, END } from './table'
import { HOSTILE_TEXTS, TEXT_PLACES } from './text_places'

describe('text of strangers', () => {
  it.each(TEXT_PLACES.map((p) => [`${p.from} in ${p.into}`, p] as const))('%s gains nothing', async (_, { holds }) => {
    for (const text of HOSTILE_TEXTS) expect(await holds(text), JSON.stringify(text)).toBe(true)
  })

  it('becomes an element in no file of the page: none writes HTML', () => {
    const sources = readdirSync(join(root, 'src'), { recursive: true })
      .map(String)
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|testing/.test(name))
    const writes =
      /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|createContextualFragment|\bnew Function\(/
    expect(sources.filter((name) => writes.test(readFileSync(join(root, 'src', name), 'utf8')))).toEqual([])
  })
})

it('docs/security.md lists the corpus', () => {
  const path = join(root, 'docs', 'security.md')
  const text = readFileSync(path, 'utf8')
  const [before, rest] = text.split(BEGIN)
  const wanted = `${before}${corpusText()}${rest!.split(END)[1]}`
  if (process.env.FUSESCOPE_WRITE) writeFileSync(path, wanted)
  else expect(text).toBe(wanted)
})

it('each attempt has a test of that title', () => {
  const named = [...GROUPS.map((g) => g.tests.map((file) => [file, ''] as const)), ...ATTEMPTS.map((a) => (typeof a.test === 'string' ? [] : a.test))].flat() // prettier-ignore
  const absent = named.filter(([file, title]) => {
    const path = join(root, file)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title)
  })
  expect(absent).toEqual([])
  expect(ATTEMPTS.filter((a) => typeof a.test === 'string').length).toBeLessThanOrEqual(1)
})

it('the corpus is as large as promised', () => {
  expect(COUNTS.snippets).toBeGreaterThanOrEqual(120)
  expect(COUNTS.denials).toBeGreaterThanOrEqual(60)
  expect(COUNTS.kernels).toBeGreaterThanOrEqual(25)
  expect(COUNTS.places).toBeGreaterThanOrEqual(40)
})
