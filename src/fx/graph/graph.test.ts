import { describe, expect, it } from 'vitest'
import { clone, eliminateDeadCode, Graph, lint, Namespace, read, stableTopologicalSort, type Node } from '..'

const graph = (...lines: string[]): Graph => {
  const reading = read(lines.join('\n'), 'test')
  expect(reading.problems).toEqual([])
  return reading.graph
}
const names = (g: Graph): string => [...g.nodes()].map((n) => n.name).join(' ')

describe('stableTopologicalSort', () => {
  it('refuses a cycle', () => {
    const line = (name: string, arg: string): string =>
      `%${name} : [num_users=1] = call_function[target=torch.relu](args = (%${arg},), kwargs = {})`
    const { graph: cyclic, problems } = read([line('a', 'b'), line('b', 'a')].join('\n'), 'test')
    expect(problems).toMatchObject([
      { line: 1, column: 64, message: 'Expected a graph without cycles, found "b", which is computed from a.' },
    ])
    expect(stableTopologicalSort(cyclic)).toMatchObject({ ok: false })
    expect(lint(cyclic)).toMatchObject({ ok: false })
  })
})

describe('Graph', () => {
  it('names nodes as FX does', () => {
    const g = new Graph()
    const x = g.createNode('placeholder', 'input')
    const made = [
      'aten.add.Tensor',
      'aten.add.Tensor',
      'operator.and_',
      'builtins.max',
      'higher_order.cond',
      'torch.ops',
    ]
    expect(x.name).toBe('input_1')
    expect(made.map((t) => g.createNode('call_function', t, [x]).name)).toEqual([
      'add_tensor',
      'add_tensor_1',
      'and_',
      'max_1',
      'cond',
      'ops',
    ])
    expect(g.createNode('call_method', '__getItem__', [x]).name).toBe('get_item')
    expect(g.createNode('placeholder', '*args').name).toBe('_args')
  })

  it('take() continues numbering as if the names and their bare forms had been created', () => {
    const taken = new Namespace()
    for (const name of ['mul_7', 'mul_3', 'x_', 'a_1_2', '_0']) taken.take(name)
    expect(['mul', 'mul_7', 'x_', 'a_1', 'a_1_2', '_0', 'a'].map((n) => taken.createName(n))).toEqual([
      'mul_4',
      'mul_5',
      'x__1',
      'a_2',
      'a_1_3',
      '_0_1',
      'a',
    ])
  })

  it('keeps users consistent through edits, and continues iterating when nodes are erased', () => {
    const g = graph(
      '%x : [num_users=1] = placeholder[target=x]',
      '%a : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})',
      '%b : [num_users=1] = call_function[target=torch.relu](args = (%a,), kwargs = {})',
      'return (b,)',
    )
    const [x, a, b] = [...g.nodes()] as [import('..').Node, import('..').Node, import('..').Node]
    const c = g.insertingAfter(a, () => g.createNode('call_function', 'torch.neg', [x]))
    const d = g.insertingAfter(a, () => g.createNode('call_function', 'torch.abs', [c]))
    expect(names(g)).toBe('x a abs_1 neg b output')
    expect(d.isBefore(c)).toBe(true)
    expect(b.replaceAllUsesWith(x).map((n) => n.name)).toEqual(['output'])
    const seen: string[] = []
    for (const n of g.reversed()) {
      seen.push(n.name)
      if (n.users.size === 0 && n.op === 'call_function') g.eraseNode(n)
    }
    expect(seen.join(' ')).toBe('output b neg abs_1 a x')
    expect(names(g)).toBe('x neg output')
    expect([...x.users].map((n) => n.name)).toEqual(['neg', 'output'])
  })

  it('clones independently', () => {
    const g = read(
      'class T(torch.nn.Module):\n    def forward(self, x):\n        g = self.g\n        return g\n    class g(torch.nn.Module):\n        def forward(self, y):\n            return y\n',
      't',
    ).graph
    g.namespace.createName('gone')
    g.namespace.createName('lone_1')
    const { graph: copy, map } = clone(g)
    expect(map.get(g.first!)).toBe(copy.first)
    expect(copy.subgraphs.get('g')).not.toBe(g.subgraphs.get('g'))
    expect(copy.createNode('call_function', 'torch.f', [], undefined, 'gone').name).toBe('gone_1')
    expect(copy.createNode('call_function', 'torch.f', [], undefined, 'lone').name).toBe('lone')
    expect(g.size).toBe(3)
  })
})

it('makes a node the last user of all its inputs if one of them is replaced', () => {
  const g = new Graph()
  const a = g.createNode('placeholder', 'a')
  const b = g.createNode('placeholder', 'b')
  const c = g.createNode('placeholder', 'c')
  const u = g.createNode('call_function', 'aten.add.Tensor', [a, b])
  const v = g.createNode('call_function', 'aten.mul.Tensor', [a, [b, a]])
  const users = (n: Node): string[] => [...n.users].map((x) => x.name)
  u.replaceInput(a, c)
  expect([users(a), users(b), users(c)]).toEqual([[v.name], [v.name, u.name], [u.name]])
  v.replaceInput(c, a)
  expect([users(a), users(b), users(c)]).toEqual([[v.name], [u.name, v.name], [u.name]])
  a.replaceAllUsesWith(b)
  expect([users(a), users(b), v.args]).toEqual([[], [u.name, v.name], [b, [b, b]]])
})

it('keeps a node that was inserted before an erased one from dead-code elimination, also in a copy', () => {
  const g = graph(
    'graph():',
    '    %x : [num_users=2] = placeholder[target=x]',
    '    %relu : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})',
    '    %abs_1 : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%x,), kwargs = {})',
    '    return abs_1',
  )
  const [x, relu] = g.nodes()
  g.eraseNode(relu!)
  g.insertingBefore(relu!, () => g.createNode('call_function', 'aten.neg.default', [x!]))
  const copy = clone(g).graph
  expect(eliminateDeadCode(copy, (n) => n.op === 'placeholder' || n.op === 'output').ok).toBe(true)
  expect([...copy.nodes()].map((n) => n.name)).toEqual(['x', 'neg_default', 'abs_1', 'output'])
})

it('copies an erased node that has arguments again, and the links that pass an erased node', () => {
  const g = graph(
    'graph():',
    '    %x : [num_users=2] = placeholder[target=x]',
    '    %relu : [num_users=0] = call_function[target=torch.ops.aten.relu.default](args = (%x, [%x]), kwargs = {})',
    '    %abs_1 : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%x,), kwargs = {})',
    '    return abs_1',
  )
  const [x, relu] = g.nodes()
  g.eraseNode(relu!)
  expect(relu!.args).toEqual([null, [null]])
  relu!.args = [x!, [null]]
  g.insertingBefore(relu!, () => g.createNode('call_function', 'aten.neg.default', [x!]))
  const { graph: copy, map } = clone(g)
  expect([...map.get(x!)!.users].map((n) => n.name)).toEqual(['abs_1', 'relu', 'neg_default'])
  expect([...copy.nodes()].map((n) => n.name)).toEqual(['x', 'neg_default', 'abs_1', 'output'])
  expect([...copy.reversed()].map((n) => n.name)).toEqual(['output', 'abs_1', 'x'])
})
