/** A pattern of an operator that Inductor decomposes: where the graph has its decomposition, and the pattern of that. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { createSession, type Session } from './session'

const HEAD = `import torch
from torch._inductor.pattern_matcher import Arg, CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern
aten = torch.ops.aten
patterns = PatternMatcherPass()
`

/** gelu of a bfloat16 tensor, as Inductor's decompositions write it. */
const GELU = `def forward(self, arg0_1: "bf16[4, 8]"):
    wide: "f32[4, 8]" = torch.ops.prims.convert_element_type.default(arg0_1, torch.float32);  arg0_1 = None
    mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(wide, 0.5)
    mul_1: "f32[4, 8]" = torch.ops.aten.mul.Tensor(wide, 0.7071067811865476);  wide = None
    erf: "f32[4, 8]" = torch.ops.aten.erf.default(mul_1);  mul_1 = None
    add: "f32[4, 8]" = torch.ops.aten.add.Tensor(erf, 1);  erf = None
    mul_2: "f32[4, 8]" = torch.ops.aten.mul.Tensor(mul, add);  mul = add = None
    narrow: "bf16[4, 8]" = torch.ops.prims.convert_element_type.default(mul_2, torch.bfloat16);  mul_2 = None
    return (narrow,)
`

const SOFTMAX = `def forward(self, x: "f32[4, 8]", y: "f32[4, 8]"):
    amax: "f32[4, 1]" = torch.ops.aten.amax.default(x, [-1], True)
    sub: "f32[4, 8]" = torch.ops.aten.sub.Tensor(x, amax);  x = amax = None
    exp: "f32[4, 8]" = torch.ops.aten.exp.default(sub);  sub = None
    sum_1: "f32[4, 1]" = torch.ops.aten.sum.dim_IntList(exp, [-1], True)
    div: "f32[4, 8]" = torch.ops.aten.div.Tensor(exp, sum_1);  exp = sum_1 = None
    mul: "f32[4, 8]" = torch.ops.aten.mul.Tensor(div, y);  div = y = None
    return (mul,)
`

describe('a decomposition of Inductor’s', () => {
  let session: Session
  beforeAll(async () => {
    session = createSession(nodeAssets())
    await session.ready
  })

  const causesOf = (graph: string, patterns: string) =>
    session
      .analyzeWhole(
        {
          name: 'w',
          graph: { name: 'g.py', text: graph },
          files: [{ name: 'patterns.py', text: HEAD + patterns }],
          options: { timeLimitS: 10 },
        },
        { fixes: true },
      )
      .report.passes.flatMap((p) => [...(p.causes ?? []), ...p.nearMisses.flatMap((m) => m.causes ?? [])])

  it('of the operator that the pattern starts at: an argument that it uses twice gets a name', () => {
    const [cause] = causesOf(
      GELU,
      `
@register_graph_pattern(CallFunction(aten.gelu.default, Arg()), pass_dict=patterns)
def fuse(match, x):
    match.replace_by_example(lambda x: torch.nn.functional.gelu(x), [x])
`,
    )
    expect(cause!.sentence).toBe(
      'the pattern has aten.gelu.default, the graph its decomposition (wide, mul, mul_1 and 4 more): Inductor decomposes it before its joint and post-grad passes',
    )
    expect(cause!.fixes![0]!.title).toMatch(/^Match what Inductor decomposes aten.gelu.default into/)
    expect(cause!.fixes![0]!.diff).toContain('KeywordArg("x")')
  })

  it('of an operand: a value that it uses twice has two users', () => {
    const [cause] = causesOf(
      SOFTMAX,
      `
@register_graph_pattern(
    CallFunction(aten.mul.Tensor, CallFunction(aten._softmax.default, KeywordArg("x"), -1, False), KeywordArg("y")),
    pass_dict=patterns,
)
def fuse(match, x, y):
    match.replace_by_example(lambda x, y: torch.softmax(x, -1) * y, [x, y])
`,
    )
    expect(cause!.sentence).toContain('its decomposition (amax, sub, exp and 2 more)')
    expect(cause!.fixes![0]!.diff).toContain('_users=2')
  })

  it('in part is none', () => {
    const [cause] = causesOf(
      GELU.replace('0.7071067811865476', '0.7'),
      `
@register_graph_pattern(CallFunction(aten.gelu.default, Arg()), pass_dict=patterns)
def fuse(match, x):
    pass
`,
    )
    expect(cause!.kind).toBe('root-absent')
  })
})
