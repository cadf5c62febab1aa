/** Causes that follow from an operator's schema: releases that declare it differently, and guessed schemas. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import type { Cause } from '../protocol'

const HEAD = `import torch
from torch._higher_order_ops.auto_functionalize import auto_functionalized
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def register(search, inputs):
    register_replacement(search, lambda *args: args[0] * 2, inputs, fwd_only, patterns)
`
const graph = (inputs: string, ...lines: string[]): string =>
  ['class M(torch.nn.Module):', `    def forward(self, ${inputs}):`, ...lines.map((l) => `        ${l}`), ''].join('\n')

let interpreter: Interpreter
beforeAll(async () => {
  interpreter = await Interpreter.start(nodeAssets())
})

const explained = (pattern: string, text: string) =>
  explainCase(interpreter, { id: '', pattern_py: HEAD + pattern, graph: text })
const causesOf = (pattern: string, text: string): Cause[] => {
  const e = explained(pattern, text)
  return [...e.causes, ...e.passes.flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.causes])]
}

describe('versions of a cataloged operator', () => {
  const QUANT = `x: "bf16[8, 256]", q: "f8e4m3fn[8, 256]", s: "f32[8, 2]"`
  const call = (more: string): string =>
    `auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops._C.per_token_group_fp8_quant.default, input = x, output_q = q, output_s = s, group_size = 128, eps = 1e-10, fp8_min = -448.0, fp8_max = 448.0, scale_ue8m0 = False${more})`
  const ITEMS = [
    'getitem: "f8e4m3fn[8, 256]" = auto_functionalized[1]',
    'getitem_1: "f32[8, 2]" = auto_functionalized[2]',
    'return (getitem, getitem_1)',
  ]
  const search = (more: string): string => `
def search(x, q, s):
    at = auto_functionalized(torch.ops._C.per_token_group_fp8_quant.default, input=x, output_q=q, output_s=s, group_size=128, eps=1e-10, fp8_min=-448.0, fp8_max=448.0, scale_ue8m0=False${more})
    return at[1], at[2]
register_replacement(search, lambda x, q, s: (q, s), [torch.empty(8, 256, dtype=torch.bfloat16), torch.empty(8, 256, dtype=torch.float8_e4m3fn), torch.empty(8, 2)], fwd_only, patterns)
`
  const NEW = ', dummy_is_scale_transposed=False, dummy_is_tma_aligned=False'

  it('that differ between graph and pattern are named in the cause, with the arguments that differ', () => {
    const causes = causesOf(search(NEW), graph(QUANT, call(''), ...ITEMS))
    const cause = causes.find((c) => c.versions)!
    expect(cause.versions).toMatchObject({
      operator: '_C::per_token_group_fp8_quant',
      arguments: [
        { name: 'dummy_is_scale_transposed', only: 'pattern', what: 'argument' },
        { name: 'dummy_is_tma_aligned', only: 'pattern', what: 'argument' },
      ],
    })
    expect(cause.sentence).toMatch(
      /; the graph calls _C::per_token_group_fp8_quant as vLLM 2025-07 to 2026-02 \(.*\) declares it, the pattern as vLLM 2026-02 to 2026-08 \(.*\): only the pattern’s has dummy_is_scale_transposed and dummy_is_tma_aligned$/,
    )
    expect(causes.filter((c) => c.versions)).toHaveLength(1)
  })

  it('none of which fits the graph are counted', () => {
    const [cause] = causesOf(search(NEW), graph(QUANT, call(', later = 1'), ...ITEMS)).filter((c) => c.versions)
    expect(cause!.versions).toMatchObject({ graph: null })
    expect(cause!.sentence).toContain('the graph’s call of _C::per_token_group_fp8_quant fits none of the')
  })

  it('are not named where one fits both', () => {
    const text = graph(QUANT, call(NEW.replace('=False', ' = True').replace(/=F/, ' = F')), ...ITEMS)
    expect(causesOf(search(NEW), text).filter((c) => c.versions)).toEqual([])
  })
})

describe('an operator without a schema', () => {
  it('has the outputs that the graph takes of it', () => {
    const text = graph(
      'x: "f32[8, 16]"',
      'split2 = torch.ops.mine.split2.default(x)',
      'getitem: "f32[8, 16]" = split2[0]',
      'getitem_1: "f32[8, 16]" = split2[1]',
      'add: "f32[8, 16]" = torch.ops.aten.add.Tensor(getitem, getitem_1)',
      'return (add,)',
    )
    const pattern = (names: string): string => `
def search(x):
    ${names} = torch.ops.mine.split2(x)
    return a + b
register(search, [torch.empty(8, 16)])
`
    expect(explained(pattern('a, b'), text).passes[0]!.count).toBe(1)
    const [cause] = causesOf(pattern('a, b, c'), text)
    expect(cause!.sentence).toBe(
      'ValueError: not enough values to unpack (expected 3, got 2); mine::split2 has no schema, and its 2 outputs were guessed from the graph’s getitem; declare the operator: torch.library.define("mine::split2", "(Tensor arg0) -> (Tensor, Tensor)")',
    )
    expect(cause!.guessed).toMatchObject({ operator: 'mine::split2', outputs: 2, from: 'getitem' })
  })

  it('is named in a cause that follows from the guess, with the line that declares it', () => {
    const causes = causesOf(
      `
def search(x, q, w):
    at = auto_functionalized(torch.ops.mine.fused.default, x=x, q=q, w=w)
    return at[1] * 3
register(search, [torch.empty(8, 16), torch.empty(8, 16), torch.empty(8, 16)])
`,
      graph(
        'x: "f32[8, 16]", q: "f32[8, 16]", w: "f32[8, 16]"',
        'auto_functionalized = torch.ops.higher_order.auto_functionalized(torch.ops.mine.fused.default, x = x, q = q, w = w)',
        'getitem: "f32[8, 16]" = auto_functionalized[1]',
        'getitem_1: "f32[8, 16]" = auto_functionalized[2]',
        'mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(getitem, 3)',
        'add: "f32[8, 16]" = torch.ops.aten.add.Tensor(mul, getitem_1)',
        'return (add,)',
      ),
    )
    const cause = causes.find((c) => c.guessed)!
    expect(cause.guessed).toEqual({
      operator: 'mine::fused',
      outputs: 2,
      from: 'getitem',
      declaration: 'torch.library.define("mine::fused", "(Tensor(a!) x, Tensor(b!) q, Tensor w) -> ()")',
    })
    expect(cause.sentence).toContain('its 2 outputs were guessed from the graph’s getitem; declare the operator: ')
  })

  it('that only writes gives None as item 0, which no pattern may return', () => {
    const pattern = `
def search(x, q):
    at = auto_functionalized(torch.ops.mine.fused.default, x=x, out=q)
    return at[0], at[1]
register(search, [torch.empty(8, 16), torch.empty(8, 16)])
`
    const e = explained(
      pattern,
      graph('x: "f32[8, 16]"', 'neg: "f32[8, 16]" = torch.ops.aten.neg.default(x)', 'return (neg,)'),
    )
    expect(e.causes).toMatchObject([{ kind: 'structure', reason: { kind: 'none-output', output: 0 } }])
    expect(e.causes[0]!.sentence).toMatch(
      /^output 0 of the search function is None, .*; return only the items that hold tensors$/,
    )
    expect(e.python!.message).toContain("'NoneType' object has no attribute 'users'")
  })
})
