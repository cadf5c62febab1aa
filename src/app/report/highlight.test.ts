import { describe, expect, it } from 'vitest'
import { linkedLines } from '../features/editor/editor_marks'
import { highlightOf } from './highlight'
import { fused, WORKSPACE } from '../../engine/queries/testing/report_fixture'

const at = (selection: Parameters<typeof highlightOf>[0], r = fused()) => highlightOf(selection, r, r.graph, WORKSPACE)

describe('the highlights of a selection', () => {
  it('a node of a match highlights the pattern’s source line, its own line and the pattern node', () => {
    const h = at({ kind: 'node', side: 'before', name: 'relu' })
    expect([...h.before]).toEqual(['relu'])
    expect(linkedLines('patterns.py', h)).toEqual([5])
    expect(linkedLines('graph.txt', h)).toEqual([3])
    expect([...h.patternNodes]).toEqual([1])
    expect(h.match?.match.index).toBe(0)
  })
  it('a source line highlights the nodes that it matched, even if Python has a longer path for the file', () => {
    expect([...at({ kind: 'line', file: 'patterns.py', line: 6 }).before]).toEqual(['neg'])
  })
  it('the registering line highlights all matches, on both sides', () => {
    const h = at({ kind: 'line', file: 'patterns.py', line: 9 })
    expect([...h.before]).toEqual(['relu', 'neg'])
    expect([...h.after]).toEqual(['fused'])
  })
  it('a line of the graph’s text highlights its node', () => {
    expect(at({ kind: 'line', file: 'graph.txt', line: 4 }).focusBefore).toBe('neg')
  })
  it('a pattern node highlights its nodes in every match; a pattern input highlights the inputs it was bound to', () => {
    expect([...at({ kind: 'patternNode', pass: 'patterns', entry: 0, index: 2 }).before]).toEqual(['neg'])
    expect([...at({ kind: 'patternNode', pass: 'patterns', entry: 0, index: 0 }).before]).toEqual(['x'])
  })
  it('a match highlights its nodes before and their replacements after', () => {
    const h = at({ kind: 'match', pass: 'patterns', index: 0 })
    expect([[...h.before], [...h.after]]).toEqual([['relu', 'neg'], ['fused']])
    expect(linkedLines('patterns.py', h)).toEqual([5, 6])
  })
  it('an added node highlights its match', () => {
    expect(at({ kind: 'node', side: 'after', name: 'fused' }).match?.match.node).toBe('neg')
  })
  it('a near miss highlights the culprit and the line of the pattern', () => {
    const h = at({ kind: 'nearMiss', pass: 'patterns', index: 0 })
    expect(h.culprit).toBe('neg')
    expect(linkedLines('patterns.py', h)).toEqual([6])
  })
  it('a selection of a missing node, match or file highlights nothing', () => {
    expect(at({ kind: 'match', pass: 'gone', index: 9 }).before.size).toBe(0)
    expect(highlightOf({ kind: 'node', side: 'after', name: 'gone' }, null, null, WORKSPACE).match).toBeNull()
  })
})
