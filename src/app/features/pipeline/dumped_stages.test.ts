import { expect, it } from 'vitest'
import { dumpedStages } from './dumped_stages'

const graph = (...ops: string[]): string =>
  [
    'graph():',
    '    %x : [num_users=1] = placeholder[target=x]',
    ...ops.map(
      (op) =>
        `    %${op} : [num_users=1] = call_function[target=torch.ops.aten.${op}.default](args = (%x,), kwargs = {})`,
    ),
    '    return (x,)',
    '',
  ].join('\n')

it('lists the graph before the first pass and after each, with the nodes that each changed', () => {
  const graphs = [
    { name: '0_0.before_post_grad_graph.txt', text: graph('relu', 'neg') },
    { name: '0_0.0.NoOpEliminationPass.after.txt', text: graph('relu', 'neg') },
    { name: '0_0.1.FusionPass.after.txt', text: graph('relu', 'abs') },
    { name: 'other.txt', text: graph('relu') },
  ]
  expect(dumpedStages(graphs)).toEqual([
    { graph: graphs[0]!.name, pass: 'before the passes', nodes: 4, added: [], removed: [] },
    { graph: graphs[1]!.name, pass: 'NoOpEliminationPass', nodes: 4, added: [], removed: [] },
    { graph: graphs[2]!.name, pass: 'FusionPass', nodes: 4, added: ['abs'], removed: ['neg'] },
  ])
})

it('is empty for graphs that are no dumps of passes, or only one', () => {
  expect(dumpedStages([{ name: 'graph.txt', text: graph() }])).toEqual([])
  expect(dumpedStages([{ name: '1.A.after.txt', text: graph() }])).toEqual([])
})
