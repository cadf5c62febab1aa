import { marked, type Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { fused, WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { findingAsMarkdown } from './markdown'
import { markdownText as plain } from '../../../base/escapes'
import { block, code } from './markdown_text'

const URL = 'https://example.org/fusescope/#v2.a_b-c_d__e--f_'
const finding = (index: number | null) => ({
  report: fused(),
  workspace: WORKSPACE,
  selection: index === null ? null : ({ kind: 'nearMiss', pass: 'patterns', index } as const),
  url: URL,
})
const kinds = (text: string): string[] => marked.lexer(text).flatMap((t) => (t.type === 'space' ? [] : [t.type]))
/** What a reader sees of one line. */
const read = (text: string): string => {
  const flat = (tokens: Token[]): string =>
    tokens.map((t) => ('tokens' in t && t.tokens ? flat(t.tokens) : 'text' in t ? String(t.text) : '')).join('')
  return flat(marked.lexer(text))
}

describe('a finding as Markdown', () => {
  it('says result and cause, with the pattern, the part of the graph as text and drawing, and a link that is whole', () => {
    const text = findingAsMarkdown(finding(0))
    expect(text).toContain('size is 1 in the graph, 2 in the pattern')
    expect(kinds(text).slice(0, 2)).toEqual(['paragraph', 'paragraph'])
    const blocks = marked.lexer(text).flatMap((t) => (t.type === 'code' ? [[t.lang, t.text as string] as const] : []))
    expect(blocks.map(([lang]) => lang)).toEqual(['python', 'mermaid'])
    expect(blocks[0]![1]).toMatch(/neg.* = /)
    expect(blocks[1]![1]).toMatch(/^flowchart TD\n/)
    const html = marked.parse(text) as string
    expect(/href="([^"]*)"/.exec(html)![1]).toBe(URL)
  })
  it('takes the first match if nothing is selected', () => {
    expect(findingAsMarkdown(finding(null))).toContain('Fires at `neg`, over 2 nodes.')
  })
})

describe('Markdown of text', () => {
  it('comes back as it was, whatever it holds', () => {
    for (const text of ['a_b_c', '*not* bold', '<script>x</script>', '[x](y)', 'a|b', '# head', 'A\\B', 'a & b'])
      expect(read(plain(text)).replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>')).toBe(text)
    for (const text of ['a`b', '``', '` x', 'plain']) expect(read(code(text)).trim()).toBe(text.trim())
    expect([...marked.lexer(block('', '```\ninside\n```'))]).toMatchObject([{ type: 'code', text: '```\ninside\n```' }])
  })
})
