import { expect, it } from 'vitest'
import { parseTensor } from './case_input'

it('reads constants as torch prints them', () => {
  expect(parseTensor('tensor(3.)')).toBe(3)
  expect(parseTensor('tensor(2)')).toBe(2n)
  expect(parseTensor('tensor([[1, 2], [3, 4]])')).toEqual([
    [1n, 2n],
    [3n, 4n],
  ])
  expect(parseTensor('tensor([1.5000e-05, nan, inf, -inf], dtype=torch.bfloat16)')).toEqual([
    1.5020370483398438e-5,
    NaN,
    Infinity,
    -Infinity,
  ])
  expect(parseTensor('tensor([True, False])')).toEqual([true, false])
})
