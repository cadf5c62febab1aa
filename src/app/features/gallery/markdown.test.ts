import { describe, expect, it } from 'vitest'
import { readMarkdown, titleOf } from './markdown'

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
    expect(titleOf(blocks)).toBe('Title')
  })
  it('reads code, strong text and links, and leaves what is none of them as typed', () => {
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
  it('reads a table, and which of its columns stand right', () => {
    expect(readMarkdown('Text\n| graph | `n` |\n| --- | --: |\n| a, b | 1 |\nEnd')).toEqual([
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
  it('ends with any text: an open fence, a mark alone', () => {
    expect(readMarkdown('```\nx')).toEqual([{ kind: 'code', text: 'x' }])
    expect(readMarkdown('| a |')).toEqual([{ kind: 'table', head: [plain('a')], rows: [], right: [false] }])
    expect(readMarkdown('-\n#')).toEqual([{ kind: 'paragraph', text: plain('- #') }])
    expect(readMarkdown('  indented')).toEqual([{ kind: 'paragraph', text: plain('indented') }])
  })
})
