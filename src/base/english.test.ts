import { expect, it } from 'vitest'
import { bytesText, count, figures, listed, thousands } from './english'

it('groups digits by thousands', () => {
  expect([0, 999, 1000, 1552, 1234567].map(thousands)).toEqual(['0', '999', '1,000', '1,552', '1,234,567'])
})

it('counts in singular and plural', () => {
  expect(count(1, 'match', 'matches')).toBe('1 match')
  expect(count(0, 'node')).toBe('0 nodes')
  expect(count(1552, 'match', 'matches')).toBe('1,552 matches')
})

it('lists names and counts the rest', () => {
  expect(listed([])).toBe('none')
  expect(listed(['a'])).toBe('a')
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c')
  expect(listed(['a', 'b', 'c', 'd'])).toBe('a, b, c and d')
  expect(listed(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a, b, c and 3 more')
  expect(listed(['a', 'b', 'c'], 2)).toBe('a and 2 more')
})

it('writes sizes with three figures and a unit', () => {
  expect([999, 1_500_000, 999_999, 123_456_789].map(bytesText)).toEqual(['999 B', '1.50 MB', '1.00 MB', '123 MB'])
  expect([0, 1.7, 1234].map(figures)).toEqual(['0', '1.70', '1234'])
})
