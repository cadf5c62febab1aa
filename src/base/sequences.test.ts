import { expect, it } from 'vitest'
import { longestIncreasing, shortestEdit } from './sequences'

const lcs = (x: readonly number[], y: readonly number[]): number => {
  const table = Array.from({ length: x.length + 1 }, () => new Array<number>(y.length + 1).fill(0))
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      table[i]![j] = x[i] === y[j] ? table[i + 1]![j + 1]! + 1 : Math.max(table[i + 1]![j]!, table[i]![j + 1]!)
  return table[0]![0]!
}

it('pairs as many equal items as a longest common subsequence has', () => {
  let state = 5
  const random = (n: number): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % n
  for (let round = 0; round < 300; round++) {
    const [x, y] = [0, 0].map(() => Array.from({ length: random(14) }, () => random(4))) as [number[], number[]]
    const pairs = shortestEdit(x, y)
    expect(pairs.every(([i, j]) => x[i] === y[j])).toBe(true)
    expect(pairs.every(([i, j], at) => at === 0 || (i > pairs[at - 1]![0] && j > pairs[at - 1]![1]))).toBe(true)
    expect(pairs.length).toBe(lcs(x, y))
  }
})

it('finds a longest increasing subsequence', () => {
  expect(longestIncreasing([[0, 5], [1, 1], [2, 3], [3, 2], [4, 4]])).toHaveLength(3) // prettier-ignore
})
