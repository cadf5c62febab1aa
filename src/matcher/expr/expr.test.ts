import { describe, expect, it } from 'vitest'
import type { SchemaLookup } from '../schema_facts'
import { graph } from '../testing/fixtures'
import { patternFromText } from '../testing/pattern_text'

const attempt = (pattern: string, text: string, node: string, schemaOf?: SchemaLookup) => {
  const m = patternFromText(pattern).match(graph(text).find(node)!, schemaOf)
  return m.ok ? m.nodes.map((n) => n.name) : m.reason
}

const INPUTS = `%a = placeholder[target=a]
  %b = placeholder[target=b]`

describe('constants', () => {
  it.each([
    ['1', 'True', null],
    ['1', '1.0', null],
    ['True', '1.0', null],
    ['2', '1', 'constant_args: m 1!=2'],
    ['None', 'False', 'constant_args: m False!=None'],
    ['1e-05', '1e-06', 'constant_args: m 1e-06!=1e-05'],
    ['torch.int8', 'torch.bfloat16', 'constant_args: m torch.bfloat16!=torch.int8'],
  ])('M16: pattern %s, graph %s', (pattern, value, reason) => {
    const text = `${INPUTS}
      %m = call_function[target=torch.ops.aten.full.default](args = (%a, ${value}), kwargs = {})
      return m`
    const found = attempt(`output = CallFunction(aten.full.default, Ignored(), ${pattern})`, text, 'm')
    expect(found).toEqual(reason ?? ['m'])
  })

  it('M16: never equals a node', () => {
    const text = `${INPUTS}
      %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%a, %b), kwargs = {})
      return m`
    expect(attempt('output = CallFunction(aten.mul.Tensor, Ignored(), 2)', text, 'm')).toBe('constant_args: m b!=2')
  })
})

it('M13: a call is compared by target, then arity, then users, then arguments', () => {
  const text = `${INPUTS}
    %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%a, 2), kwargs = {})
    %r = call_function[target=torch.ops.aten.relu.default](args = (%m,), kwargs = {})
    %n = call_function[target=torch.ops.aten.neg.default](args = (%m,), kwargs = {})
    return (r, n)`
  const relu = (inner: string): string => `output = CallFunction(aten.relu.default, CallFunction(${inner}))`
  const reason = (inner: string): string => String(attempt(relu(inner), text, 'r')).split(/[:( ]/)[0]!
  expect(reason("aten.add.Tensor, KeywordArg('x'), 3")).toBe('function_mismatch')
  expect(reason("aten.mul.Tensor, KeywordArg('x')")).toBe('function_mismatch')
  expect(reason("aten.mul.Tensor, KeywordArg('x'), 3")).toBe('multiple_users')
  expect(reason("aten.mul.Tensor, KeywordArg('x'), 3, _users=2")).toBe('constant_args')
})

describe('kwargs', () => {
  const text = `${INPUTS}
    %m = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %b), kwargs = {alpha: 2})
    %n = call_function[target=torch.ops.aten.add.Tensor](args = (%a, %b), kwargs = {})
    %o = call_function[target=torch.ops.aten.addmm.default](args = (%a, %b, %b), kwargs = {beta: 1, alpha: 2})
    return (m, n, o)`

  it('M17: are ignored if the pattern does not name them', () => {
    expect(attempt("output = CallFunction(aten.add.Tensor, KeywordArg('x'), KeywordArg('y'))", text, 'm')).toEqual([
      'm',
    ])
  })

  it('M17: are filled in from the schema only if the node has fewer than the pattern', () => {
    const schemaOf: SchemaLookup = () => ({
      mutable: false,
      args: [
        { name: 'self', kwargOnly: false },
        { name: 'other', kwargOnly: false },
        { name: 'alpha', kwargOnly: true, default: 1n },
      ],
    })
    const pattern = (alpha: number) => `output = CallFunction(aten.add.Tensor, Ignored(), Ignored(), alpha=${alpha})`
    expect(attempt(pattern(1), text, 'n', schemaOf)).toEqual(['n'])
    expect(attempt(pattern(2), text, 'n', schemaOf)).toBe('constant_args: n 1!=2')
  })

  it('M18: must come in the same order', () => {
    const pattern = 'output = CallFunction(aten.addmm.default, Ignored(), Ignored(), Ignored(), alpha=2, beta=1)'
    expect(attempt(pattern, text, 'o')).toBe("args_structure (3, 'beta', 'alpha') (3, 'alpha', 'beta')")
  })
})

it('M19: treats lists and tuples alike, and prints where nested arguments differ', () => {
  const text = `${INPUTS}
    %m = call_function[target=torch.ops.aten.cat.default](args = ([%a, %b], 1), kwargs = {})
    return m`
  const cat = (items: string) => `output = CallFunction(aten.cat.default, ${items}, 1)`
  expect(attempt(cat("(KeywordArg('x'), KeywordArg('y'))"), text, 'm')).toEqual(['m'])
  expect(attempt(cat("[KeywordArg('x')]"), text, 'm')).toBe(
    'args_structure TreeSpec(tuple, None, [TreeSpec(tuple, None, [TreeSpec(tuple, None, [*,\n      *]),\n    *]),\n' +
      '  TreeSpec(dict, [], [])]) TreeSpec(tuple, None, [TreeSpec(tuple, None, [TreeSpec(tuple, None, [*]),\n    *]),\n' +
      '  TreeSpec(dict, [], [])])',
  )
})

describe('users', () => {
  const pattern = (users: string) => `relu = CallFunction(aten.relu.default, KeywordArg('x')${users})
output = CallFunction(aten.mul.Tensor, relu, Ignored())`
  const text = (more: string) => `${INPUTS}
    %e = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})
    %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%e, %e), kwargs = {})
    ${more}
    return m`

  it('M20: are distinct nodes: mul(e, e) is one', () => {
    expect(attempt(pattern(''), text(''), 'm')).toEqual(['e', 'm'])
  })

  it('M20: include dead nodes', () => {
    const dead = '%d = call_function[target=torch.ops.aten.neg.default](args = (%e,), kwargs = {})'
    expect(attempt(pattern(''), text(dead), 'm')).toBe(
      "multiple_users CallFunction(aten.relu.default, KeywordArg('x'))",
    )
    expect(attempt(pattern(', _users=MULTIPLE'), text(dead), 'm')).toEqual(['e', 'm'])
  })

  it('M21: are not compared for outputs of the pattern', () => {
    const two = `${pattern(', _users=7').replace('output', 'mul')}
output = MultiOutputPattern([mul,
  relu
])`
    expect(attempt(two, text(''), 'm')).toEqual(['e', 'm'])
  })
})

describe('one pattern object', () => {
  const text = `${INPUTS}
    %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%a, %b), kwargs = {})
    return m`

  it('M22: means one node', () => {
    const pattern = "output = CallFunction(aten.mul.Tensor, KeywordArg('x'), KeywordArg('x'))"
    expect(attempt(pattern, text, 'm')).toBe('repeated pattern differs')
  })

  it('M23: is distinct from another of the same name', () => {
    const pattern = "x = KeywordArg('x')\noutput = CallFunction(aten.mul.Tensor, x, ExclusiveKeywordArg('x'))"
    expect(attempt(pattern, text, 'm')).toBe('kwarg mismatch: x')
  })
})

it('M29: finds further outputs from output 0 through shared nodes', () => {
  const text = `${INPUTS}
    %c = call_function[target=torch.ops.aten.exp.default](args = (%a,), kwargs = {})
    %s = call_function[target=torch.ops.aten.sin.default](args = (%c,), kwargs = {})
    %t = call_function[target=torch.ops.aten.cos.default](args = (%c,), kwargs = {})
    return (s, t)`
  const pattern = (second: string) => `exp = CallFunction(aten.exp.default, KeywordArg('x'), _users=2)
sin = CallFunction(aten.sin.default, exp)
second = CallFunction(${second}, exp)
output = MultiOutputPattern([sin,
  second
])`
  expect(attempt(pattern('aten.cos.default'), text, 's')).toEqual(['c', 's', 't'])
  expect(attempt(pattern('aten.tan.default'), text, 's')).toBe('no anchor found')
})

it('M24: ignores commutativity', () => {
  const text = `${INPUTS}
    %e = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})
    %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%b, %e), kwargs = {})
    return m`
  const pattern = `relu = CallFunction(aten.relu.default, KeywordArg('x'))
output = CallFunction(aten.mul.Tensor, relu, KeywordArg('y'))`
  expect(attempt(pattern, text, 'm')).toBe(
    "function_mismatch: node=b, pattern=CallFunction(aten.relu.default, KeywordArg('x'))",
  )
})

it('M28: ListOf collects items, and only matching ones if partial', () => {
  const text = `${INPUTS}
    %e = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})
    %m = call_function[target=torch.ops.aten.cat.default](args = ([%e, %b],), kwargs = {})
    return m`
  const pattern = (partial: string) =>
    `output = CallFunction(aten.cat.default, ListOf(CallFunction(aten.relu.default, Arg())${partial}))`
  expect(attempt(pattern(', partial=True'), text, 'm')).toEqual(['e', 'm'])
  expect(attempt(pattern(''), text, 'm')).toBe(
    'list[1]: function_mismatch: node=b, pattern=CallFunction(aten.relu.default, Arg())',
  )
})
