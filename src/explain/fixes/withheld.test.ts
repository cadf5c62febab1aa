import { expect, it } from 'vitest'
import { Graph, opRef } from '../../fx'
import { pythonFix } from './python_fix'
import { onlyComputing, titled } from './withheld'

const graph = new Graph()
const x = graph.createNode('placeholder', 'x')
graph.createNode('call_function', 'image.write_file.default', ['conftest.py', x])
graph.createNode('call_function', 'higher_order.with_effects', [x, opRef('mylib.save.default'), 'a', x])
graph.createNode('call_function', 'mylib.run.default', [x, '/home/a'])
graph.createNode('call_function', 'inductor.resize_storage_bytes_.default', [x, 0n])
graph.createNode('call_function', 'aten.relu.default', [x])

function withheld(before: string, after: string): string | null {
  const files = [before, after].map((text) => [{ name: 'a.py', text }]) as [never, never]
  const change = onlyComputing(pythonFix('Add it', ...files, 0, 1), graph, ...files)
  expect([change.edits.length > 0, change.diff !== '']).toEqual(Array(2).fill(change.title === 'Add it'))
  return change.title === 'Add it' ? null : change.title
}

it('writes calls that only compute, beside others', () => {
  expect(withheld('f(x)\n', 'torch.ops.aten.relu.default(f(x))\n')).toBeNull()
})

it('explains the others', () => {
  expect(withheld('f(x)\n', 'torch.ops.image.write_file.default("conftest.py", f(x))\n')).toBe(
    'Add it; not written as code, because image.write_file.default is not known to compute tensors only: write this call yourself',
  )
  expect(withheld('vllm.write_file(x)', 'torch.ops.image.write_file.default(x)')).toMatch(/image/)
  expect(withheld('', 'torch.ops.higher_order.with_effects(x, torch.ops.mylib.save.default)')).toMatch(/with_effects/)
  expect(withheld('f(x)', 'torch.ops.inductor.resize_storage_bytes_.default(x, 0)')).toMatch(/resize_storage_bytes_/)
})

it('writes an operator that the user’s files name, without a path of the graph', () => {
  const before = 'torch.ops.mylib.run(x, "b")\n'
  expect(withheld(before, 'torch.ops.mylib.run(x, "b")\ntorch.ops.mylib.run(x, "c")\n')).toBeNull()
  expect(withheld(before, 'torch.ops.mylib.run(x, "/home/a")\n')).toMatch(/may be a path/)
  // A comment of a file that somebody sent names it too, and a path needs no slash.
  expect(withheld('# image, write_file', 'torch.ops.image.write_file.default("conftest.py", x)\n')).toMatch(
    /may be a path/,
  )
})

it('gives the reason of the form that has no code, also where the first had code', () => {
  const reason = withheld('f(x)', 'torch.ops.image.write_file.default(x)')!
  expect(titled('Add relu', 'in both', reason)).toBe(reason.replace('Add it', 'Add relu, in both'))
  expect(titled(reason, 'in both', 'Add relu')).toBe(reason.replace('Add it', 'Add it, in both'))
  expect(titled('Add relu', 'in both', 'Add relu')).toBe('Add relu, in both')
})
