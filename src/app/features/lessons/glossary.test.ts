import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LessonFile } from '../../../engine/lessons/catalog'
import { CAUSE_TERMS, GLOSSARY, type GlossaryTerm } from '../../../engine/lessons/glossary'
import { findTerms } from './terms/find_terms'

const OF_THE_PAGE = 'capture axis fix verdict pipeline stage step workspace snapshot report session run lease'.split(
  ' ',
)
const SAY_ALL = ['unlike-layers', 'other']

const lesson = (id: string): LessonFile =>
  JSON.parse(
    readFileSync(new URL(`../../../../public/lessons/${id}/lesson.json`, import.meta.url), 'utf8'),
  ) as LessonFile

const root = new URL('../../../../', import.meta.url)
const file = (path: string): string => readFileSync(new URL(path, root), 'utf8')

describe('terms in texts', () => {
  it('are found once each, as whole words, whatever their case', () => {
    const found = findTerms('Stage one at the anchor: 2 near misses; stage one again. Sanchor, users.py, users')
    expect(found.filter((p) => typeof p !== 'string').map((p) => (p as { text: string }).text)).toEqual([
      'Stage one',
      'anchor',
      'near misses',
      'users',
    ])
    expect(found.map((p) => (typeof p === 'string' ? p : p.text)).join('')).toContain('stage one again. Sanchor')
  })
  it('have an entry if ARCHITECTURE.md lists them for the interface', () => {
    const table = /## Glossary[\s\S]*?\n\n(\|[\s\S]*?)\n\n/.exec(file('ARCHITECTURE.md'))![1]!
    const words = [...table.matchAll(/^\| ([^|]+) \|/gm)].slice(2).flatMap((m) => m[1]!.split(', '))
    expect(words).toContain('near miss')
    const missing = words.filter((w) => findTerms(w).every((p) => typeof p === 'string'))
    // Words of the page, which its panels show, and of the engine; an axis is one of a tensor too.
    expect(missing).toEqual(OF_THE_PAGE)
  })
  it('have an entry if they are kinds of a cause, but for kinds that say all', () => {
    const kinds = [...file('src/explain/kinds.ts').matchAll(/^ {2}'([\w-]+)',$/gm)].map((m) => m[1]!)
    expect(kinds.length).toBeGreaterThan(20)
    expect(kinds.filter((k) => !(k in CAUSE_TERMS))).toEqual(SAY_ALL)
  })
})

describe('the glossary', () => {
  const terms: [string, GlossaryTerm][] = Object.entries(GLOSSARY)
  it.each(terms)('%s has an example that exists', (_, { lesson: id, step }) => {
    expect(lesson(id).steps.map((s) => s.id)).toContain(step)
  })
  it.each(terms)('%s is explained in at most two sentences', (_, { text }) => {
    expect(text).toMatch(/^[A-Z].*\.$/)
    expect(text.length).toBeLessThan(180)
  })
})
