/** Files of selections with Python's own functions and with operators that PyTorch lacks. */
import { expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { PatternMaker } from './pattern_maker'

const maker = await PatternMaker.create(nodeAssets())

const python = (graph: string, nodes: string[]): string => {
  const made = maker.make({ id: 'graph', graph, nodes })
  return made.ok ? made.value.python : made.error
}

it('imports the modules of the functions that it calls', () => {
  const graph = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %len_1 : [num_users=1] = call_function[target=builtins.len](args = (%x,), kwargs = {})
    %sqrt : [num_users=1] = call_function[target=math.sqrt](args = (%len_1,), kwargs = {})
    return (sqrt,)`
  expect(python(graph, ['len_1', 'sqrt'])).toContain('import builtins\nimport math\nimport operator\n')
})

it('declares an overload that PyTorch lacks of an operator that it has', () => {
  const graph = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f32[4, 8][8, 1]cpu", y: "f32[4, 8][8, 1]cpu"):
        one: "f32[4, 8][8, 1]cpu" = torch.ops.mine.scale.default(x, y)
        two: "f32[4, 8][8, 1]cpu" = torch.ops.mine.scale.twice(one, y)
        return (two,)
`
  const file = python(graph, ['one', 'two'])
  expect(python(graph, ['one', 'two'])).toBe(file)
  expect(file).toContain("declare(\n    'mine::scale.twice(")
  expect(file).toContain('if known is not None and (overload or "default") in known.overloads():')
  // Nobody knows what the operator does, so no code calls it.
  expect(file).not.toMatch(/mine\.scale\.\w+\(/)
})
