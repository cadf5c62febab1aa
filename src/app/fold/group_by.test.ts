import { expect, it } from 'vitest'
import { graph, pass, report } from '../../engine/queries/testing/report_fixture'
import type { GraphView } from '../../engine/protocol'
import { blockTitle } from './block_text'
import { drawnGraph } from './drawn'
import { groupedBy, openOnRequest } from './group_by'
import { modulesOf } from './modules'
import { layeredView } from './testing/layered_view'
import type { Grouping } from './types'

/** meta["nn_module_stack"] as the engine writes it: text with a class in it, or a dict of export read as lists. */
const STACKS: Record<string, string> = {
  mul: `'{\\'139\\': ("L[\\'s\\'].layers.0", <class \\'__main__.Layer\\'>), \\'140\\': ("L[\\'s\\'].layers.0.n1", <class \\'torch.nn.LayerNorm\\'>)}'`,
  add: `'{\\'139\\': ("L[\\'s\\'].layers.0", <class \\'__main__.Layer\\'>)}'`,
  exp: `{'L__self__': ['', 'm.Model'], 'L__self__layers.1': ['layers.1', 'm.Layer'], 'L__self__layers.1.n1': ['layers.1.n1', 'torch.nn.LayerNorm']}`,
  add_1: `{'L__self__': ['', 'm.Model'], 'L__self__layers.1': ['layers.1', 'm.Layer']}`,
}

const titles = (view: GraphView, grouping: Grouping, open: ReadonlySet<string>): string[] => {
  const drawn = drawnGraph(view, grouping, open)
  return drawn.nodes.map((n, i) => (drawn.blocks.has(i) ? blockTitle(drawn.blocks.get(i)!) : n.name))
}

it('reads modules from stacks, with the inputs that only one module uses', () => {
  const view = graph(`
    arg0_1 placeholder
    arg1_1 placeholder
    mul aten.mul.Tensor arg0_1 arg1_1
    neg aten.neg.default mul
    add aten.add.Tensor neg arg0_1
    exp aten.exp.default add
    neg_1 aten.neg.default exp
    add_1 aten.add.Tensor neg_1 arg0_1
    output output add_1`)
  const as: Record<string, string> = { neg: 'mul', neg_1: 'exp' }
  for (const n of view.nodes) {
    const stack = STACKS[as[n.name] ?? n.name]
    if (stack) n.meta = [['meta["nn_module_stack"]', stack]]
  }
  expect(modulesOf(view)).toEqual([
    ...[null, null, 'layers.0.n1', 'layers.0.n1', 'layers.0'],
    ...['layers.1.n1', 'layers.1.n1', 'layers.1', null],
  ])
  const grouping = groupedBy('module', view, null)!
  expect(titles(view, grouping, openOnRequest(grouping))).toEqual(['arg0_1', 'layers × 2', 'output'])
  expect(titles(view, grouping, new Set(['layers/0']))).toEqual(['arg0_1', 'n1', 'add', 'layers.1', 'output'])
  expect(grouping.instances[0]!.nodes).toContain(view.nodes.findIndex((n) => n.name === 'arg1_1'))
})

it('reads modules from the names of parameters, and gives calls between two of a module to it', () => {
  const view = graph(`
    x placeholder
    w placeholder
    v placeholder
    up torch._C._nn.linear x w
    act torch.nn.functional.relu up
    down torch._C._nn.linear act v
    output output down`)
  const prefix = 'L_self_modules_layers_modules_0_modules_mlp_modules'
  view.nodes[1]!.target = `${prefix}_up_parameters_weight_`
  view.nodes[2]!.target = `${prefix}_down_parameters_weight_`
  expect(modulesOf(view)!.slice(3)).toEqual(['layers.0.mlp.up', 'layers.0.mlp', 'layers.0.mlp.down', null])
})

it('groups runs of one source line inside layers', () => {
  const view = layeredView(4)
  view.nodes.forEach((n) => {
    if (/^[ab]\d/.test(n.name)) n.source = { file: '/src/model.py', line: 7 }
    if (/^[cd]\d/.test(n.name)) n.source = { file: '/src/model.py', line: n.name[0] === 'c' ? 8 : 9 }
  })
  const grouping = groupedBy('line', view, null)!
  expect(titles(view, grouping, new Set(['0/1']))).toEqual(['x', 'Layer', 'model.py:7', 'c1', 'd1', 'Layer × 2', 'end'])
  expect(titles(view, grouping, openOnRequest(grouping)).filter((t) => t === 'model.py:7')).toHaveLength(4)
})

it('groups matches inside layers, or by pattern; one that reaches into the next layer is in one of them', () => {
  const view = layeredView(3)
  const match = (index: number, nodes: string[]) => ({
    index,
    entry: 0,
    node: nodes[0]!,
    nodes,
    added: [],
    bindings: [],
  })
  const matches = [match(0, ['a0', 'b0']), match(1, ['b1', 'c1', 'd1', 'a2'])]
  const entries = [{ ...report().passes[0]?.entries[0], index: 0, title: 'Fused' }]
  const made = report({ graph: view, passes: [pass({ entries, matches } as never)] })
  for (const by of ['match', 'pattern'] as const) {
    const grouping = groupedBy(by, view, made)!
    expect(titles(view, grouping, new Set(['0/0', '0/1', '0/2']))).toEqual([
      'x',
      'w1',
      'Fused · match 1',
      'c0',
      'd0',
      'a1',
      'Fused · match 2',
      'b2',
      'c2',
      'd2',
      'end',
    ])
    expect(grouping.groups.map((g) => g.label)).toEqual(by === 'match' ? ['layer', 'Fused'] : ['Fused'])
    for (const { group, nodes } of grouping.instances.filter((i) => i.parent >= 0))
      expect(
        nodes.every((n) => grouping.instances.some((i) => i.group.index === group.parent && i.nodes.includes(n))),
      ).toBe(true)
  }
  expect(groupedBy('match', view, report({ graph: view }))).toBeNull()
})
