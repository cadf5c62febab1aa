import { describe, expect, it } from 'vitest'
import { dtype, type Dim, type TensorMeta } from '../../fx'
import { fakeExpression, type KnownCall } from './fake_formula'
import type { CallValue } from './operator_calls'

const tensor = (name: string, ...shape: Dim[]): TensorMeta => ({
  kind: 'tensor',
  dtype: name,
  shape,
  stride: null,
  device: null,
})
const call = (args: Record<string, CallValue>, ...outs: TensorMeta[]): KnownCall => ({
  args: new Map(Object.entries(args)),
  outs,
})

describe('the fake implementation of an operator', () => {
  it('is a product, by the sizes that agree in all calls', () => {
    const scaled = (m: Dim, k: number, n: number) =>
      call(
        { a: tensor('float8_e4m3fn', m, k), b: tensor('float8_e4m3fn', k, n), out_dtype: dtype('bfloat16') },
        tensor('bfloat16', m, n),
      )
    // Of one call with a square weight, either size of b would do.
    expect(fakeExpression([scaled('s72', 64, 32), scaled(16, 16, 16)])).toBe(
      'torch.empty((*a.shape[:-1], b.shape[1]), dtype=out_dtype, device=a.device)',
    )
  })

  it('halves, multiplies and divides by an int argument', () => {
    const half = (n: number) => call({ x: tensor('float16', 4, n) }, tensor('float16', 4, n / 2))
    expect(fakeExpression([half(64), half(128)])).toBe(
      'torch.empty((*x.shape[:-1], x.shape[1] // 2), dtype=x.dtype, device=x.device)',
    )
    const groups = (n: number, size: bigint) =>
      call(
        { x: tensor('float16', 4, n), group_size: size },
        tensor('float8_e4m3fn', 4, n),
        tensor('float32', 4, n / Number(size)),
      )
    expect(fakeExpression([groups(256, 128n), groups(256, 64n)])).toBe(
      '(torch.empty(x.shape, dtype=torch.float8_e4m3fn, device=x.device), ' +
        'torch.empty((*x.shape[:-1], x.shape[1] // group_size), dtype=torch.float32, device=x.device))',
    )
  })

  it('is unknown if no size explains an output, or no call is known', () => {
    const odd = (n: number, m: number) => call({ x: tensor('float16', n) }, tensor('float16', m))
    expect(fakeExpression([odd(4, 7), odd(8, 9)])).toBeNull()
    expect(fakeExpression([])).toBeNull()
  })
})
