import { beforeAll, describe, expect, test } from 'vitest'
import { printGraph, read } from '../../fx'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import { createSession, type Session } from './session'

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
}, 60_000)

const workspace = (graph: string, python = ''): Workspace => ({
  name: 'w',
  graph: { name: 'g.txt', text: graph },
  files: [{ name: 'p.py', text: python }],
  options: { timeLimitS: 60 },
})

/** The lowered graph as print(graph). */
function lowered(graph: string, python = ''): string {
  const w = workspace(graph, python)
  session.analyze(w)
  const { graph: made, problems } = read(session.lower(), 'lowered.txt')
  expect(problems).toEqual([])
  return printGraph(made)
}

/** torch.compile of an RMSNorm after a linear layer, as its backend gets it (PyTorch 2.14.1). */
const DYNAMO = `class GraphModule(torch.nn.Module):
    def forward(self, L_w_: "bf16[256, 256]", L_x_: "bf16[48, 256]", L_res_: "bf16[48, 256]", L_g_: "bf16[256]"):
        l_w_ = L_w_
        l_x_ = L_x_
        l_res_ = L_res_
        l_g_ = L_g_

        # File: model.py:7 in forward, code: y=s.l(x)+res
        linear: "bf16[48, 256]" = torch._C._nn.linear(l_x_, l_w_, None);  l_x_ = l_w_ = None
        y: "bf16[48, 256]" = linear + l_res_;  linear = l_res_ = None

        # File: model.py:8 in forward, code: v=y.to(torch.float32).pow(2).mean(-1,keepdim=True)
        to: "f32[48, 256]" = y.to(torch.float32)
        pow_1: "f32[48, 256]" = to.pow(2);  to = None
        v: "f32[48, 1]" = pow_1.mean(-1, keepdim = True);  pow_1 = None
        to_1: "f32[48, 256]" = y.to(torch.float32)
        add_1: "f32[48, 1]" = v + 1e-05;  v = None
        rsqrt: "f32[48, 1]" = torch.rsqrt(add_1);  add_1 = None
        mul: "f32[48, 256]" = to_1 * rsqrt;  to_1 = rsqrt = None
        to_2: "bf16[48, 256]" = mul.to(torch.bfloat16);  mul = None
        mul_1: "bf16[48, 256]" = to_2 * l_g_;  to_2 = l_g_ = None
        return (mul_1, y)
`

describe('lowering a graph', () => {
  test('Dynamo’s graph becomes what fwd_only traces its GraphModule to', () => {
    // Recorded: fwd_only(gm, example_inputs).graph on PyTorch 2.14.1.
    expect(lowered(DYNAMO)).toBe(`graph():
    %arg0_1 : [num_users=1] = placeholder[target=arg0_1]
    %arg1_1 : [num_users=1] = placeholder[target=arg1_1]
    %arg2_1 : [num_users=1] = placeholder[target=arg2_1]
    %arg3_1 : [num_users=1] = placeholder[target=arg3_1]
    %permute : [num_users=1] = call_function[target=torch.ops.aten.permute.default](args = (%arg0_1, [1, 0]), kwargs = {})
    %mm : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%arg1_1, %permute), kwargs = {})
    %add : [num_users=3] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %arg2_1), kwargs = {})
    %convert_element_type_2 : [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%add, torch.float32), kwargs = {})
    %pow_1 : [num_users=1] = call_function[target=torch.ops.aten.pow.Tensor_Scalar](args = (%convert_element_type_2, 2), kwargs = {})
    %mean : [num_users=1] = call_function[target=torch.ops.aten.mean.dim](args = (%pow_1, [-1], True), kwargs = {})
    %convert_element_type_3 : [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%add, torch.float32), kwargs = {})
    %add_1 : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mean, 1e-05), kwargs = {})
    %rsqrt : [num_users=1] = call_function[target=torch.ops.aten.rsqrt.default](args = (%add_1,), kwargs = {})
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%convert_element_type_3, %rsqrt), kwargs = {})
    %convert_element_type_4 : [num_users=1] = call_function[target=torch.ops.prims.convert_element_type.default](args = (%mul, torch.bfloat16), kwargs = {})
    %mul_1 : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%convert_element_type_4, %arg3_1), kwargs = {})
    return (mul_1, add)`)
  })

  test('a function that makes a tensor from sizes is called, torch.arange of a symbolic one too', () => {
    const graph = `class GraphModule(torch.nn.Module):
    def forward(self, s77: "Sym(s77)", L_x_: "f32[s77, 8][8, 1]cpu"):
        l_x_ = L_x_
        pos: "i64[s77][1]cpu" = torch.arange(s77);  s77 = None
        view: "i64[s77, 1][1, 1]cpu" = pos.view(-1, 1);  pos = None
        mul: "f32[s77, 8][8, 1]cpu" = l_x_ * view;  l_x_ = view = None
        return (mul,)
`
    const lines = lowered(graph).split('\n')
    expect(lines[3]).toContain('torch.ops.prims.iota.default](args = (%arg0_1,), kwargs = {start: 0, step: 1')
    expect(lines[5]).toContain('torch.ops.aten.mul.Tensor](args = (%arg1_1, %view)')
  })

  test('source lines stay with the operators they decompose into', () => {
    const w = workspace(DYNAMO)
    session.analyze(w)
    expect(session.lower()).toContain('# File: model.py:7 in forward, code: y=s.l(x)+res\n        permute')
  })

  test('ATen operators that Inductor decomposes are decomposed, and the user’s operators stay', () => {
    const text = lowered(
      `class f(torch.nn.Module):
    def forward(self, x_1: "bf16[48, 256]"):
        _to_copy: "f32[48, 256]" = torch.ops.aten._to_copy.default(x_1, dtype = torch.float32)
        silu: "f32[48, 256]" = torch.ops.aten.silu.default(_to_copy)
        mine: "f32[48, 256]" = torch.ops.mine.op.default(silu)
        return (mine,)
`,
      `import torch
lib = torch.library.Library("mine", "FRAGMENT")
lib.define("op(Tensor x) -> Tensor")
lib.impl("op", lambda x: torch.empty_like(x), "Meta")
`,
    )
    expect([...text.matchAll(/target=torch\.ops\.([\w.]+)/g)].map((m) => m[1])).toEqual([
      'prims.convert_element_type.default',
      'aten.neg.default',
      'aten.exp.default',
      'aten.add.Tensor',
      'aten.div.Tensor',
      'mine.op.default',
    ])
  })

  test.each([
    ['self.l(x_1)', /^The graph cannot be lowered: l calls the module self\.l, whose code is not in the graph\.$/],
    ['x_1.no_such(2)', /no_such/],
  ])('%s names the call', (call, message) => {
    const w = workspace(`class f(torch.nn.Module):
    def forward(self, x_1: "f32[4, 4]"):
        l: "f32[4, 4]" = ${call}
        return (l,)
`)
    session.analyze(w)
    expect(() => session.lower()).toThrow(message)
  })
})

describe('a graph recorded before Inductor’s decompositions', () => {
  const PATTERN = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
def search(x):
    return x.to(torch.float32) * 2
register_replacement(search, lambda x: x.to(torch.float32), [torch.empty(4, 4, dtype=torch.bfloat16)], fwd_only, patterns)
`
  const causes = (body: string, python = PATTERN) => {
    const w = workspace(
      `class f(torch.nn.Module):
    def forward(self, x_1: "bf16[4, 4]"):
        to: "f32[4, 4]" = ${body}
        mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(to, 2)
        return (mul,)
`,
      python,
    )
    return session.analyzeWhole(w).report.passes[0]!.causes!.map((c) => c.reason)
  }

  test.each([
    ['x_1.to(torch.float32)', 'torch', '.to'],
    ['torch.ops.aten._to_copy.default(x_1, dtype = torch.float32)', 'aten', 'aten._to_copy.default'],
  ])('%s is the cause, with its level', (call, level, target) => {
    expect(causes(call)).toEqual([
      {
        kind: 'graph-level',
        level,
        // Nothing here says that Dynamo recorded it.
        ...(level === 'torch' && { dynamo: false }),
        calls: [{ target, times: 1, node: 'to' }],
        patterns: 1,
      },
    ])
  })

  test('an operator that decomposes into others than the pattern’s is not a cause', () => {
    expect(causes('torch.ops.aten.silu.default(x_1)').map((r) => r.kind)).not.toContain('graph-level')
  })
})
