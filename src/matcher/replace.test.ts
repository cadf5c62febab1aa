import { NEWEST_RULES } from '../base/torch_version'
import { expect, it } from 'vitest'
import { printGraph } from '../fx'
import { TorchError } from '../trace/types'
import type { Match } from './match'
import { replaceWithGraph } from './replace'
import { applyPass, graph, tensor, withShapes, type Fixture } from './testing/fixtures'
import { patternFromText } from './testing/pattern_text'

const call = (name: string, op: string, args: string) =>
  `%${name} = call_function[target=torch.ops.${op}](args = (${args}), kwargs = {})`
const item = (name: string, of: string, index: number) =>
  `%${name} = call_function[target=operator.getitem](args = (%${of}, ${index}), kwargs = {})`
const X = '%x_1 = placeholder[target=x_1]'
const lines = (...text: string[]): string => text.join('\n')

const fixture = (search: string, replace: string, more: Partial<Fixture> = {}): Fixture => ({
  argNames: ['x'],
  search: () => search,
  replace: () => replace,
  ...more,
})
const reluToFused = fixture(
  lines(X, call('r', 'aten.relu.default', '%x_1,'), 'return r'),
  lines(X, call('f', 'my.f.default', '%x_1,'), 'return f'),
)

/** Names of a graph's nodes after the fixtures' pass, without inputs and output. */
function names(text: string, f: Fixture): string[] {
  const g = withShapes(graph(text))
  expect(applyPass(g, [f])).toMatchObject({ count: 1, error: null })
  return [...g.nodes()].filter((n) => n.op === 'call_function').map((n) => n.name)
}

it('M47: several values replace one packed output, each by its index', () => {
  const unpack = fixture(
    lines(X, call('s', 'my.pair.default', '%x_1,'), 'return s'),
    lines(X, call('p', 'my.left.default', '%x_1,'), call('q', 'my.right.default', '%x_1,'), 'return (p, q)'),
  )
  const g = withShapes(
    graph(
      lines(
        X,
        call('s', 'my.pair.default', '%x_1,'),
        item('second', 's', 1),
        item('first', 's', 0),
        call('add', 'aten.add.Tensor', '%first, %second'),
        'return add',
      ),
    ),
  )
  expect(applyPass(g, [unpack]).count).toBe(1)
  expect(printGraph(g)).toContain('aten.add.Tensor](args = (%left_default, %right_default)')
  expect([...g.nodes()].map((n) => n.name)).toEqual(['x_1', 'left_default', 'right_default', 'add', 'output'])
})

it('M48: a replacement may use the node that it replaces', () => {
  const after = fixture(
    lines(X, '%y_1 = placeholder[target=y_1]', call('add', 'aten.add.Tensor', '%x_1, %y_1'), 'return (add, y_1)'),
    lines(X, '%y_1 = placeholder[target=y_1]', call('f', 'my.f.default', '%x_1, %y_1'), 'return (f, f)'),
    { argNames: ['x', 'y'] },
  )
  const g = withShapes(
    graph(
      lines(
        X,
        call('relu', 'aten.relu.default', '%x_1,'),
        call('add', 'aten.add.Tensor', '%x_1, %relu'),
        call('neg', 'aten.neg.default', '%relu,'),
        'return (add, neg)',
      ),
    ),
  )
  expect(applyPass(g, [after]).count).toBe(1)
  expect(printGraph(g)).toContain('my.f.default](args = (%x_1, %relu)')
  expect(printGraph(g)).toContain('aten.neg.default](args = (%f_default,)')
})

it('M51: matched nodes with other users stay; unused new nodes are erased unless they are higher-order', () => {
  const two = fixture(
    lines(X, call('r', 'aten.relu.default', '%x_1,'), call('n', 'aten.neg.default', '%r,'), 'return n'),
    lines(
      X,
      call('dead', 'aten.sin.default', '%x_1,'),
      call('kept', 'higher_order.triton_kernel_wrapper_mutation', '%x_1,'),
      call('f', 'my.f.default', '%x_1,'),
      'return f',
    ),
  )
  const chain = lines(X, call('r', 'aten.relu.default', '%x_1,'), call('n', 'aten.neg.default', '%r,'), 'return n')
  expect(names(chain, two)).toEqual(['triton_kernel_wrapper_mutation', 'f_default'])
  const outputs = fixture(
    two.search([]).replace('return n', 'return (n, r)'),
    two.replace([]).replace('return f', 'return (f, x_1)'),
  )
  const both = chain.replace('return n', 'return (n, r)')
  expect(names(both, outputs)).toEqual(['triton_kernel_wrapper_mutation', 'f_default'])
})

it('M52: new nodes keep their own values and inherit stream and custom metadata', () => {
  const replacement = graph(lines(X, call('e', 'my.e.default', '%x_1,'), call('f', 'my.f.default', '%e,'), 'return f'))
  replacement.find('f')!.meta.val = tensor(7)
  const g = withShapes(graph(lines(X, call('r', 'aten.relu.default', '%x_1,'), 'return r')))
  g.find('r')!.meta.custom = { stream: 3, mine: 'yes' }
  const match = patternFromText('output = CallFunction(aten.relu.default, Ignored())').match(g.find('r')!) as Match
  replaceWithGraph(match, g, replacement, [g.find('x_1')!], { schemaOf: () => null, rules: NEWEST_RULES })
  for (const name of ['e_default', 'f_default']) expect(g.find(name)!.meta.custom).toEqual({ stream: 3, mine: 'yes' })
  expect(g.find('x_1')!.meta.custom).toBeUndefined()
  expect(g.find('f_default')!.meta.val).toMatchObject({ shape: [7] })
})

it('M54: an error keeps earlier replacements', () => {
  let traces = 0
  const breaking: Fixture = {
    ...reluToFused,
    replace: () => {
      if (++traces > 1) throw new TorchError('ValueError', 'no')
      return reluToFused.replace([])
    },
  }
  const g = withShapes(
    graph(lines(X, call('r', 'aten.relu.default', '%x_1,'), call('s', 'aten.relu.default', '%r,'), 'return s')),
  )
  // A different shape, so that the replacement is traced again.
  g.find('x_1')!.meta.val = tensor(2)
  const { count, error } = applyPass(g, [breaking])
  expect({ count, error }).toEqual({ count: 1, error: { pythonType: 'ValueError', message: 'no' } })
  expect([...g.nodes()].map((n) => n.name)).toEqual(['x_1', 'r', 'f_default', 'output'])
})
