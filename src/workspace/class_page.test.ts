import { describe, expect, it } from 'vitest'
import {
  classFragment,
  isClassPage,
  readClassFragment,
  readClassPage,
  writeClassPage,
  type ClassPage,
} from './class_page'

const PAGE: ClassPage = {
  title: 'Compilers, week 5',
  text: 'Bring “questions”.',
  items: [
    { lesson: 'by-hand' },
    { lesson: 'constants', step: 3, note: 'Before Tuesday' },
    { title: 'Our pattern', link: '#v2.abc' },
    { title: 'Notes', link: 'https://example.org/notes' },
  ],
}

describe('a class page', () => {
  it('is read back from its link and from its file', () => {
    expect(readClassFragment(classFragment(PAGE))).toEqual({ ok: true, value: PAGE })
    expect(isClassPage(writeClassPage(PAGE))).toBe(true)
    expect(readClassPage(writeClassPage(PAGE))).toEqual({ ok: true, value: PAGE })
  })
  it('of another form is refused with a sentence', () => {
    const link = (address: string) =>
      readClassPage(writeClassPage({ ...PAGE, items: [{ title: 'x', link: address }] })).ok
    expect(['javascript:alert(1)', 'data:text/html,x', '//host', 'ftp://host', '?example=x'].map(link)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
    expect(['https://[', 'https://a b', 'http://', 'https://%'].map(link)).toEqual([false, false, false, false])
    expect(readClassFragment(classFragment(PAGE).slice(0, -7))).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('The class page could not be read') },
    })
  })
})
