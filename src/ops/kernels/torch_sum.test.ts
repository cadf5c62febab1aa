import { expect, it } from 'vitest'
import { fromBits } from '../dtype'
import { torchSum } from './torch_sum'

/** Their squares have 24 digits, so that each order of addition rounds differently. */
const value = (i: number): number => Math.fround(((i * 7919 + 104729) % 65521) / 4096) ** 2

// torch.tensor([value(i) for i in range(n)]).sum() on PyTorch 2.14.1, as bits.
const RECORDED: Record<number, number> = {
  1: 0x42b741ac,
  7: 0x4429fc46,
  8: 0x44369f0b,
  31: 0x452b9cd4,
  40: 0x455a1fd2,
  77: 0x45ce10d1,
  128: 0x462e8c7a,
  520: 0x472da44d,
  4096: 0x48aa87f4,
  11008: 0x4965434d,
  70000: 0x4ab63470,
}

it.each(Object.entries(RECORDED))('adds %s values in PyTorch’s order', (n, bits) => {
  expect(torchSum(Number(n), value)).toBe(fromBits(bits))
})
