/**
 * Tests the zero point of static int8 quantization against manual results: int8(clamp(round_half_even(x / scale) + azp,
 * -128, 127)).
 */
import { expect, it } from 'vitest'
import { runOp, type OpTensor } from '../run/run_op'

const data = (a: Float32Array | Int32Array): string => btoa(String.fromCharCode(...new Uint8Array(a.buffer)))
const f32 = (shape: number[], values: number[]): OpTensor => ({
  dtype: 'float32',
  shape,
  data: data(Float32Array.from(values)),
})

it('adds the zero point after rounding to even and clamps last', async () => {
  const { outputs } = await runOp({
    op: '_C.static_scaled_int8_quant',
    device: 'reference',
    inputs: {
      input: f32([1, 5], [0.5, 1.5, -2.5, 300, -130]),
      scale: f32([1], [1]),
      azp: { dtype: 'int32', shape: [1], data: data(Int32Array.of(3)) },
    },
  })
  const codes = Int8Array.from(atob(outputs['result']!.data), (c) => c.charCodeAt(0))
  expect([...codes]).toEqual([3, 5, 1, 127, -127])
})
