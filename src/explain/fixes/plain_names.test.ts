import { expect, it } from 'vitest'
import { Graph, opRef, type Val } from '../../fx'
import { hasPlainNames } from './plain_names'

const EVIL = 'exec("x")'

it.each<[string, (graph: Graph) => unknown, boolean]>([
  ['plain names', (g) => g.createNamed('a', 'call_method', 'relu', [], new Map([['dim', 1n]])), true],
  ['a name', (g) => g.createNamed(`a = ${EVIL}`, 'placeholder', 'a'), false],
  [
    'a keyword',
    (g) => g.createNode('call_function', 'aten.relu.default', [], new Map([[`k=${EVIL}, dim`, 1n]])),
    false,
  ],
  ['a method', (g) => g.createNode('call_method', `relu()[${EVIL}].relu`), false],
  ['an operator', (g) => g.createNode('call_function', `aten.sin and ${EVIL} or torch.default`), false],
  ['an operator without a bracket', (g) => g.createNode('call_function', 'aten.sin or os.system'), false],
  [
    'functions in Python',
    (g) =>
      ['<function f.<locals>.g at 0x7f3a>', '<built-in method relu of type object at 0x7f>', '_operator.getitem'].map(
        (t) => g.createNode('call_function', t),
      ),
    true,
  ],
  [
    'a wrapped operator',
    (g) => g.createNode('call_function', 'higher_order.auto_functionalized', [opRef(`aten.sin(${EVIL}).default`)]),
    false,
  ],
  ['a dtype', (g) => (g.createNode('placeholder', 'a').meta.val = tensor(`float32 or ${EVIL}`, 'cpu')), false],
  ['a device', (g) => (g.createNode('placeholder', 'a').meta.val = tensor('float32', `cpu' or ${EVIL} or '`)), false],
  [
    'a dtype among outputs',
    (g) => (g.createNode('placeholder', 'a').meta.val = { kind: 'vals', items: [tensor(EVIL, 'cpu')] }),
    false,
  ],
])('%s', (_, add, plain) => {
  const graph = new Graph()
  add(graph)
  expect(hasPlainNames(graph)).toBe(plain)
})

function tensor(dtype: string, type: string): Val {
  return { kind: 'tensor', dtype, shape: [4], stride: [1], device: { kind: 'device', type, index: null } }
}
