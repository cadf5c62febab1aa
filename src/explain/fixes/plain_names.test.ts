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
  ['a file', (g) => g.createNode('call_function', 'aten.from_file.default', ['x', true, 8n]), false],
  [
    'a file of a wrapped operator',
    (g) => g.createNode('call_function', 'higher_order.with_effects', [null, opRef('image.write_file.default'), 'x']),
    false,
  ],
  ['assembly', (g) => g.createNode('call_function', 'higher_order.inline_asm_elementwise', ['trap;']), false],
  ['an address', (g) => g.createNode('call_function', '_C_custom_ar.dispose.default', [0x41414141n]), false],
  [
    'an address beside a node',
    (g) =>
      g.createNode('call_function', '_C_custom_ar.register_buffer.default', [
        2n ** 40n,
        g.createNode('placeholder', 'a'),
      ]),
    false,
  ],
  [
    'a number beside a node',
    (g) => g.createNode('call_function', 'vllm.op.default', [g.createNode('placeholder', 'a'), 8n]),
    true,
  ],
  ['a function of numbers', (g) => g.createNode('call_function', 'torch.zeros', [4n]), true],
  ['a path', (g) => g.createNode('call_function', 'lib.run.default', [['/home/x']]), false],
  ['a group', (g) => g.createNode('call_function', 'vllm.all_reduce.default', ['tp:0']), true],
  ['an assertion', (g) => g.createNode('call_function', 'aten._assert_scalar.default', [true, 'u0 // 2 > 0']), true],
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
