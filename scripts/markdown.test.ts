import { describe, expect, it } from 'vitest'
import { readMarkdown } from './vite/markdown.mjs'

const plain = (text: string) => [{ kind: 'text', text }]

describe('readMarkdown', () => {
  it('reads headings, paragraphs over several lines, lists whose items go on, and code', () => {
    const blocks = readMarkdown(
      '# Title\nFirst\nline.\n\n- one\n  goes on\n- two\n1. first\n2. second\n\n## Below\n```python\n# no heading\n- no item\n```\nEnd',
    )
    expect(blocks).toEqual([
      { kind: 'heading', level: 1, text: plain('Title') },
      { kind: 'paragraph', text: plain('First line.') },
      { kind: 'list', ordered: false, items: [plain('one goes on'), plain('two')] },
      { kind: 'list', ordered: true, items: [plain('first'), plain('second')] },
      { kind: 'heading', level: 2, text: plain('Below') },
      { kind: 'code', text: '# no heading\n- no item' },
      { kind: 'paragraph', text: plain('End') },
    ])
  })
  it('reads code, strong text and links, and keeps other text unchanged', () => {
    expect(readMarkdown('See `a*b*`, **why** and [`the` page](vllm.md). 2 * 3 * 4, x[0](y z).')).toEqual([
      {
        kind: 'paragraph',
        text: [
          { kind: 'text', text: 'See ' },
          { kind: 'code', text: 'a*b*' },
          { kind: 'text', text: ', ' },
          { kind: 'strong', text: 'why' },
          { kind: 'text', text: ' and ' },
          { kind: 'link', text: 'the page', to: 'vllm.md' },
          { kind: 'text', text: '. 2 * 3 * 4, x[0](y z).' },
        ],
      },
    ])
  })
  it('reads a table, and the alignment of its columns', () => {
    expect(readMarkdown('Text\n\n| graph | `n` |\n| --- | --: |\n| a, b | 1 |\n\nEnd')).toEqual([
      { kind: 'paragraph', text: plain('Text') },
      {
        kind: 'table',
        head: [plain('graph'), [{ kind: 'code', text: 'n' }]],
        rows: [[plain('a, b'), plain('1')]],
        right: [false, true],
      },
      { kind: 'paragraph', text: plain('End') },
    ])
  })
  it('rejects Markdown that the guide does not support', () => {
    expect(() => readMarkdown('An <b>element</b>.')).toThrow('does not draw html: <b>')
    expect(() => readMarkdown('![alt](a.png)')).toThrow('does not draw image')
    expect(() => readMarkdown('> quoted')).toThrow('does not draw blockquote')
    expect(() => readMarkdown('- one\n\n  two')).toThrow('does not draw list_item')
  })
})
