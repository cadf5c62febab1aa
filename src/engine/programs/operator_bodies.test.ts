/** Tests programs that call user operators, which run as their Python bodies. */
import { beforeAll, describe, expect, it } from 'vitest'
import { runPrograms } from '../../gpu/run/run'
import { runGraph } from '../../gpu/run/run_graph'
import type { RunReport } from '../../gpu/types'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import { createSession, type Session } from '../session/session'

const HEAD = `import torch
from torch import Tensor
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
patterns = PatternMatcherPass()
`
const GRAPH = `class M(torch.nn.Module):
    def forward(self, x: "bf16[8, 32]"):
        slice_1: "bf16[8, 16]" = torch.ops.aten.slice.Tensor(x, 1, 0, 16)
        slice_2: "bf16[8, 16]" = torch.ops.aten.slice.Tensor(x, 1, 16, 9223372036854775807)
        sigmoid: "bf16[8, 16]" = torch.ops.aten.sigmoid.default(slice_1)
        mul: "bf16[8, 16]" = torch.ops.aten.mul.Tensor(sigmoid, slice_2)
        return (mul,)
`
const SEARCH = `
def search(x):
    return torch.sigmoid(x[:, :16]) * x[:, 16:]
`
const register = (replace: string): string =>
  `${SEARCH}register_replacement(search, ${replace}, [torch.empty(8, 32, dtype=torch.bfloat16)], fwd_only, patterns)\n`

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

async function run(files: string): Promise<RunReport> {
  const workspace = { name: '', graph: { name: 'g', text: GRAPH }, files: [{ name: 'p.py', text: HEAD + files }] }
  const { report } = session.analyze(workspace as Workspace)
  expect(report.python?.traceback).toBeUndefined()
  expect(report.passes[0]!.count).toBe(1)
  const options = { device: 'reference', tokens: 4 } as const
  const [nothing, { signal }] = [() => undefined, new AbortController()]
  const whole = await runGraph(session.graphProgram(), options, nothing, signal)
  const match = await runPrograms(session.program('patterns', 0), options, nothing, signal)
  expect(whole.verdict.kind).toBe(match.verdict.kind)
  return match
}

describe('an operator of the user', () => {
  it('is computed by the body of custom_op', async () => {
    const operator = (body: string): string => `
@torch.library.custom_op("mine::gate", mutates_args=())
def gate(x: Tensor, half: int) -> Tensor:
    ${body}
@gate.register_fake
def _(x, half):
    return x.new_empty(x.shape[0], half)
`
    const replace = register('lambda x: torch.ops.mine.gate(x, 16)')
    const right = await run(operator('return torch.sigmoid(x[:, :half]) * x[:, half:]') + replace)
    expect([right.problems, right.verdict.kind]).toEqual([[], 'equal'])
    const wrong = await run(operator('return x[:, :half] * torch.sigmoid(x[:, half:])') + replace)
    expect([wrong.problems, wrong.verdict.kind]).toEqual([[], 'different'])
  })

  it('is computed by the function of Library.impl that writes to its argument, and by operators that this one calls', async () => {
    const text = `
lib = torch.library.Library("mine", "DEF")
lib.define("half(Tensor x, int at) -> Tensor")
lib.impl("half", lambda x, at: torch.sigmoid(x[:, :at]), "CUDA")
lib.define("gate_out(Tensor(a!) out, Tensor x) -> ()")
def gate_out(out, x):
    out.copy_(torch.ops.mine.half(x, 16))
    out.mul_(x[:, 16:])
lib.impl("gate_out", gate_out, "CUDA")
torch.library.register_fake("mine::half", lambda x, at: x.new_empty(x.shape[0], at), lib=lib)
torch.library.register_fake("mine::gate_out", lambda out, x: None, lib=lib)
`
    const plain = `
def replace(x):
    out = torch.empty(x.shape[0], 16, dtype=x.dtype)
    torch.ops.mine.gate_out(out, x)
    return out
`
    const functional = `
from torch._higher_order_ops.auto_functionalize import auto_functionalized
def replace(x):
    out = torch.empty(x.shape[0], 16, dtype=x.dtype)
    return auto_functionalized(torch.ops.mine.gate_out.default, out=out, x=x)[1]
`
    for (const replace of [plain, functional]) {
      const { problems, verdict } = await run(text + replace + register('replace'))
      expect([problems, verdict.kind]).toEqual([[], 'equal'])
    }
  })

  it('is named with the line at which its body cannot be traced', async () => {
    const text = `
@torch.library.custom_op("mine::gate", mutates_args=())
def gate(x: Tensor) -> Tensor:
    if x.sum().item() > 0:
        return x[:, :16]
    return x[:, 16:]
gate.register_fake(lambda x: x.new_empty(x.shape[0], 16))
`
    const { problems } = await run(text + register('lambda x: torch.ops.mine.gate(x)'))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(
      /^cannot run: no kernel for mine\.gate\.default, and its body cannot be traced at p\.py:8: /,
    )
  })
})
