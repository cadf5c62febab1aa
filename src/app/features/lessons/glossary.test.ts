import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { LessonFile } from './catalog'
import { GLOSSARY, type GlossaryTerm } from './glossary'

const lesson = (id: string): LessonFile =>
  JSON.parse(
    readFileSync(new URL(`../../../../public/lessons/${id}/lesson.json`, import.meta.url), 'utf8'),
  ) as LessonFile

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
