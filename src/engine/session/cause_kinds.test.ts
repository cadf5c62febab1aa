/** Covers each kind of cause that the listed failures (why_not.test.ts) omit. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { type CaseExplanation, explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import { KIND_CASES, model, preamble, registered, rms, small, type KindCase } from './testing/kind_cases'

describe('a cause of each kind', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  }, 120_000)

  const explain = ({
    python,
    graph,
    ...recorded
  }: Pick<KindCase, 'python' | 'graph' | 'custom_meta' | 'get_attr_values'>): CaseExplanation =>
    explainCase(interpreter, { ...recorded, id: 'kind', pattern_py: `${preamble}\n${python}`, graph })

  it.each(KIND_CASES)('$kind: $title', (c) => {
    const e = explain(c)
    expect(e.python).toBeNull()
    const misses = e.passes.flatMap((p) => p.nearMisses)
    const causes = [...(misses[0]?.causes ?? []), ...e.passes.flatMap((p) => p.causes)]
    const told = JSON.stringify(causes, null, 1).slice(0, 3000)
    const first = causes[0]
    expect(first?.kind, told).toBe(c.kind)
    for (const name of c.names) expect(first!.sentence).toContain(name)
    if (c.argument !== undefined) expect(first!.argument).toBe(c.argument)
    expect(misses[0]?.count ?? 0).toBe(c.times)
    expect(causes.map((x) => x.kind)).toEqual(expect.arrayContaining([...(c.also ?? [])]))
    // A cause about two nodes names both, and the source line.
    if (first!.patternNode !== null) {
      expect(first!.source?.line).toBeGreaterThan(preamble.split('\n').length - 1)
      expect([first!.expected, first!.found]).not.toContain(null)
    }
  })

  it('taken: the variant that does not fit names the one that replaced its nodes', () => {
    const variant = (name: string, eps: string): string =>
      `${rms('w * n.to(BF16)', eps)}\nregister(search, INPUTS)`.replaceAll('search', name)
    const e = explain({ python: `${variant('wide', '1e-5')}\n${variant('exact', '1e-6')}`, graph: model })
    expect(e.python).toBeNull()
    expect(e.passes[0]!.count).toBe(65)
    expect(e.passes[0]!.nearMisses).toHaveLength(1)
    expect(e.passes[0]!.nearMisses[0]).toMatchObject({ entry: 0, count: 65, taken: true })
    expect(e.passes[0]!.nearMisses[0]!.causes).toMatchObject([{ kind: 'taken', found: 'exact' }])
  })

  it('reports nothing for patterns that fire at every intended anchor', () => {
    const e = explain({ python: registered, graph: model })
    expect(e.passes[0]).toMatchObject({ count: 65, nearMisses: [], causes: [] })
  })

  it('omits anchors where more differs than aligns, once the pattern fires', () => {
    const python = `
def search(x, w):
    return w * torch.rsqrt(x) + x

register(search, [torch.empty(4, 8), torch.empty(8)])`
    const e = explain({
      python,
      graph: small(
        'x: "f32[16, 8]", w: "f32[8]"',
        'rsqrt: "f32[16, 8]" = torch.ops.aten.rsqrt.default(x)',
        'mul: "f32[16, 8]" = torch.ops.aten.mul.Tensor(w, rsqrt)',
        'add: "f32[16, 8]" = torch.ops.aten.add.Tensor(mul, x)',
        'sum_1: "f32[16, 1]" = torch.ops.aten.sum.dim_IntList(add, [-1], True)',
        'rsqrt_1: "f32[16, 1]" = torch.ops.aten.rsqrt.default(sum_1)',
        'normed: "f32[16, 8]" = torch.ops.aten.mul.Tensor(add, rsqrt_1)',
        'sin: "f32[16, 8]" = torch.ops.aten.sin.default(normed)',
        'gated: "f32[16, 8]" = torch.ops.aten.mul.Tensor(sin, normed)',
        'mm: "f32[16, 8]" = torch.ops.aten.mm.default(gated, gated)',
        'out: "f32[16, 8]" = torch.ops.aten.add.Tensor(add, mm)',
        'return (out,)',
      ),
    })
    expect(e.passes[0]).toMatchObject({ count: 1, nearMisses: [] })
  })

  it('explains a search function without operators', () => {
    const e = explain({
      python: `
def search(x):
    return torch.nn.functional.dropout(x, 0.0)

register(search, [torch.empty(4, 8)], lambda x: x * 2)`,
      graph: small('x: "f32[4, 8]"', 'relu: "f32[4, 8]" = torch.ops.aten.relu.default(x)', 'return (relu,)'),
    })
    expect(e.causes[0]).toMatchObject({ kind: 'structure' })
    expect(e.causes[0]!.sentence).toContain('traces to no operator')
  })
})
