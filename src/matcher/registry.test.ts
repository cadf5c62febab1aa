import { describe, expect, it } from 'vitest'
import { printGraph, type Val } from '../fx'
import { PatternPrettyPrinter } from './pretty_printer'
import { applyPass, graph, hostOf, tensor, withShapes, type Fixture } from './testing/fixtures'
import { patternFromText } from './testing/pattern_text'
import { PatternRegistry, type PatternData } from './index'

const call = (name: string, op: string, args: string) =>
  `%${name} = call_function[target=torch.ops.${op}](args = (${args}), kwargs = {})`
const X = '%x_1 = placeholder[target=x_1]'

it('M2: a list of tensors becomes several inputs of the trace, and a list again afterwards', () => {
  const xs: Val = { kind: 'vals', items: [tensor(2, 2), tensor(2, 2)] }
  const inputs = ['%xs_0 = placeholder[target=xs_0]', '%xs_1 = placeholder[target=xs_1]']
  let seen: unknown
  const traced: (readonly Val[])[] = []
  const two: Fixture = {
    argNames: ['xs'],
    search: (args) => {
      traced.push(args)
      return [...inputs, call('add', 'aten.add.Tensor', '%xs_0, %xs_1'), 'return add'].join('\n')
    },
    replace: () => [...inputs, call('sum', 'my.sum.default', '[%xs_0, %xs_1],'), 'return sum'].join('\n'),
    extraCheck: (kwargs) => {
      seen = kwargs.get('xs')
      return true
    },
    registration: { exampleInputs: [xs] },
  }
  const g = withShapes(
    graph(`%a = placeholder[target=a]
      %b = placeholder[target=b]
      ${call('add', 'aten.add.Tensor', '%b, %a')}
      return add`),
  )
  const { applied } = applyPass(g, [two])
  expect(applied).toMatchObject([{ added: ['sum_default'], kwargs: { xs: '(b, a)' } }])
  expect(String((seen as { items: unknown[] }).items)).toBe('b,a')
  expect(traced).toMatchObject([[xs], [{ kind: 'vals', items: [{ shape: [4, 8] }, { shape: [4, 8] }] }]])
  expect(printGraph(g)).toContain('my.sum.default](args = ([%b, %a],)')
})

it('M2: a value of scalar_workaround replaces an example input', () => {
  const traced: (readonly Val[])[] = []
  const scaled: Fixture = {
    argNames: ['n', 'x'],
    search: (args) => {
      traced.push(args)
      return ['%n_1 = placeholder[target=n_1]', X, call('mul', 'aten.mul.Tensor', '%x_1, 113'), 'return mul'].join('\n')
    },
    replace: () =>
      ['%n_1 = placeholder[target=n_1]', X, call('f', 'my.f.default', '%x_1, %n_1'), 'return f'].join('\n'),
    registration: { exampleInputs: [tensor(2, 2)], scalarWorkaround: new Map([['n', 113n]]) },
  }
  const g = withShapes(graph([X, call('mul', 'aten.mul.Tensor', '%x_1, 7'), 'return mul'].join('\n')))
  expect(applyPass(g, [scaled]).applied).toMatchObject([{ kwargs: { n: '7', x: 'x_1' } }])
  expect(traced[0]).toEqual([{ kind: 'scalar', value: 113n }, tensor(2, 2)])
})

it('M5: a pattern inside a list is inlined, any other call has its own line', () => {
  const text = `relu_default = CallFunction(aten.relu.default, KeywordArg('x'), _users=2)
neg_default = CallFunction(aten.neg.default, relu_default)
output = CallFunction(aten.add.Tensor, neg_default, relu_default)`
  expect(PatternPrettyPrinter.run(patternFromText(text))).toBe(text)
  const inList = 'output = CallFunction(aten.cat.default, [CallFunction(aten.neg.default, *)], Ignored())'
  expect(PatternPrettyPrinter.run(patternFromText(inList))).toBe(inList)
})

describe('entries', () => {
  const relu: PatternData = {
    expr: 'CallFunction',
    id: 1,
    fns: ['aten.relu'],
    args: [{ pattern: { expr: 'KeywordArg', id: 2, name: 'x' } }],
    kwargs: [],
    users: 1,
  }

  /** Entries tried, in order, at a relu by a pass with these patterns. */
  function tried(patterns: readonly { pattern: PatternData; prepend: boolean }[]): number[] {
    const host = hostOf({ trace: () => graph(X), extraCheck: () => false })
    const registry = new PatternRegistry({
      host: () => host,
      overloadsOf: () => ['aten.relu.default', 'aten.relu.out'],
    })
    registry.newPass(0, null)
    patterns.forEach((p, i) =>
      registry.registerGraphPattern(0, { ...p, extraCheck: 0, handler: 0, title: `${i}`, source: null, bindings: {} }),
    )
    const order: string[] = []
    const { entries } = registry.pass(0)
    registry.apply(0, graph([X, call('r', 'aten.relu.default', '%x_1,'), 'return r'].join('\n')), {
      attempt: (a) => order.push(entries[a.entry]!.registration.title),
    })
    return order.map(Number)
  }

  it('M6: are filed under each overload of a packet', () => {
    expect(tried([{ pattern: relu, prepend: false }])).toEqual([0])
    const twice: PatternData = { ...relu, id: 3, fns: ['aten.relu.default', 'aten.relu'] }
    expect(tried([{ pattern: twice, prepend: false }])).toEqual([0, 0])
  })

  it('M6: come first if they are prepended', () => {
    const other: PatternData = { ...relu, id: 4 }
    expect(
      tried([
        { pattern: relu, prepend: false },
        { pattern: other, prepend: true },
      ]),
    ).toEqual([1, 0])
  })

  it('M7: given by hand are tried twice and never traced', () => {
    const given: Fixture = {
      argNames: ['x'],
      search: () => {
        throw new Error('not to be traced')
      },
      replace: () => [X, call('f', 'my.f.default', '%x_1,'), 'return f'].join('\n'),
      registration: { searchFnPattern: { ...relu, fns: ['aten.relu.default'] } },
    }
    const g = withShapes(graph([X, call('r', 'aten.relu.default', '%x_1,'), 'return r'].join('\n')))
    const { attempts, count } = applyPass(g, [given])
    expect(count).toBe(1)
    expect(attempts.map((a) => [a.phase, a.ok])).toEqual([
      ['initial', true],
      ['initial', true],
    ])
  })
})
