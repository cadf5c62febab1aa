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

test('enters users that a rewrite inserted after the traced ones', () => {
  const text = `graph():
    %x : [num_users=3] = placeholder[target=x]
    %div_tensor : [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = (%x, 2.0), kwargs = {})
    %abs_default : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%div_tensor,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%div_tensor,), kwargs = {})
    %mul_tensor : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, 1), kwargs = {})
    %div_1 : [num_users=1] = call_function[target=torch.ops.aten.div.Tensor](args = (%x, 2.0), kwargs = {})
    return (abs_default, relu, mul_tensor, div_1)
`
  const { graph } = read(text, 'g.txt')
  const users = (name: string): string[] => [...graph.find(name)!.users].map((n) => n.name)
  expect(users('x')).toEqual(['div_1', 'div_tensor', 'mul_tensor'])
  expect(users('div_tensor')).toEqual(['abs_default', 'relu'])
})
