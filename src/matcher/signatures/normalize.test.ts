import { expect, it } from 'vitest'
import { ambiguity, normalizeFunction } from './normalize'

const X = 1n // any argument: only its presence is read
const none = new Map()

it('a function of C++ takes the defaults of the one overload that the call fits', () => {
  const sdpa = normalizeFunction('torch._C._nn.scaled_dot_product_attention', [X, X, X], none, () => null)
  expect(Object.fromEntries(sdpa!.kwargs)).toEqual({
    attn_mask: null,
    dropout_p: 0,
    is_causal: false,
    scale: null,
    enable_gqa: false,
  })
  const pool = normalizeFunction('torch.max_pool2d', [X, [2n, 2n]], none, () => null)
  expect(Object.fromEntries(pool!.kwargs)).toEqual({
    stride: [],
    padding: [0n, 0n],
    dilation: [1n, 1n],
    ceil_mode: false,
  })
})

it('a call that fits several overloads is an error, as recorded on 2.14.1', () => {
  expect(ambiguity('torch._C._nn.gelu', [X], none)).toBeNull()
  const error = ambiguity('torch.floor', [X], none)
  expect(error!.pythonType).toBe('RuntimeError')
  expect(error!.message).toBe(
    'Tried to normalize arguments to torch._VariableFunctionsClass.floor but the schema match was ambiguous! Please ' +
      'provide argument types to the normalize_arguments() call. Available schemas:\n' +
      '(input: torch.Tensor) -> torch.Tensor\n(a: int) -> int\n(a: float) -> int\n(a: numbers.Number) -> numbers.Number',
  )
  expect(normalizeFunction('torch.floor', [X], none, () => null)).toBeNull()
})

it('functions without a schema, and torch.nonzero, are not normalized', () => {
  for (const target of ['operator.add', 'torch.nonzero'])
    expect([normalizeFunction(target, [X], none, () => null), ambiguity(target, [X], none)]).toEqual([null, null])
})
