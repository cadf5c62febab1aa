/**
 * Covers each kind of cause that the listed failures (why_not.test.ts) omit, mostly on the 1400-node graph of a
 * 32-layer model: its RMSNorm pattern fires 65 times there until the graph or the pattern is changed as below.
 */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { CaseRunner, type CaseExplanation, type CaseInput } from '../cases/cases'
import type { Cause } from '../protocol'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const model = read('conformance/graphs/vllm_like32.readable.txt')
const preamble = read('src/explain/cases/preamble.py')

const rms = (last = 'w * n.to(BF16)', eps = '1e-6'): string => `
def search(x, w):
    f = x.to(torch.float32)
    v = f.pow(2).mean(-1, keepdim=True)
    n = f * torch.rsqrt(v + ${eps})
    return ${last}

INPUTS = [torch.empty(5, 4, dtype=BF16), torch.empty(4, dtype=BF16)]
`
const registered = `${rms()}\nregister(search, INPUTS)`
/** A few lines as a separate graph. */
const small = (inputs: string, ...lines: string[]): string =>
  `class G(torch.nn.Module):\n    def forward(self, ${inputs}):\n${lines.map((l) => `        ${l}`).join('\n')}`

interface KindCase extends Partial<Omit<CaseInput, 'id'>> {
  title: string
  python: string
  graph: string
  /** The first cause. */
  kind: Cause['kind']
  names: string[]
  argument?: string
  /** Anchors of the first near miss; 0 if the cause concerns none. */
  times: number
  /** Kinds that must be among the other causes. */
  also?: Cause['kind'][]
}

const cases: KindCase[] = [
  {
    title: 'the graph adds with a different overload',
    python: registered,
    graph: model.replace(/add\.Tensor\((mean\w*), 1e-06\)/g, 'add.Scalar($1, 1e-06)'),
    kind: 'wrong-overload',
    names: ['aten.add.Scalar', 'aten.add.Tensor'],
    times: 65,
  },
  {
    title: 'a different operator in the middle',
    python: registered,
    graph: model.replace(/aten\.rsqrt\./g, 'aten.sqrt.'),
    kind: 'wrong-operator',
    names: ['aten.sqrt.default', 'aten.rsqrt.default'],
    times: 65,
  },
  {
    title: 'a keyword argument that the graph does not pass',
    python: `${rms('w * n.to(BF16)', '1e-6').replace('v + 1e-6', 'aten.add.Tensor(v, 1e-6, alpha=2)')}\nregister(search, INPUTS)`,
    graph: model,
    kind: 'kwarg-missing',
    names: ['alpha'],
    argument: 'alpha',
    times: 65,
  },
  {
    title: 'a keyword argument renamed by a newer build',
    python: `
def search(x, out):
    return auto_functionalized(C.static_quant.default, result=out, input=x, scale=x)[1]

register(search, [torch.empty(5, 4), torch.empty(5, 4)])`,
    graph: small(
      'x: "f32[8, 4]", out: "f32[8, 4]"',
      'af = torch.ops.higher_order.auto_functionalized(torch.ops._C.static_quant.default, result = out, input = x, scales = x)',
      'getitem: "f32[8, 4]" = af[1]',
      'return (getitem,)',
    ),
    kind: 'kwarg-missing',
    names: ['scale', 'does not pass'],
    argument: 'scale',
    also: ['kwarg-extra'],
    times: 1,
  },
  {
    title: 'a list of a different length',
    python: `
def search(a, b):
    return torch.cat([a, b], 0).relu()

register(search, [torch.empty(5, 4), torch.empty(5, 4)])`,
    graph: model.replace(
      /( *)return \(/,
      '$1cat = torch.ops.aten.cat.default([mul_1, mul_3, mul_5])\n$1relu = torch.ops.aten.relu.default(cat)\n$1return (relu, ',
    ),
    kind: 'structure',
    names: ['3 items in the graph', '2 in the pattern'],
    times: 1,
  },
  {
    title: 'a dimension that only the pattern adds',
    python: `${rms('(w * n.to(BF16))[None]')}\nregister(search, INPUTS)`,
    graph: model,
    kind: 'missing-node',
    names: ['aten.unsqueeze.default', 'the graph has nothing there'],
    times: 65,
  },
  {
    title: 'one node of each match on a different stream',
    python: registered,
    graph: model,
    custom_meta: Object.fromEntries([...model.matchAll(/^ +(rsqrt\w*):/gm)].map((m) => [m[1]!, { stream: 1 }])),
    kind: 'stream-barrier',
    names: ['stream 1', 'stream 0', 'rsqrt'],
    times: 65,
  },
  {
    title: 'an extra_check that returns False',
    python: `${rms()}\nregister(search, INPUTS, extra_check=lambda match: False)`,
    graph: model,
    kind: 'extra-check',
    names: ['extra_check', 'False'],
    times: 65,
  },
  {
    title: 'a pattern that cannot be traced with the graph’s shapes',
    python: `${rms('(w * n.to(BF16)).view(2, 10)')}\nregister(search, INPUTS)`,
    graph: model.replace(
      /(mul_(\d+)): ("bf16\[48, 256\][^"]*") = (torch.ops.aten.mul.Tensor\(arg\d+_1, convert_element_type_\d+\))/g,
      'pre_$2: $3 = $4\n        $1: $3 = torch.ops.aten.view.default(pre_$2, [48, 256])',
    ),
    kind: 'retrace-error',
    names: ['re-trace raised', 'invalid for input of size 12288'],
    times: 65,
  },
  {
    title: 'a replacement that raises',
    python: `
def replace(x, w):
    if x.shape[0] == 48:
        raise ValueError('no kernel for 48 rows')
    return w * x
${rms()}
register(search, INPUTS, replace)`,
    graph: model,
    kind: 'replacement-error',
    names: ['no kernel for 48 rows', 'the pass ends there'],
    times: 0,
  },
  {
    title: 'a root that the graph does not have',
    python: `
def search(x, w):
    return C.norm(x + w, w, 1e-5)

register(search, [torch.empty(5, 4), torch.empty(4)])`,
    graph: model,
    kind: 'root-absent',
    names: ['never tried', '_C.norm.default'],
    times: 0,
  },
  {
    title: 'two exclusive arguments with the same value',
    python: `
def search(a, b):
    return (a * b).relu()

register(search, [torch.empty(5, 4), torch.empty(5, 4)], exclusive_arg_names=("a", "b"))`,
    graph: small(
      'x: "f32[8, 4]"',
      'mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(x, x)',
      'relu: "f32[8, 4]" = torch.ops.aten.relu.default(mul)',
      'return (relu,)',
    ),
    kind: 'exclusive-argument',
    names: ['a and b', 'both are x'],
    argument: 'b',
    times: 1,
  },
  {
    title: 'a wrong constant before an outside user that is dead code',
    python: `${rms('w * n.to(BF16)', '1e-5')}\nregister(search, INPUTS)`,
    graph: model.replace(/^( +)(rsqrt(\w*)): .*$/gm, '$&\n$1dead$3 = torch.ops.aten.neg.default($2)'),
    kind: 'constant',
    names: ['1e-06'],
    also: ['escaping-intermediate'],
    times: 65,
  },
  {
    title: 'a cast on one side of a value concatenated with itself',
    python: `
def search(x):
    return torch.cat([x, x], 1).relu().sin().exp().tanh()

register(search, [torch.empty(5, 4)])`,
    graph: small(
      'x: "f32[8, 4]"',
      'up: "f64[8, 4]" = torch.ops.prims.convert_element_type.default(x, torch.float64)',
      'down: "f32[8, 4]" = torch.ops.prims.convert_element_type.default(up, torch.float32)',
      'cat: "f32[8, 8]" = torch.ops.aten.cat.default([down, x], 1)',
      'relu: "f32[8, 8]" = torch.ops.aten.relu.default(cat)',
      'sin: "f32[8, 8]" = torch.ops.aten.sin.default(relu)',
      'exp: "f32[8, 8]" = torch.ops.aten.exp.default(sin)',
      'tanh: "f32[8, 8]" = torch.ops.aten.tanh.default(exp)',
      'return (tanh,)',
    ),
    kind: 'inserted-node',
    names: ['up and down', 'one input of cat', 'expand and clone instead of cat'],
    times: 1,
  },
  {
    title: 'operators that Inductor fuses before the pass runs',
    python: `
def search(x, w, b):
    return torch.relu(x @ w + b)

register(search, [torch.empty(4, 8), torch.empty(8, 8), torch.empty(8)])`,
    graph: small(
      'x: "f32[16, 8]", w: "f32[8, 8]", b: "f32[8]"',
      'addmm_default: "f32[16, 8]" = torch.ops.aten.addmm.default(b, x, w)',
      'relu: "f32[16, 8]" = torch.ops.aten.relu.default(addmm_default)',
      'return (relu,)',
    ),
    kind: 'decomposed',
    names: ['aten.addmm.default (addmm_default)', 'aten.mm.default and aten.add.Tensor', 'Inductor fuses'],
    times: 1,
  },
  {
    title: 'attention that Inductor’s own patterns replaced',
    python: `
def search(q, k, v):
    return torch.matmul(torch.softmax(torch.matmul(q, k.transpose(-2, -1)) * 0.125, dim=-1), v)

register(search, [torch.empty(2, 4, 5, 64)] * 3)`,
    graph: small(
      'q: "f32[2, 4, 16, 64]", k: "f32[2, 4, 16, 64]", v: "f32[2, 4, 16, 64]"',
      'attention = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default(q, k, v, scale = 0.125)',
      'getitem: "f32[2, 4, 16, 64]" = attention[0]',
      'return (getitem,)',
    ),
    kind: 'decomposed',
    names: ['_scaled_dot_product_flash_attention_for_cpu.default (attention)', 'Inductor’s own attention patterns'],
    times: 0,
  },
  {
    title: 'a tensor constant of integers',
    python: `
def search(x):
    return torch.relu(x * torch.tensor([2, 3]))

register(search, [torch.empty(4, 2)])`,
    graph: small(
      'x: "f32[16, 2]"',
      '_tensor_constant0: "i64[2]" = self._tensor_constant0',
      'lift_fresh_copy: "i64[2]" = torch.ops.aten.lift_fresh_copy.default(_tensor_constant0)',
      'mul: "f32[16, 2]" = torch.ops.aten.mul.Tensor(x, lift_fresh_copy)',
      'relu: "f32[16, 2]" = torch.ops.aten.relu.default(mul)',
      'return (relu,)',
    ),
    get_attr_values: { _tensor_constant0: 'tensor([2, 5])' },
    kind: 'constant',
    names: ['_tensor_constant0 is torch.tensor([2, 5], dtype=torch.int64) in the graph', '([2, 3], dtype=torch.int64)'],
    times: 1,
  },
  {
    title: 'three nodes before the only remaining node of the pattern',
    python: `
def search(x, w):
    f = x.to(torch.float32)
    return f * w

register(search, [torch.empty(4, 4, dtype=BF16), torch.empty(4)])`,
    graph: small(
      'x: "bf16[4, 4]", w: "f32[4]"',
      'convert: "f32[4, 4]" = torch.ops.prims.convert_element_type.default(x, torch.float32)',
      'permute: "f32[4, 4]" = torch.ops.aten.permute.default(convert, [1, 0])',
      'sin: "f32[4, 4]" = torch.ops.aten.sin.default(permute)',
      'permute_1: "f32[4, 4]" = torch.ops.aten.permute.default(sin, [1, 0])',
      'mul: "f32[4, 4]" = torch.ops.aten.mul.Tensor(permute_1, w)',
      'return (mul,)',
    ),
    kind: 'inserted-node',
    names: ['permute, sin and permute_1', 'convert'],
    times: 1,
  },
  {
    title: 'a missing last step that the graph has elsewhere',
    python: `
def search(x, w):
    return torch.tanh(torch.sigmoid(x) + w) * 2.0

register(search, [torch.empty(4, 8), torch.empty(8)])`,
    graph: small(
      'x: "f32[16, 8]", w: "f32[8]"',
      'mul: "f32[16, 8]" = torch.ops.aten.mul.Tensor(x, 1.5)',
      'sigmoid: "f32[16, 8]" = torch.ops.aten.sigmoid.default(mul)',
      'add: "f32[16, 8]" = torch.ops.aten.add.Tensor(sigmoid, w)',
      'tanh: "f32[16, 8]" = torch.ops.aten.tanh.default(add)',
      'return (tanh,)',
    ),
    kind: 'missing-node',
    names: ['aten.mul.Tensor after the value that is tanh in the graph'],
    times: 1,
  },
]

describe('a cause of each kind', () => {
  let runner: CaseRunner
  beforeAll(async () => {
    runner = await CaseRunner.create(nodeAssets())
  }, 120_000)

  const explain = ({
    python,
    graph,
    ...recorded
  }: Pick<KindCase, 'python' | 'graph' | 'custom_meta' | 'get_attr_values'>): CaseExplanation =>
    runner.explain({ ...recorded, id: 'kind', pattern_py: `${preamble}\n${python}`, graph })

  it.each(cases)('$kind: $title', (c) => {
    const e = explain(c)
    expect(e.error).toBeNull()
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
    expect(e.error).toBeNull()
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
