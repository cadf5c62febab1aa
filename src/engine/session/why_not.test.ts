/**
 * Runs the real failures listed for the product (src/explain/cases) through the whole engine: the first cause must be
 * the expected one. The test is not in src/explain, which has neither Python nor passes.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { type CaseExplanation, explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'
import type { Cause } from '../protocol'

interface WhyNotCase {
  id: number
  title: string
  /** Python code after the preamble. */
  pattern: string
  /** Placeholders, with their types as print_readable writes them. */
  inputs: Record<string, string>
  body: string
  returns: string
  kind: string
  /** Parts that the first cause's sentence must contain. */
  names: string[]
  argument: string | null
  /** True to put the case after hundreds of nodes of a model. */
  deep: boolean
}

const data = (name: string): string => readFileSync(new URL(`../../explain/cases/${name}`, import.meta.url), 'utf8')
const cases = JSON.parse(data('why_not.json')) as WhyNotCase[]
const preamble = data('preamble.py')

/** Forty layers of a small gated MLP with a norm: 400 nodes unrelated to the case. */
function layers(count: number): string[] {
  const out: string[] = []
  let x = 'model_in'
  const put = (name: string, shape: string, call: string): string => {
    out.push(`${name}: "f32${shape}" = torch.ops.aten.${call}`)
    return name
  }
  for (let i = 0; i < count; i++) {
    const n = (part: string): string => `l${i}_${part}`
    const square = put(n('pow'), '[4, 32]', `pow.Tensor_Scalar(${x}, 2)`)
    const mean = put(n('mean'), '[4, 1]', `mean.dim(${square}, [-1], True)`)
    const rsqrt = put(n('rsqrt'), '[4, 1]', `rsqrt.default(${mean})`)
    const normed = put(n('normed'), '[4, 32]', `mul.Tensor(${x}, ${rsqrt})`)
    const t = put(n('t'), '[32, 32]', 'permute.default(model_w, [1, 0])')
    const gate = put(n('mm'), '[4, 32]', `mm.default(${normed}, ${t})`)
    const act = put(n('act'), '[4, 32]', `gelu.default(${gate})`)
    const gated = put(n('gated'), '[4, 32]', `mul.Tensor(${act}, ${normed})`)
    const down = put(n('down'), '[4, 32]', `mm.default(${gated}, ${t})`)
    x = put(n('out'), '[4, 32]', `add.Tensor(${x}, ${down})`)
  }
  return out
}

function graphOf(c: WhyNotCase): string {
  const inputs = { ...c.inputs, ...(c.deep ? { model_in: 'f32[4, 32]', model_w: 'f32[32, 32]' } : {}) }
  const params = Object.entries(inputs).map(([name, type]) => `${name}: "${type}"`)
  const lines = [...(c.deep ? layers(40) : []), ...c.body.split('\n').filter((l) => l.trim() !== '')]
  const returns = c.deep ? `${c.returns}, l39_out` : c.returns
  return [
    'class GraphModule(torch.nn.Module):',
    `    def forward(self, ${params.join(', ')}):`,
    ...lines.map((l) => `        ${l}`),
    `        return (${returns},)`,
  ].join('\n')
}

describe('why a pattern did not fire', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  const explain = (c: WhyNotCase): CaseExplanation =>
    explainCase(interpreter, { id: String(c.id), pattern_py: `${preamble}\n${c.pattern}`, graph: graphOf(c) })

  const first = (e: CaseExplanation): Cause | undefined => {
    const early = e.causes[0]
    const miss = e.passes.flatMap((p) => p.nearMisses)[0]
    return early ?? miss?.causes?.[0] ?? e.passes.flatMap((p) => p.causes)[0]
  }

  it.each(cases)('$id: $title', (c) => {
    const explained = explain(c)
    expect(explained.passes.map((p) => p.count)).toEqual(explained.passes.map(() => 0))
    const cause = first(explained)
    expect(cause?.kind, JSON.stringify(explained, null, 1).slice(0, 3000)).toBe(c.kind)
    for (const name of c.names) expect(cause?.sentence).toContain(name)
    if (c.argument !== null) expect(cause?.argument).toBe(c.argument)
  })

  it('27: an input defined after the insertion point: the pattern fires, and the resulting graph is invalid', () => {
    const explained = explain({
      id: 27,
      title: '',
      pattern: `
def search(x, w, r):
    a = torch.relu(x)
    return a * w, a + r

def replace(x, w, r):
    a = torch.sigmoid(x)
    return a * w, a + r

register(search, [torch.empty(4, 8), torch.empty(4, 8), torch.empty(4, 8)], replace)`,
      inputs: { x: 'f32[16, 64]', w: 'f32[16, 64]' },
      body: `relu: "f32[16, 64]" = torch.ops.aten.relu.default(x)
mul: "f32[16, 64]" = torch.ops.aten.mul.Tensor(relu, w)
sin: "f32[16, 64]" = torch.ops.aten.sin.default(w)
add: "f32[16, 64]" = torch.ops.aten.add.Tensor(relu, sin)`,
      returns: 'mul, add',
      kind: 'other',
      names: [],
      argument: null,
      deep: true,
    })
    expect(explained.passes[0]!.count).toBe(1)
    const lint = explained.passes[0]!.lints.find((l) => l.kind === 'used-before-defined')
    expect(lint?.sentence).toContain('sin')
  })
})
