import { beforeAll, describe, expect, it } from 'vitest'
import { fused, graph } from '../../../engine/queries/testing/report_fixture'
import { completions } from './complete'
import { countTerms, findNodes, type FindContext } from './find'
import { fetchPatterns, usePatterns } from './patterns'

beforeAll(fetchPatterns)
const find = (at: FindContext, query: string) => findNodes(at, query, usePatterns.getState().compile)

const g = graph(`
    mm_1 aten.mm.default
    x placeholder
    addmm aten.addmm.default x mm_1
    mm aten.mm.default addmm x
    quant auto_functionalized mm
    out output quant`)
Object.assign(g.nodes[0]!, {
  dtype: 'bf16',
  shape: '[48, 256]',
  device: 'cuda:0',
  source: { file: '/src/act.py', line: 42 },
})
Object.assign(g.nodes[3]!, {
  dtype: 'f32',
  shape: '[2, 48, 256]',
  args: ['addmm', '1e-06'],
  kwargs: [['out_dtype', 'torch.float32']],
})
Object.assign(g.nodes[4]!, { inner: '_C.static_scaled_fp8_quant.default' })
g.outline = [
  {
    id: 0,
    parent: null,
    perParent: 1,
    label: 'layer',
    instances: [
      [0, 2],
      [3, 4],
    ],
    differs: [],
  },
  { id: 1, parent: 0, perParent: 1, label: 'MLP', instances: [[2], [3]], differs: [] },
]
const context: FindContext = { graph: g, side: 'before', report: null }

const names = (query: string, at = context): string[] => {
  const result = find(at, query)
  return result.ok ? result.value.map((n) => n.name) : [result.error]
}

describe('findNodes', () => {
  it('puts the exact name first, then names, then targets', () => {
    expect(names('%mm')).toEqual(['mm', 'mm_1', 'addmm'])
    expect(names('aten.mm')).toEqual(['mm_1', 'mm'])
    expect(names('aten::mm')).toEqual(['mm_1', 'mm'])
    expect(names(' ')).toEqual([])
  })
  it.each([
    ['op:mm', ['mm_1', 'mm']],
    ['op:torch.ops.aten.mm', ['mm_1', 'mm']],
    ['op:*mm', ['mm_1', 'addmm', 'mm']],
    ['op:*quant', ['quant']],
    ['op:placeholder', ['x']],
    ['dtype:torch.bfloat16', ['mm_1']],
    ['shape:[*,256]', ['mm_1']],
    ['shape:[...,256]', ['mm_1', 'mm']],
    ['shape:48', ['mm_1', 'mm']],
    ['device:cuda', ['mm_1']],
    ['arg:out_dtype=torch.float32 arg:1e-06', ['mm']],
    ['users>1', ['x']],
    ['inputs:2 -op:addmm', ['mm']],
    ['line:act.py:42', ['mm_1']],
    ['line:42', ['mm_1']],
    ['line:other.py', []],
    ['in:layer1', ['mm', 'quant']],
    ['in:"layer 1" in:mlp', ['mm']],
    ['in:layer -in:mlp0', ['mm_1', 'mm', 'quant']],
    ['in:layer7', []],
    ['near:quant~1', ['mm', 'quant', 'out']],
    ['path:quant~x', ['x', 'addmm', 'mm', 'quant']],
    ['/^a.*MM$/', ['addmm']],
    ['name:mm*', ['mm_1', 'mm']],
    ['"mm_1"', ['mm_1']],
  ])('%s', (query, expected) => expect(names(query)).toEqual(expected))

  it('knows the matches of the report', () => {
    const report = fused()
    const before: FindContext = { graph: report.graph, side: 'before', report }
    expect(names('matched:*', before)).toEqual(['relu', 'neg'])
    expect(names('matched:no', before)).toEqual(['x', 'out'])
    expect(names('matched:A', before)).toEqual(['relu', 'neg'])
    expect(names('matched:*', { graph: report.after!, side: 'after', report })).toEqual(['fused'])
  })

  it('says what a term expects', () => {
    expect(names('opp:mm')[0]).toMatch(/^"opp" is not a key\. The keys are name, op, /)
    expect(names('users:many')).toEqual(['users is compared with a number, as in users>1; "many" is not a number.'])
    expect(names('op>3')).toEqual(['op takes ":", not ">". Only users and inputs are compared.'])
    expect(names('dtype:')[0]).toMatch(/^dtype: needs a value/)
    expect(names('/(/')).toEqual(['/(/ is not an expression of RE2: missing closing ): `(`.'])
    expect(names('/(?=m)/')).toEqual([
      '/(?=m)/ is not an expression of RE2: invalid or unsupported Perl syntax: `(?=`.',
    ])
    expect(names('near:nowhere')).toEqual(['No node is named nowhere.'])
    expect(names('path:x')).toEqual(['path takes two nodes, as in path:x~mm_3; found "x".'])
    expect(names('path:x~mm_1')).toEqual(['No path leads from x to mm_1, nor back.'])
  })

  it('does not hold the page for a query that a link brings', () => {
    const long = { ...context.graph.nodes[0]!, name: 'a'.repeat(40) }
    const of = (node: typeof long, n = 1000): FindContext => ({
      ...context,
      graph: { ...context.graph, nodes: Array<typeof long>(n).fill(node) },
    })
    // The browser's own expressions would take hours for each of these.
    for (const query of ['/(a+)+b/', '/(a|a)*$b/', `name:${'*a'.repeat(30)}b`, `op:${'*a'.repeat(30)}b`])
      expect([query, find(of(long), query)]).toEqual([query, { ok: true, value: [] }])
    expect(find(of({ ...long, name: 'ab'.repeat(50_000) }), '/(a|b)*(a|b)*(a|b)*c/')).toEqual({ ok: true, value: [] })
    expect(find(of(long), '/(a{1000}){1000}/')).toMatchObject({ ok: false })
  })

  it('counts what each term of a query finds alone', () => {
    expect(countTerms(context, 'op:mm -dtype:bf16 users>7', usePatterns.getState().compile)).toEqual([
      { term: 'op:mm', nodes: 2 },
      { term: '-dtype:bf16', nodes: 5 },
      { term: 'users>7', nodes: 0 },
    ])
  })

  it('finds what a pass added in the layer of the nodes that it replaced', () => {
    const report = fused()
    report.graph.outline = [
      { id: 0, parent: null, perParent: 1, label: 'layer', instances: [[0], [1, 2]], differs: [] },
    ]
    const after: FindContext = { graph: report.after!, side: 'after', report }
    expect(names('in:layer1', after)).toEqual(['fused'])
    expect(completions(after, 'in:layer').map((c) => c.text)).toContain('in:layer1')
  })
})

it('tells the layers of two stacks apart', () => {
  const chain = graph(`
    a0 aten.relu.default
    a1 aten.relu.default a0
    b0 aten.neg.default a1
    b1 aten.neg.default b0`)
  const group = (id: number, instances: number[][]) => ({
    ...{ id, parent: null, perParent: 0, label: 'layer', instances, differs: [] },
  })
  chain.outline = [group(0, [[2], [3]]), group(1, [[0], [1]])]
  const stacked: FindContext = { graph: chain, side: 'before', report: null }
  expect(names('in:layer1', stacked)).toEqual(['a1', 'b1'])
  expect(names('in:stack1 in:layer1', stacked)).toEqual(['b1'])
  expect(names('in:stack0', stacked)).toEqual(['a0', 'a1'])
  expect(completions(stacked, 'in:sta').map((c) => c.text)).toEqual(['in:stack1', 'in:stack0'])
})

it('finds nodes by module, which the names of parameters tell', () => {
  const modules = graph(`
    w placeholder
    v placeholder
    up aten.mm.default w
    act aten.relu.default up
    down aten.mm.default act v
    out output down`)
  modules.nodes[0]!.target = 'L_self_modules_layers_modules_3_modules_mlp_modules_up_parameters_weight_'
  modules.nodes[1]!.target = 'L_self_modules_layers_modules_3_modules_mlp_modules_down_parameters_weight_'
  const named = { graph: modules, side: 'before', report: null } as const
  const found = (query: string): unknown => {
    const result = find(named, query)
    return result.ok && result.value.map((n) => n.name)
  }
  expect(found('module:layers.3.mlp op:aten*')).toEqual(['up', 'act', 'down'])
  expect(found('module:layers.*.mlp.up')).toEqual(['w', 'up'])
  expect(found('module:layers.4')).toEqual([])
  expect(completions(named, 'module:do').map((c) => c.query)).toEqual(['module:layers.3.mlp.down'])
})

describe('completions', () => {
  const texts = (query: string): string[] => completions(context, query).map((c) => c.query)
  it('offers keys, then the values of the graph, most frequent first', () => {
    expect(texts('users>1 d')).toEqual(['users>1 dtype:', 'users>1 device:'])
    expect(texts('op:')[0]).toBe('op:aten.mm.default')
    expect(texts('-shape:2')).toEqual(['-shape:[48, 256]', '-shape:[2, 48, 256]'])
    expect(texts('op:mm ')).toEqual([])
    expect(texts('in:m')).toEqual(['in:MLP0', 'in:MLP1'])
    expect(texts('path:x~qu')).toEqual(['path:x~quant'])
  })
})
