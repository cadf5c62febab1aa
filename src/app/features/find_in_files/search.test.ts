import { expect, it } from 'vitest'
import { findInFiles } from './search'

const FILES = [
  { name: 'a.py', text: 'import torch\naten = torch.ops.aten' },
  { name: 'graph.py', text: 'Torch.x' },
]
const PLAIN = { regex: false, matchCase: false }

it('lists the lines of each file with the columns of the first occurrence', () => {
  expect(findInFiles(FILES, 'torch.', PLAIN)).toEqual({
    lines: [
      { file: 'a.py', line: 2, from: 8, to: 14, text: 'aten = torch.ops.aten' },
      { file: 'graph.py', line: 1, from: 1, to: 7, text: 'Torch.x' },
    ],
    more: false,
  })
})

it.each([
  ['matches case', 'Torch', { regex: false, matchCase: true }, 1],
  ['reads a regular expression', '^import|x$', { regex: true, matchCase: false }, 2],
  ['finds nothing for an empty text', '', PLAIN, 0],
])('%s', (_, query, options, count) => {
  const found = findInFiles(FILES, query, options)
  expect(typeof found === 'string' ? found : found.lines.length).toBe(count)
})

it('says what is wrong with a regular expression', () => {
  expect(findInFiles(FILES, '(', { regex: true, matchCase: false })).toMatch(/^Not a regular expression/)
})
