import { expect, test } from 'vitest'
import { addDims, floorDiv, modDims, mulDims, sameDim, subDims } from './sym'

test('prints like sympy', () => {
  expect(mulDims('s72', 4096)).toBe('4096*s72')
  expect(addDims(1, 's72')).toBe('s72 + 1')
  expect(mulDims('s72', 's70')).toBe('s70*s72')
  expect(mulDims('s70', 's70')).toBe('s70**2')
  expect(subDims(mulDims(2, 's1'), addDims('s0', 3))).toBe('-s0 + 2*s1 - 3')
  expect(floorDiv('s72', 2)).toBe('(s72//2)')
  expect(modDims('s72', 8)).toBe('Mod(s72, 8)')
})

test('divides exactly if possible', () => {
  expect(floorDiv('4096*s72', 2)).toBe('2048*s72')
  expect(floorDiv('s70*s72', 's72')).toBe('s70')
  expect(floorDiv(addDims('4*s0', 8), 4)).toBe('s0 + 2')
  expect(subDims('s72 + 1', 's72')).toBe(1)
  expect(modDims('4096*s72', 128)).toBe(0)
  expect(sameDim(mulDims('s72', 's70'), 's70*s72')).toBe(true)
})

test('keeps an inexact quotient as one factor', () => {
  const half = floorDiv('s72', 2)
  expect(mulDims(half, 4)).toBe('4*((s72//2))')
  expect(subDims(addDims(half, 3), half)).toBe(3)
  expect(addDims('Max(1, u0)', 1)).toBe('Max(1, u0) + 1')
})
