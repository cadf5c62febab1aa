import { expect, test } from 'vitest'
import { read } from '../readers/read'

test('orders users of one operator by the numbers in their names, not by their lines', () => {
  const text = `graph():
    %x : [num_users=4] = placeholder[target=x]
    %sqrt_1 : [num_users=1] = call_function[target=torch.ops.aten.sqrt.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %sqrt_10 : [num_users=1] = call_function[target=torch.ops.aten.sqrt.default](args = (%x,), kwargs = {})
    %sqrt : [num_users=1] = call_function[target=torch.ops.aten.sqrt.default](args = (%x,), kwargs = {})
    return (sqrt_1, relu, sqrt_10, sqrt)
`
  const x = read(text, 'g.txt').graph.find('x')!
  expect([...x.users].map((n) => n.name)).toEqual(['sqrt', 'relu', 'sqrt_1', 'sqrt_10'])
})
