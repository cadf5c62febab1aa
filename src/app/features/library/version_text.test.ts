import { describe, expect, it } from 'vitest'
import type { Workspace } from '../../../workspace/types'
import { changedPart, reasonText, versionTexts } from './version_text'

const workspace = (files: Record<string, string>): Workspace => ({
  name: 'w',
  graph: { name: 'g.txt', text: 'graph()' },
  files: Object.entries(files).map(([name, text]) => ({ name, text })),
  options: { timeLimitS: 1 },
})

describe('a version', () => {
  it('lists its texts, those that differ from now first', () => {
    const texts = versionTexts(workspace({ a: '1', b: '2', c: '3' }), workspace({ a: '1', b: 'x' }))
    expect(texts.map((t) => [t.name, t.change])).toEqual([
      ['b', 'changed'],
      ['c', 'only here'],
      ['a', 'same'],
      ['g.txt', 'same'],
    ])
  })
  it('marks the lines that differ', () => {
    expect(changedPart('a\nb\nc', 'a\nx\ny\nc')).toEqual(['a\n', 'b\n', 'c'])
    expect(changedPart('a\nb', 'a')).toEqual(['a\n', 'b', ''])
    expect(changedPart('a', 'a\nb')).toEqual(['a', '', ''])
    expect(changedPart('a\na', 'a')).toEqual(['a\n', 'a', ''])
    expect(changedPart('same', 'same').join('')).toBe('same')
  })
  it('says why it was kept', () => {
    expect(reasonText({ kind: 'before', what: 'the graph was replaced' })).toBe('Before the graph was replaced')
    expect(reasonText({ kind: 'named', name: 'works' })).toBe('works')
  })
})
