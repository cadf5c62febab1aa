import { expect, test } from 'vitest'
import { device, dtype, type TensorMeta } from '../fx'
import { isFake, itemsOf, type DispatchArg } from '../ops/fake'
import { createTracer } from './tracer'

const fake = (shape: number[], stride: number[]): TensorMeta => ({
  kind: 'tensor',
  dtype: 'float32',
  shape,
  stride,
  device: device('cpu'),
})
const sizes = (a: DispatchArg): unknown =>
  isFake(a) ? [a.meta.shape, a.meta.stride] : itemsOf(a)!.map((item) => sizes(item))

// Recorded on PyTorch 2.14.1 with x of size (3, 2, 4) and stride (4, 12, 1), y of size (1, 3, 4).
test.each<[string, 'x' | 'y', DispatchArg[], unknown]>([
  [
    'view_copy.default',
    'x',
    [[3n, 2n, 4n]],
    [
      [3, 2, 4],
      [8, 4, 1],
    ],
  ],
  [
    'permute_copy.default',
    'x',
    [[2n, 0n, 1n]],
    [
      [4, 3, 2],
      [6, 2, 1],
    ],
  ],
  [
    'expand_copy.default',
    'y',
    [[5n, 3n, 4n]],
    [
      [5, 3, 4],
      [12, 4, 1],
    ],
  ],
  [
    'slice_copy.Tensor',
    'x',
    [0n, 1n, 3n],
    [
      [2, 2, 4],
      [8, 4, 1],
    ],
  ],
  [
    'unsqueeze_copy.default',
    'x',
    [0n],
    [
      [1, 3, 2, 4],
      [24, 8, 4, 1],
    ],
  ],
  [
    'squeeze_copy.dims',
    'y',
    [[0n]],
    [
      [3, 4],
      [4, 1],
    ],
  ],
  [
    'transpose_copy.int',
    'x',
    [0n, 1n],
    [
      [2, 3, 4],
      [12, 4, 1],
    ],
  ],
  [
    'select_copy.int',
    'x',
    [0n, 1n],
    [
      [2, 4],
      [4, 1],
    ],
  ],
  [
    'split_copy.Tensor',
    'x',
    [2n],
    [
      [
        [2, 2, 4],
        [8, 4, 1],
      ],
      [
        [1, 2, 4],
        [8, 4, 1],
      ],
    ],
  ],
  [
    'detach_copy.default',
    'x',
    [],
    [
      [3, 2, 4],
      [8, 4, 1],
    ],
  ],
  [
    'as_strided_copy.default',
    'x',
    [
      [2n, 2n],
      [1n, 2n],
    ],
    [
      [2, 2],
      [2, 1],
    ],
  ],
  [
    'diagonal_copy.default',
    'x',
    [],
    [
      [4, 2],
      [2, 1],
    ],
  ],
  [
    'view_copy.dtype',
    'x',
    [dtype('int32')],
    [
      [3, 2, 4],
      [8, 4, 1],
    ],
  ],
])('%s copies its view into contiguous memory', (name, of, args, expected) => {
  const tracer = createTracer()
  const input = tracer.fresh(of === 'x' ? fake([3, 2, 4], [4, 12, 1]) : fake([1, 3, 4], [12, 4, 1]))
  const out = tracer.infer(`aten.${name}`, [input, ...args], new Map())
  expect(sizes(out)).toEqual(expected)
  if (isFake(out)) expect(out.storage).not.toBe(input.storage)
})
