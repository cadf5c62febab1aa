/** torch.cond and torch.vmap in search functions: what is refused, by name. Traces are recorded in conformance/cases. */
import { beforeAll, describe, expect, test } from 'vitest'
import { MATCHER_IMPORTS, printedBy, start, type Started } from './testing/start'

let py: Started
beforeAll(async () => {
  py = await start()
}, 120_000)

/** The exception of a registration whose search function computes `expression` of x, y and a condition p. */
const refusal = (expression: string): string =>
  printedBy(
    py,
    `${MATCHER_IMPORTS}
import torch.nn.functional as F
patterns = PatternMatcherPass()
try:
    register_replacement(lambda x, y, p: ${expression}, lambda x, y, p: x, [torch.empty(4, 8), torch.empty(4, 8), torch.tensor(True)], fwd_only, patterns)
except Exception as e:
    print(type(e).__name__, e)
`,
  ).trim()

describe('torch.cond', () => {
  test('branches must agree', () => {
    expect(refusal('torch.cond(p, lambda t: t.sin(), lambda t: t.sum(), (x,))')).toContain(
      'expected same dim but got 2 and 0',
    )
    expect(refusal('torch.cond(p, lambda t: (t, t), lambda t: (t,), (x,))')).toContain('the same pytree structure')
    expect(refusal('torch.cond(p, lambda t: t.t(), lambda t: t.view(8, 4), (x,))')).toMatch(
      /^NotImplementedError .*torch\.cond whose branches return tensors of different sizes or strides/,
    )
    expect(refusal('torch.cond(p, lambda t: 1, lambda t: 2, (x,))')).toMatch(/^NotImplementedError .*not tensors/)
  })
})

describe('torch.vmap', () => {
  test('operators without a batching rule are named', () => {
    const no = "NotImplementedError Fusescope's torch.vmap does not support"
    expect(refusal('torch.vmap(torch.linalg.inv)(x[:, :4].unsqueeze(0))')).toBe(`${no} aten.linalg_inv_ex.default`)
    expect(refusal('torch.vmap(torch.sin, chunk_size=2)(x)')).toBe(`${no} chunk_size`)
  })

  test('values of a batch decide nothing', () => {
    expect(refusal('torch.vmap(lambda t: t * t.sum().item())(x)')).toContain('vmap over calling .item()')
    expect(refusal('torch.vmap(lambda t: t if t.sum() > 0 else -t)(x)')).toContain('data-dependent control flow')
  })

  test('structures of in_dims and out_dims are checked', () => {
    expect(refusal('torch.vmap(torch.add, in_dims=(0,))(x, y)')).toContain(
      'in_dims is not compatible with the structure of `inputs`. in_dims has structure (*,) but inputs has structure (*, *)',
    )
    expect(refusal('torch.vmap(lambda t: (t, t), out_dims=(0, 0, 0))(x)')).toContain('out_dims is not compatible')
    expect(refusal('torch.vmap(torch.add, in_dims=(None, None))(x, y)')).toContain('at least one Tensor to vmap over')
  })
})
