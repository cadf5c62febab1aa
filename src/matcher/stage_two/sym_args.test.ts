import { expect, it } from 'vitest'
import type { TensorMeta } from '../../fx'
import { neverEqual, symArgsOf } from './sym_args'

const meta = (shape: (number | string)[], stride: (number | string)[]): TensorMeta => ({
  kind: 'tensor',
  dtype: 'bfloat16',
  shape,
  stride,
  device: null,
})

it('M43: one dynamic dimension becomes an input, along with its multiples', () => {
  expect(symArgsOf([meta(['s72', 64], [64, 1]), meta([2, 's72', 64], ['64*s72', 64, 1])])).toEqual(['s72', '64*s72'])
})

it('M43: a second independent one does not, because it may be equal', () => {
  expect(symArgsOf([meta(['s0', 's1'], ['s1', 1])])).toEqual(['s0'])
})

it.each([
  ['s0*s1', 's0', true],
  ['s0**2', 's0', true],
  ['s0 + 1', 's0', true],
  ['2*s0', 's1', false],
  ['u0', '2*u0', false],
  ['s0', 's0', false],
  ['Max(1, u0)', 'u0', false],
])('%s never equals %s: %s', (a, b, expected) => {
  expect(neverEqual(a, b)).toBe(expected)
})
