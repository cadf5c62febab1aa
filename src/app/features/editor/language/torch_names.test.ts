import { describe, expect, it } from 'vitest'
import { callAt } from './call_at'
import { aliasesOf, pathAt, pathBefore, resolved } from './dotted_path'
import { hoverText } from './hover_text'
import { TorchNames } from './torch_names'
import { viewOfText } from '../../../../engine/cases/graph_file'

const names = new TorchNames({
  operators: [
    'mylib::scale(Tensor x, float by=1.0) -> Tensor',
    'aten::mul.Tensor(Tensor self, Tensor other) -> Tensor',
    'aten::mul.Scalar(Tensor self, Scalar other) -> Tensor',
    'aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor',
    'aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor',
    'aten::mul.Tensor(Tensor self, Tensor other, int shadowed) -> Tensor',
  ],
  modules: {
    torch: [
      ['mul', ''],
      ['float32', ''],
      ['nn', ''],
    ],
    'torch.nn.functional': [['silu', '(input, inplace=False)']],
    'torch._inductor.pattern_matcher': [['register_replacement', '(search_fn, replace_fn, example_inputs)']],
    Tensor: [
      ['mul', ''],
      ['view', ''],
    ],
  },
  rules: { 'aten.mul': 'Broadcasts.' },
})
const texts = (path: string): string[] => names.after(path).map((c) => c.name)

describe('names after a dot', () => {
  it.each([
    ['torch.ops', ['mylib', 'aten']],
    ['torch.ops.aten', ['mul', 'clamp', 'sum']],
    ['torch.ops.aten.mul', ['Tensor', 'Scalar']],
    ['torch.nn.functional', ['silu']],
    ['torch.nn', ['functional']],
    ['torch', ['ops', 'nn', '_inductor', 'mul', 'float32']],
    ['x', ['mul', 'view']],
    ['torch.unknown', []],
  ])('%s.', (path, found) => expect(texts(path)).toEqual(found))
})

describe('the meaning of a name', () => {
  it.each([
    ['torch.ops.aten.mul.Scalar', 'aten.mul', 'Scalar'],
    ['torch.ops.aten.clamp', 'aten.clamp', null],
    ['torch.mul', 'aten.mul', null],
    ['x.mul', 'aten.mul', null],
  ])('%s', (path, packet, overload) => expect(names.meaningOf(path)).toMatchObject({ packet, overload }))

  it.each(['torch.ops.aten.mull', 'torch.float32', 'mul', 'torch.ops.aten'])('none for %s', (path) =>
    expect(names.meaningOf(path)).toBeNull(),
  )

  it('is a signature for a function of Python', () => {
    expect(names.meaningOf('torch.nn.functional.silu')).toMatchObject({
      packet: null,
      signature: '(input, inplace=False)',
    })
  })
})

it('replaces aliases of imports and assignments', () => {
  const aliases = aliasesOf(`import torch.nn.functional as F
from torch import ops as O, nn
from torch._inductor.pattern_matcher import (
    fwd_only, register_replacement,
)
aten = torch.ops.aten  # operators
mul = aten.mul
`)
  expect(resolved('F.silu', aliases)).toBe('torch.nn.functional.silu')
  expect(resolved('O.aten.mul', aliases)).toBe('torch.ops.aten.mul')
  expect(resolved('aten.mul', aliases)).toBe('torch.ops.aten.mul')
  expect(resolved('register_replacement', aliases)).toBe('torch._inductor.pattern_matcher.register_replacement')
  expect(resolved('x.mul', aliases)).toBe('x.mul')
})

it('reads the dotted name at a column', () => {
  const line = '    y = torch.ops.aten.mul.Tensor(x, w)'
  expect(pathBefore(line.slice(0, 26))).toEqual({ path: 'torch.ops.aten', partial: 'mul' })
  expect(pathAt(line, 25)).toEqual({ path: 'torch.ops.aten.mul', from: 24, to: 27 })
  expect(pathAt(line, 30)).toMatchObject({ path: 'torch.ops.aten.mul.Tensor' })
  expect(pathAt(line, 7)).toBeNull()
})

describe('the call around the caret', () => {
  it.each([
    ['aten.mul(', { path: 'aten.mul', argument: 0, keyword: null }],
    ['aten.mul(f(x, 1), ', { path: 'aten.mul', argument: 1, keyword: null }],
    ['aten.mul(x, other=', { path: 'aten.mul', argument: 1, keyword: 'other' }],
    ['register(\n    search,  # the pattern, (\n    "a, (", ', { path: 'register', argument: 2, keyword: null }],
    ['f([1, 2', { path: 'f', argument: 0, keyword: null }],
    ['f(1)', null],
    ['def f(x, ', null],
  ])('%j', (text, call) => expect(callAt(text)).toEqual(call))
})

it('shows schemas, the rule and the uses in the graph', () => {
  const view = viewOfText(`graph():
    %x : [num_users=2] = placeholder[target=x]
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %x), kwargs = {})
    %mul_1 : [num_users=1] = call_function[target=torch.ops.aten.mul.Scalar](args = (%mul, 2), kwargs = {})
    return (mul_1,)`)
  expect(hoverText(names.meaningOf('torch.ops.aten.mul')!, names.facts.rules, view)).toEqual({
    code: 'aten::mul.Tensor(Tensor self, Tensor other) -> Tensor\naten::mul.Scalar(Tensor self, Scalar other) -> Tensor',
    rule: 'Broadcasts.',
    uses: { text: '2 in this graph', query: 'op:aten.mul' },
  })
  expect(hoverText(names.meaningOf('torch.ops.aten.mul.Tensor')!, {}, view).uses).toEqual({
    text: '1 in this graph',
    query: 'op:aten.mul.Tensor',
  })
  expect(hoverText(names.meaningOf('torch.ops.mylib.scale')!, {}, view).uses?.text).toBe('Not in this graph')
})
