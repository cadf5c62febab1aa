/** Tests the numeric comparison of fixes that fire. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import type { Fix } from '../protocol'

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass()
`
const graph = (inputs: string, ...lines: string[]): string =>
  ['class M(torch.nn.Module):', `    def forward(self, ${inputs}):`, ...lines.map((l) => `        ${l}`), ''].join('\n')

describe('numeric check of a fix', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })
  const found = (pattern: string, text: string): { fixes: Fix[]; tried: Fix[] } => {
    const e = explainCase(interpreter, { id: '', pattern_py: HEAD + pattern, graph: text }, { fixes: true })
    const causes = [
      ...e.causes,
      ...e.passes.flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.causes]),
    ]
    return { fixes: causes.flatMap((c) => c.fixes ?? []), tried: causes.flatMap((c) => c.tried ?? []) }
  }

  const halves = graph(
    'x: "bf16[8, 32]"',
    'slice_1: "bf16[8, 16]" = torch.ops.aten.slice.Tensor(x, 1, 0, 16)',
    'sigmoid: "bf16[8, 16]" = torch.ops.aten.sigmoid.default(slice_1)',
    'slice_2: "bf16[8, 16]" = torch.ops.aten.slice.Tensor(x, 1, 16, 32)',
    'mul: "bf16[8, 16]" = torch.ops.aten.mul.Tensor(slice_2, sigmoid)',
    'relu: "bf16[8, 16]" = torch.ops.aten.relu.default(mul)',
    'return (relu,)',
  )

  it('reports equal numerics for swapped operands of a product', () => {
    const { fixes, tried } = found(
      `
def search(x):
    return torch.relu(torch.sigmoid(x[:, :16]) * x[:, 16:])
def replace(x):
    return torch.relu(x[:, 16:] * torch.sigmoid(x[:, :16]))
register_replacement(search, replace, [torch.empty(8, 32, dtype=torch.bfloat16)], fwd_only, patterns)
`,
      halves,
    )
    expect(fixes.map((f) => [f.numbers, f.verified])).toEqual([['equal', true]])
    expect(fixes[0]!.numbersDetail).toMatchObject({ kinds: 1, compared: 1, operator: null, reason: null })
    expect(fixes[0]!.numbersDetail.inputs).toContain('outliers')
    expect(tried).toEqual([])
  })

  it('rejects a fix after which only the search function uses the other half', () => {
    const { fixes, tried } = found(
      `
def search(x):
    return torch.relu(x[:, :16] * torch.sigmoid(x[:, 16:]))
def replace(x):
    up, gate = x.chunk(2, dim=-1)
    return torch.relu(up * torch.sigmoid(gate))
register_replacement(search, replace, [torch.empty(8, 32, dtype=torch.bfloat16)], fwd_only, patterns)
`,
      halves,
    )
    expect(fixes).toEqual([])
    expect(tried.length).toBeGreaterThan(0)
    for (const fix of tried) {
      expect([fix.numbers, fix.verified]).toEqual(['different', false])
      expect(fix.numbersDetail).toMatchObject({ output: 'relu', input: 'normal' })
      expect(fix.numbersDetail.reason).toMatch(/^Not equal: relu .* The replacement needs the same change/)
    }
  })

  it('skips the comparison and names the operator without a definition', () => {
    const { fixes } = found(
      `
lib = torch.library.Library("mine", "DEF")
lib.define("fused(Tensor x) -> Tensor")
torch.library.register_fake("mine::fused", lambda x: torch.empty_like(x), lib=lib)
def search(x, y):
    return torch.relu(x * y)
def replace(x, y):
    return torch.ops.mine.fused(x * y)
register_replacement(search, replace, [torch.empty(8, 16), torch.empty(8, 16)], fwd_only, patterns)
`,
      graph(
        'x: "bf16[8, 16]", y: "bf16[8, 16]"',
        'mul: "bf16[8, 16]" = torch.ops.aten.mul.Tensor(x, y)',
        'relu: "bf16[8, 16]" = torch.ops.aten.relu.default(mul)',
        'return (relu, mul)',
      ),
    )
    expect(fixes.map((f) => [f.numbers, f.verified, f.numbersDetail.operator])).toEqual([
      ['unknown', true, 'mine.fused.default'],
    ])
  })

  it('computes an operator of the user by its body, or names the line at which the body cannot be traced', () => {
    const pattern = (body: string): string => `
@torch.library.custom_op("mine::relu_mul", mutates_args=())
def relu_mul(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return ${body}
relu_mul.register_fake(lambda x, y: torch.empty_like(x))
def search(x, y):
    return torch.relu(x * y)
def replace(x, y):
    return torch.ops.mine.relu_mul(x, y)
register_replacement(search, replace, [torch.empty(8, 16), torch.empty(8, 16)], fwd_only, patterns)
`
    const text = graph(
      'x: "bf16[8, 16]", y: "bf16[8, 16]"',
      'mul: "bf16[8, 16]" = torch.ops.aten.mul.Tensor(x, y)',
      'relu: "bf16[8, 16]" = torch.ops.aten.relu.default(mul)',
      'return (relu, mul)',
    )
    const numbers = ({ fixes, tried }: { fixes: Fix[]; tried: Fix[] }) =>
      [...fixes, ...tried].map((f) => [f.numbers, f.numbersDetail.operator, f.numbersDetail.untraced])
    expect(numbers(found(pattern('torch.relu(x * y)'), text))).toEqual([['equal', null, undefined]])
    for (const [verdict] of numbers(found(pattern('torch.relu(x + y)'), text))) expect(verdict).toBe('different')
    const [[verdict, operator, untraced] = []] = numbers(found(pattern('x * y if x.max().item() > 0 else y'), text))
    expect([verdict, operator]).toEqual(['unknown', 'mine.relu_mul.default'])
    expect(untraced).toMatch(/^its body cannot be traced at user_pattern\.py:8: /)
  })

  it('divides the sizes of large weights, and numbers among the arguments that equal a size', () => {
    const { fixes } = found(
      `
def search(x, w):
    return torch.relu(x @ w)[:, :2048] * 0.25
def replace(x, w):
    return torch.relu(x @ w[:, :2048]) * 0.5
register_replacement(search, replace, [torch.empty(4, 16), torch.empty(16, 4096)], fwd_only, patterns)
`,
      graph(
        'x: "f32[s72, 4096]", w: "f32[4096, 4096]"',
        'mm: "f32[s72, 4096]" = torch.ops.aten.mm.default(x, w)',
        'relu: "f32[s72, 4096]" = torch.ops.aten.relu.default(mm)',
        'slice_1: "f32[s72, 2048]" = torch.ops.aten.slice.Tensor(relu, 1, 0, 2048)',
        'mul: "f32[s72, 2048]" = torch.ops.aten.mul.Tensor(slice_1, 0.5)',
        'return (mul,)',
      ),
    )
    expect(
      fixes.map((f) => [f.numbers === 'unknown' || f.numbers === 'different', f.numbersDetail.sizesDividedBy]),
    ).toEqual([[false, 16]])
  })
})
