import { describe, expect, it } from 'vitest'
import { opRef, type Node } from '../../fx'
import { graph } from '../testing/fixtures'
import {
  Arg,
  CallFunction,
  CallFunctionVarArgs,
  CallMethod,
  ExclusiveKeywordArg,
  GetAttr,
  Ignored,
  KeywordArg,
  MULTIPLE,
  RepeatedExpr,
  type PatternExpr,
} from './index'

const relu = (x: string, name = 'r') =>
  `%${name} = call_function[target=torch.ops.aten.relu.default](args = (%${x},), kwargs = {})`
const A = '%a = placeholder[target=a]'

/** The captures of a pattern at the named node, or the reason why it does not match. */
function attempt(pattern: PatternExpr, text: string, name: string) {
  const m = pattern.match(graph(text).find(name)!)
  if (!m.ok) return m.reason
  return {
    nodes: m.nodes.map((n) => n.name),
    args: m.args.map(String),
    kwargs: Object.fromEntries([...m.kwargs].map(([k, v]) => [k, String(v)])),
  }
}

describe('leaves', () => {
  const text = `${A}
    %m = call_function[target=torch.ops.my.op.default](args = (%a, 2, None, float), kwargs = {})
    return m`

  it('M14 M31: match anything and differ in their captures', () => {
    const pattern = new CallFunction(['my.op.default'], [new Arg(), new KeywordArg('n'), new Ignored(), new Arg()])
    expect(attempt(pattern, text, 'm')).toMatchObject({
      nodes: ['m'],
      args: ['a', expect.anything()],
      kwargs: { n: '2' },
    })
  })

  it('M15: an exclusive argument rejects the value of another one', () => {
    const two = graph(`${A}
      %m = call_function[target=torch.ops.my.op.default](args = (%a, 1, True), kwargs = {})
      return m`).find('m')!
    const pattern = (second: PatternExpr, third: PatternExpr) =>
      new CallFunction(['my.op.default'], [new KeywordArg('x'), second, third]).match(two)
    expect(pattern(new ExclusiveKeywordArg('p'), new KeywordArg('q')).ok).toBe(true)
    expect(pattern(new ExclusiveKeywordArg('p'), new ExclusiveKeywordArg('q'))).toMatchObject({
      ok: false,
      reason: 'exclusive arg appears twice',
    })
  })
})

it('M31: nodes come inputs first, captures depth first', () => {
  const text = `${A}
    ${relu('a', 'r')}
    %s = call_function[target=torch.ops.aten.sin.default](args = (%a,), kwargs = {})
    %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%s, %r), kwargs = {})
    return m`
  const inner = (target: string) => new CallFunction([target], [new Arg()])
  const pattern = new CallFunction(['aten.mul.Tensor'], [inner('aten.sin.default'), inner('aten.relu.default')])
  expect(attempt(pattern, text, 'm')).toMatchObject({ nodes: ['s', 'r', 'm'], args: ['a', 'a'] })
})

it('M22: a failed pattern object is bound to None and so matches a None argument', () => {
  const text = `${A}
    ${relu('a')}
    %l = call_function[target=torch.ops.aten.cat.default](args = ([%a], None), kwargs = {})
    return l`
  const sin = new CallFunction(['aten.sin.default'], [new Arg()])
  const node = graph(text).find('l')!
  const { ctx } = sin.attempt(node)
  expect(ctx.match(sin, node)).toMatchObject({ ok: false, reason: 'repeated pattern differs' })
  expect(ctx.match(sin, null).ok).toBe(true)
})

it('M25: a VarArgs pattern compares target and users only, and captures all arguments', () => {
  const text = `${A}
    %m = call_function[target=torch.ops.my.op.default](args = (%a, 2), kwargs = {k: 3})
    %n = call_function[target=torch.ops.aten.neg.default](args = (%m,), kwargs = {})
    return m`
  expect(attempt(new CallFunctionVarArgs(['my.op.default'], MULTIPLE), text, 'm')).toEqual({
    nodes: ['m'],
    args: ['a', '2'],
    kwargs: { k: '3' },
  })
  expect(attempt(new CallFunctionVarArgs(['my.other.default']), text, 'm')).toBe('function_mismatch')
  const outer = (users: number) =>
    new CallFunction(['aten.neg.default'], [new CallFunctionVarArgs(['my.op.default'], users)])
  expect(attempt(outer(1), text, 'n')).toBe('multiple_users')
  expect(attempt(outer(2), text, 'n')).toMatchObject({ nodes: ['m', 'n'] })
})

it('M26: a call_method is compared by the method’s name', () => {
  const text = `${A}
    %v = call_method[target=view](args = (%a, -1), kwargs = {})
    return v`
  const view = (name: string) => new CallMethod([name], [new KeywordArg('x'), -1n])
  expect(attempt(view('view'), text, 'v')).toMatchObject({ kwargs: { x: 'a' } })
  expect(attempt(view('reshape'), text, 'v')).toBe(
    "function_mismatch: node=v, pattern=CallMethod(reshape, KeywordArg('x'), -1)",
  )
  expect(attempt(new CallFunction(['view'], [new KeywordArg('x'), -1n]), text, 'v')).toMatch(/^function_mismatch/)
})

it('M27: a constant is compared by metadata and values, NaN equal to NaN, never by its name', () => {
  const meta = { kind: 'tensor', dtype: 'float32', shape: [2], stride: [1], device: null } as const
  const at = (values: readonly number[] | null, dtype = 'float32'): Node => {
    const n = graph(`%c = get_attr[target=_tensor_constant7]
      return c`).find('c')!
    n.meta = { val: { ...meta, dtype }, ...(values && { constant: values }) }
    return n
  }
  const pattern = new GetAttr({ meta, values: [1, NaN] }, '_tensor_constant0')
  expect(pattern.match(at([1, NaN])).ok).toBe(true)
  expect(pattern.match(at([1, 2]))).toMatchObject({
    reason: expect.stringMatching(/^get_attr_value: tensor\(\[1\., 2\.\]\) != tensor/),
  })
  expect(pattern.match(at([1, NaN], 'float64')).ok).toBe(false)
  expect(pattern.match(at(null)).ok).toBe(false)
})

it('M30: RepeatedExpr matches every sibling on the same inputs, and fails if one does not match', () => {
  const text = (second: string) => `${A}
    %split = call_function[target=torch.ops.aten.split.Tensor](args = (%a, 2), kwargs = {})
    %g = call_function[target=operator.getitem](args = (%split, 0), kwargs = {})
    %h = call_function[target=operator.getitem](args = (%split, ${second}), kwargs = {})
    return (g, h)`
  const split = new CallFunction(['aten.split.Tensor'], [new KeywordArg('x'), new Ignored()], new Map(), MULTIPLE)
  const each = (index: PatternExpr | bigint) => new RepeatedExpr(new CallFunction(['operator.getitem'], [split, index]))
  expect(attempt(each(new Ignored()), text('1'), 'g')).toMatchObject({ nodes: ['split', 'g', 'split', 'h'] })
  expect(attempt(each(0n), text('1'), 'g')).toBe('constant_args: h 1!=0')
})

it('M16: an operator given as an argument is compared like any constant', () => {
  const text = `${A}
    %f = call_function[target=torch.ops.higher_order.auto_functionalized](args = (my.op.default,), kwargs = {x: %a})
    return f`
  const pattern = (op: string) =>
    new CallFunction(['higher_order.auto_functionalized'], [opRef(op)], new Map([['x', new KeywordArg('x')]]))
  expect(attempt(pattern('my.op.default'), text, 'f')).toMatchObject({ kwargs: { x: 'a' } })
  expect(attempt(pattern('my.other.default'), text, 'f')).toMatch(/^constant_args: f <OpOverload/)
})
