import { expect, it } from 'vitest'
import { read } from '../../fx'
import { restoreStrings } from './string_arguments'

it('reads a group name that print(graph) writes without quotes as a string', () => {
  const { graph } = read(
    `graph():
    %x : [num_users=1] = placeholder[target=x]
    %all_reduce : [num_users=1] = call_function[target=torch.ops._c10d_functional.all_reduce.default](args = (%x, sum, 0), kwargs = {})
    return (all_reduce,)
`,
    'graph.txt',
  )
  restoreStrings(graph)
  expect(graph.find('all_reduce')!.args.slice(1)).toEqual(['sum', '0'])
})
