import { expect, it } from 'vitest'
import { mergeDifferences } from './merge_differences'
import { read } from '../readers/read'

const printed = (call: string): string =>
  [
    'graph():',
    '    %x : [num_users=1] = placeholder[target=x]',
    `    %${call} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})`,
    `    return (${call},)`,
  ].join('\n')
const readable = (call: string, op: string): string =>
  [
    'class G(torch.nn.Module):',
    '    def forward(self, x: "f32[4]"):',
    `        ${call}: "f32[4]" = torch.ops.aten.${op}.default(x);  x = None`,
    `        return (${call},)`,
  ].join('\n')
const differences = (a: string, b: string): string[] =>
  mergeDifferences(read(a, 'g.txt').graph, read(b, 'r.py').graph, { graph: 'g.txt', other: 'r.py' }).map(
    (p) => `${p.file}:${p.line}: ${p.message}`,
  )

it('finds none in two texts of one graph', () => {
  expect(differences(printed('relu'), readable('relu', 'relu'))).toEqual([])
})

it('names the nodes that only one text has, and other operators', () => {
  const lead = 'r.py is not quite the same graph as g.txt:'
  expect(differences(printed('relu'), readable('relu_1', 'relu'))).toEqual([
    `g.txt:3: ${lead} relu only in g.txt, so without a shape.`,
    `r.py:3: ${lead} relu_1 only in r.py.`,
  ])
  expect(differences(printed('relu'), readable('relu', 'tanh'))).toEqual([
    `g.txt:3: ${lead} relu with another operator.`,
  ])
})
