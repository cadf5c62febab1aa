import { expect, it } from 'vitest'
import { readMarkdown } from './read_markdown'

it.each([
  ['_a__'.repeat(20_000), 'A paragraph has more than 4,000 characters.'],
  ['| a\n'.repeat(20_000), 'A paragraph has more than 12,000 characters.'],
  ['>'.repeat(3000), 'A line nests lists and quotations more than 20 deep.'],
  ['1. '.repeat(3000), 'A line nests lists and quotations more than 20 deep.'],
])('a text that would take the lexer the square of its length is refused: %#', (text, why) => {
  expect(() => readMarkdown(`# Title\n\n${text}\n`)).toThrow(why)
})

it('long texts of paragraphs, items and rows are read', () => {
  const row = `| ${'word '.repeat(40)} |\n`
  const text = `${`${'word '.repeat(700)}\n\n`.repeat(50)}- ${'word '.repeat(700)}\n- b\n\n| a |\n| - |\n${row.repeat(40)}`
  expect(readMarkdown(text).map((b) => b.kind)).toEqual([...Array(50).fill('paragraph'), 'list', 'table'])
})
