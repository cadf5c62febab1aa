/** For tests: the pattern relu(x) * 2 → fused(x), and graphs of it. */
import type { Fixture } from './fixtures'

/** A line that calls an operator. */
export const call = (name: string, op: string, args: string, kwargs = '') =>
  `%${name} = call_function[target=torch.ops.${op}](args = (${args}), kwargs = {${kwargs}})`
export const X = '%x_1 = placeholder[target=x_1]'

/** relu(x) * 2 → fused(x). */
export const reluMul: Fixture = {
  argNames: ['x'],
  search: () =>
    [X, call('relu', 'aten.relu.default', '%x_1,'), call('mul', 'aten.mul.Tensor', '%relu, 2'), 'return mul'].join(
      '\n',
    ),
  replace: () => [X, call('fused', 'my.fused.default', '%x_1,'), 'return fused'].join('\n'),
}

/** `n` layers of relu(x) * 2. */
export const layers = (n: number): string => {
  const lines = ['%x_1 = placeholder[target=x_1]']
  for (let i = 0; i < n; i++) {
    lines.push(call(`relu_${i}`, 'aten.relu.default', i === 0 ? '%x_1,' : `%mul_${i - 1},`))
    lines.push(call(`mul_${i}`, 'aten.mul.Tensor', `%relu_${i}, 2`))
  }
  return [...lines, `return mul_${n - 1}`].join('\n')
}
