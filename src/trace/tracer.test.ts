import { beforeEach, expect, test } from 'vitest'
import { device, dtype, opRef, printGraph, read, sym, type TensorMeta } from '../fx'
import { itemsOf, type DispatchArg, type FakeTensor } from '../ops/fake'
import { createTracer, TracerImpl } from './tracer'

let t: TracerImpl
beforeEach(() => {
  t = createTracer()
})

const meta = (shape: TensorMeta['shape'], type = 'float32'): TensorMeta => ({
  kind: 'tensor',
  dtype: type,
  shape,
  stride: null,
  device: device('cpu'),
})
const begin = (inputs: Record<string, TensorMeta>): FakeTensor[] =>
  t.begin(Object.entries(inputs).map(([name, val]) => ({ name, val })))
const text = (out: DispatchArg): string[] =>
  printGraph(t.end(out))
    .split('\n')
    .filter((l) => l.includes('call_function') || l.includes('get_attr') || l.includes('return'))
    .map((l) =>
      l
        .trim()
        .replace(/ : \[num_users=\d+\] = (call_function|get_attr)\[target=/, ' = ')
        .replace('torch.ops.', '')
        .replace('](args = ', '')
        .replace(', kwargs = {})', ''),
    )

const functionalized = (op: string, kwargs: Record<string, DispatchArg>): readonly DispatchArg[] =>
  itemsOf(t.call('higher_order.auto_functionalized', [opRef(op)], new Map(Object.entries(kwargs))))!

test('names placeholders like make_fx', () => {
  const [x] = begin({ input: meta([4, 8]), scale: meta([1]) })
  expect([...t.end(x!).nodes()].map((n) => n.name)).toEqual(['input_1', 'scale_1', 'output'])
})

test('auto_functionalized returns what the operator returns, then what it wrote; unused items leave gaps in the names', () => {
  t.define('_C', 'rms_norm(Tensor! result, Tensor input, Tensor weight, float epsilon) -> ()')
  const [r, x, w] = begin({ result: meta([4, 8]), input: meta([4, 8]), weight: meta([8]) })
  const first = functionalized('_C.rms_norm.default', { result: r!, input: x!, weight: w!, epsilon: 1e-6 })
  const second = functionalized('_C.rms_norm.default', { result: r!, input: first[1]!, weight: w!, epsilon: 1e-6 })
  expect(first).toHaveLength(2)
  expect(text(second[1]!)).toEqual([
    '%auto_functionalized = higher_order.auto_functionalized(_C.rms_norm.default,), kwargs = {result: %result_1, input: %input_1, weight: %weight_1, epsilon: 1e-06})',
    '%getitem_1 = operator.getitem(%auto_functionalized, 1)',
    '%auto_functionalized_1 = higher_order.auto_functionalized(_C.rms_norm.default,), kwargs = {result: %result_1, input: %getitem_1, weight: %weight_1, epsilon: 1e-06})',
    '%getitem_3 = operator.getitem(%auto_functionalized_1, 1)',
    'return getitem_3',
  ])
})

test('auto_functionalized_v2 returns the bases', () => {
  t.define('q', 'd(Tensor! r, Tensor x, Tensor? y=None) -> Tensor')
  t.registerFake('q::d', (args) => t.fake((args[1] as FakeTensor).meta))
  const [a, b] = begin({ a: meta([4, 8]), b: meta([4, 8]) })
  const kwargs = new Map<string, DispatchArg>([
    ['x', b!],
    ['y', null],
    ['_r_base_index', 0n],
    ['_all_bases', [a!]],
  ])
  const out = t.call('higher_order.auto_functionalized_v2', [opRef('q.d.default')], kwargs)
  expect(text(out)).toEqual([
    '%auto_functionalized_v2 = higher_order.auto_functionalized_v2(q.d.default,), kwargs = {x: %b_1, y: None, _r_base_index: 0, _all_bases: [%a_1]})',
    '%getitem = operator.getitem(%auto_functionalized_v2, 0)',
    '%getitem_1 = operator.getitem(%auto_functionalized_v2, 1)',
    'return (getitem, getitem_1)',
  ])
})

test('auto_functionalized refuses operators with PyTorch’s messages', () => {
  t.define('q', 'b(Tensor x) -> Tensor')
  t.define('q', 'a(Tensor! r, Tensor x) -> ()')
  const [a, b] = begin({ a: meta([4]), b: meta([4]) })
  expect(() => functionalized('q.b.default', { x: a! })).toThrow('Cannot auto-functionalize op q.b.default')
  expect(() => functionalized('q.a.default', { r: a!, z: b! })).toThrow("q::a() is missing value for argument 'x'")
})

test('custom operators: dispatch, missing arguments, no fake', () => {
  t.define('q', 'c(Tensor x, float e, int n=2) -> Tensor')
  expect(() => t.define('q', 'c(Tensor x) -> Tensor')).toThrow(/^Tried to register an operator \(q::c/)
  const [a] = begin({ a: meta([4]) })
  expect(() => t.call('q.c', [a!, 1e-5])).toThrow('q.c.default')
  t.registerFake('q::c', (args) => t.fake((args[0] as FakeTensor).meta))
  expect(() => t.call('q.c', [a!])).toThrow(
    "q::c() is missing value for argument 'e'. Declaration: q::c(Tensor x, float e, int n=2) -> Tensor",
  )
  expect(() => t.call('q.c', [a!, 1, 2n, 3n])).toThrow('q::c() expected at most 3 argument(s) but received 4')
  expect(() => t.call('q.c', [a!, 1], new Map([['z', 3n]]))).toThrow("Unknown keyword argument 'z' for operator 'q::c'")
  t.abort()
  const [x] = begin({ a: meta([4]) })
  expect(text(t.call('q.c', [x!, 1n], new Map([['n', 2n]])))).toEqual(['%c = q.c.default(%a_1, 1.0)', 'return c'])
})

test('an undeclared operator is traced and reported as inferred', () => {
  const [a] = begin({ a: meta([4, 8]) })
  const out = t.call('mystery.fuse', [a!, 3n])
  expect(text(out)).toEqual(['%fuse = mystery.fuse.default(%a_1, 3)', 'return fuse'])
  expect([...t.inferredOps]).toEqual(['mystery.fuse.default'])
})

test('an undeclared operator writes the arguments that have the dtype and shape of an item of its call in the graph', () => {
  const { graph } = read(
    `class G(torch.nn.Module):
    def forward(self, pos: "i64[4]", q: "f32[4, 8]", k: "f32[4, 8]"):
        a = torch.ops.higher_order.auto_functionalized(torch.ops.mystery.rope.default, pos = pos, q = q, k = k)
        b: "f32[4, 8]" = a[1]
        c: "f32[4, 8]" = a[2]
        return (b, c)`,
    'graph.txt',
  )
  t.begins(graph)
  const [pos, q, k] = begin({ pos: meta([3], 'int64'), q: meta([3, 8]), k: meta([3, 8]) })
  const out = functionalized('mystery.rope.default', { pos: pos!, q: q!, k: k! })
  expect(out.slice(1).map((o) => (o as FakeTensor).meta.shape)).toEqual([
    [3, 8],
    [3, 8],
  ])
})

test('an undeclared operator writes as many arguments as the graph takes items, although it takes not all of them', () => {
  const { graph } = read(
    `class G(torch.nn.Module):
    def forward(self, q: "f32[4, 8]", k: "f32[4, 2]"):
        a = torch.ops.higher_order.auto_functionalized(torch.ops.mystery.rope.default, q = q, k = k)
        c: "f32[4, 2]" = a[2]
        return (c,)`,
    'graph.txt',
  )
  t.begins(graph)
  const [q, k] = begin({ q: meta([3, 8]), k: meta([3, 2]) })
  const out = functionalized('mystery.rope.default', { q: q!, k: k! })
  expect((out[2] as FakeTensor).meta.shape).toEqual([3, 2])
})

test('an operator without a result may be called for its side effect', () => {
  t.define('q', 'a(Tensor! r, Tensor x) -> ()')
  const [a, b] = begin({ a: meta([4]), b: meta([4]) })
  expect(t.call('q.a', [a!, b!])).toBeNull()
  expect(text(null)).toEqual(['%a = q.a.default(%a_1, %b_1)', 'return None'])
})

test('torch.tensor is read from an attribute and copied', () => {
  const [x] = begin({ x: meta([4, 4]) })
  const two = t.constant(meta([]), 2)
  const graph = t.end(t.call('aten.add', [t.call('aten.mul', [x!, two]), two]))
  expect([...graph.nodes()].map((n) => n.name)).toEqual([
    'x_1',
    '_tensor_constant0',
    'lift_fresh_copy',
    'mul',
    'add',
    'output',
  ])
  expect(graph.find('_tensor_constant0')!.meta.constant).toBe(2)
})

test('symbolic sizes: no node for an unused size, sym_size for a used one', () => {
  const [x] = begin({ x: meta(['s72', 8], 'bfloat16') })
  const out = t.call('aten.empty.memory_format', [[sym('s72'), 4n]], new Map([['dtype', dtype('bfloat16')]]))
  expect((out as FakeTensor).meta).toMatchObject({ shape: ['s72', 4], stride: [4, 1] })
  const doubled = t.call('aten.mul', [x!, 2n])
  expect((doubled as FakeTensor).meta.stride).toEqual([8, 1])
  expect(text({ kind: 'tuple', items: [out, doubled] })).toEqual([
    '%sym_size_int = aten.sym_size.int(%x_1, 0)',
    '%empty = aten.empty.memory_format([%sym_size_int, 4],), kwargs = {dtype: torch.bfloat16})',
    '%mul = aten.mul.Tensor(%x_1, 2)',
    'return (empty, mul)',
  ])
})

test('a symbolic size that is an input is used directly', () => {
  const made = t.begin([
    { name: 's72', val: { kind: 'scalar', value: sym('s72') } },
    { name: 'x', val: meta(['s72', 8]) },
  ])
  const half = t.call('operator.floordiv', [sym('s72'), 2n])
  const out = t.call('aten.empty.memory_format', [[sym('s72'), half]])
  expect(made[1]!.meta.shape).toEqual(['s72', 8])
  expect(text(out)).toEqual([
    '%floordiv = operator.floordiv(%s72_1, 2)',
    '%empty = aten.empty.memory_format([%s72_1, %floordiv],)',
    'return empty',
  ])
})

test('nodes record their source line, including those from decompositions', () => {
  const [x] = begin({ x: meta([4]) })
  const out = t.call('aten.silu', [x!], new Map(), { file: 'pattern.py', line: 7 })
  const made = [...t.end(out).nodes()].filter((n) => n.op === 'call_function')
  expect(made.map((n) => n.meta.source?.line)).toEqual([7, 7, 7, 7])
})
