import { describe, expect, it } from 'vitest'
import { printGraph } from '../fx'
import { applyPass, graph, withShapes, type Fixture } from './testing/fixtures'
import { call, layers, reluMul, X } from './testing/relu_mul'

describe('order', () => {
  it('M32: visits nodes from last to first, and tries entries in the order of registration', () => {
    const other = { ...reluMul, search: () => reluMul.search([]).replace('%relu, 2', '%relu, 3') }
    const first = { ...reluMul, search: () => reluMul.search([]).replace('aten.relu', 'aten.sin') }
    const { attempts } = applyPass(withShapes(graph(layers(2))), [first, other])
    expect(attempts.map((a) => [a.node, a.entry, a.phase])).toEqual([
      ['mul_1', 0, 'initial'],
      ['mul_1', 1, 'initial'],
      ['mul_1', 1, 'specific'],
      ['mul_0', 0, 'initial'],
      ['mul_0', 1, 'initial'],
      ['mul_0', 1, 'specific'],
    ])
    expect(attempts[2]).toMatchObject({
      reason: 'constant_args: mul_1 2!=3',
      mismatch: { kind: 'constant_args', graphNode: 'mul_1', patternNode: 2, argument: '1', expected: '3', found: '2' },
    })
  })

  it('M33: does not visit inserted nodes', () => {
    const again = { ...reluMul, replace: reluMul.search }
    expect(applyPass(withShapes(graph(layers(1))), [again]).count).toBe(1)
  })
})

it('M45 M49 M51: names new nodes op_overload, erases matched nodes, and traces equal layers once', () => {
  const g = withShapes(graph(layers(32)))
  const result = applyPass(g, [reluMul])
  expect(result.count).toBe(32)
  expect(result.traces).toBe(3)
  expect([...g.nodes()].map((n) => n.name).slice(0, 3)).toEqual(['x_1', 'fused_default_31', 'fused_default_30'])
  expect(result.applied[0]).toMatchObject({
    node: 'mul_31',
    nodes: ['relu_31', 'mul_31'],
    kwargs: { x: 'mul_30' },
    map: [
      [0, 'mul_30'],
      [1, 'relu_31'],
      [2, 'mul_31'],
    ],
    added: ['fused_default'],
    replacedBy: ['fused_default'],
  })
})

it('M46: puts the replacement before the earliest output, even above its own inputs', () => {
  const two: Fixture = {
    argNames: ['x', 'y'],
    search: () =>
      [
        X,
        '%y_1 = placeholder[target=y_1]',
        call('relu', 'aten.relu.default', '%x_1,'),
        call('add', 'aten.add.Tensor', '%relu, %y_1'),
        'return (add, relu)',
      ].join('\n'),
    replace: () =>
      [
        X,
        '%y_1 = placeholder[target=y_1]',
        call('a', 'my.a.default', '%x_1,'),
        call('b', 'my.b.default', '%a, %y_1'),
        call('dead', 'my.c.default', '%x_1,'),
        'return (b, a)',
      ].join('\n'),
  }
  const g = withShapes(
    graph(
      [
        X,
        call('relu', 'aten.relu.default', '%x_1,'),
        call('late', 'aten.neg.default', '%x_1,'),
        call('add', 'aten.add.Tensor', '%relu, %late'),
        'return (relu, add)',
      ].join('\n'),
    ),
  )
  expect(applyPass(g, [two]).count).toBe(1)
  expect(printGraph(g)).toBe(`graph():
    %x_1 : [num_users=2] = placeholder[target=x_1]
    %a_default : [num_users=2] = call_function[target=torch.ops.my.a.default](args = (%x_1,), kwargs = {})
    %b_default : [num_users=1] = call_function[target=torch.ops.my.b.default](args = (%a_default, %late), kwargs = {})
    %late : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x_1,), kwargs = {})
    return (a_default, b_default)`)
})
