/**
 * Patterns explained on small graphs: sentences, stages, counts, findings.
 * Reason for length: one pattern for each kind of expression.
 */
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../fx'
import { fxToPattern, INITIAL_IGNORE_TYPES } from '../../matcher/fx_to_pattern'
import type { EntryPatterns } from '../../matcher'
import type { PatternExpr } from '../../matcher/expr'
import { graph } from '../../matcher/testing/fixtures'
import { patternFromText } from '../../matcher/testing/pattern_text'
import type { PassToExplain } from '../pass'
import { explainPattern } from './explain_pattern'
import type { ExplainedExpression, ExplainedPattern, ExplainedStage } from './types'

const pass = (g: Graph): PassToExplain => ({
  name: 'patterns',
  graph: g,
  entries: [{ registration: { title: 'Fuse' } } as PassToExplain['entries'][number]],
  attempts: [],
  matches: [],
  applyError: null,
  schemaOf: () => null,
  specific: () => null,
})

const explained = (g: Graph, patterns: Partial<EntryPatterns> & { initial: PatternExpr }): ExplainedPattern =>
  explainPattern(pass(g), 0, { kind: 'graph', exact: null, specific: [], searchGraph: null, ...patterns })

/** A hand-written pattern, in PatternPrettyPrinter's notation. */
const written = (text: string, g: Graph): ExplainedStage => explained(g, { initial: patternFromText(text) }).stages[0]!

function traced(search: string, argNames: string[], g: Graph): ExplainedPattern {
  const searchGraph = graph(search)
  const initial = fxToPattern(searchGraph, { argNames, ignoreTypes: INITIAL_IGNORE_TYPES })
  return explained(g, { kind: 'traced', initial, exact: fxToPattern(searchGraph, { argNames }), searchGraph })
}

const byLabel = (stage: ExplainedStage, label: string): ExplainedExpression => {
  const found = stage.expressions.find((e) => e.label === label)
  if (!found) throw new Error(`no ${label} in ${stage.expressions.map((e) => e.label).join('; ')}`)
  return found
}
const checksOf = (e: ExplainedExpression): string[] => (e.checks ?? []).map((c) => c.text)

/** Two layers of x * sigmoid(x) * c, with different constants, and one in which sigmoid has a second user. */
const LAYERS = graph(`
  %a = placeholder[target=a]
  %s0 = call_function[target=torch.ops.aten.sigmoid.default](args = (%a,), kwargs = {})
  %m0 = call_function[target=torch.ops.aten.mul.Tensor](args = (%a, %s0), kwargs = {})
  %c0 = call_function[target=torch.ops.aten.mul.Tensor](args = (%m0, 0.5), kwargs = {})
  %s1 = call_function[target=torch.ops.aten.sigmoid.default](args = (%c0,), kwargs = {})
  %m1 = call_function[target=torch.ops.aten.mul.Tensor](args = (%c0, %s1), kwargs = {})
  %c1 = call_function[target=torch.ops.aten.mul.Tensor](args = (%m1, 0.25), kwargs = {})
  %s2 = call_function[target=torch.ops.aten.sigmoid.default](args = (%c1,), kwargs = {})
  %m2 = call_function[target=torch.ops.aten.mul.Tensor](args = (%c1, %s2), kwargs = {})
  %e = call_function[target=torch.ops.aten.exp.default](args = (%s2,), kwargs = {})
  return (m2, e)`)

const SILU_SCALED = `
  %x = placeholder[target=x]
  %s = call_function[target=torch.ops.aten.sigmoid.default](args = (%x,), kwargs = {})
  %m = call_function[target=torch.ops.aten.mul.Tensor](args = (%x, %s), kwargs = {})
  %c = call_function[target=torch.ops.aten.mul.Tensor](args = (%m, 0.5), kwargs = {})
  return c`

describe('a traced pattern', () => {
  const { stages, kind } = traced(SILU_SCALED, ['x'], LAYERS)
  const [one, two] = stages

  it('has stage one with wildcards, and stage two with the constants of the example inputs', () => {
    expect([kind, one!.drawing, stages.map((s) => s.title)]).toEqual([
      'traced',
      null,
      ['Stage one', 'Stage two, example inputs'],
    ])
    const wildcard = byLabel(one!, 'Ignored() for 0.5')
    expect([wildcard.comparedIn, wildcard.values, wildcard.nodes]).toEqual(['two', { equal: 1, of: 5 }, ['c0']])
    expect(wildcard.sentence).toBe('Accepts any value: stage one ignores the constant, 0.5 with the example inputs.')
    const constant = byLabel(two!, '0.5')
    expect([constant.sentence, constant.comparedIn]).toEqual(['Accepts only the constant 0.5.', 'two'])
    expect(constant.stages).toMatch(/^Stage one accepts any value; stage two traces again/)
  })

  it('says what each call accepts, and counts the nodes after each check', () => {
    const [root, inner] = one!.expressions
    expect(root!.sentence).toBe(
      'Accepts a call of aten.mul.Tensor with 2 positional arguments and any number of users, because it is an output.',
    )
    expect(inner!.sentence).toBe('Accepts a call of aten.mul.Tensor with 2 positional arguments and exactly 1 user.')
    expect(checksOf(inner!)).toEqual([
      '5 nodes are aten.mul.Tensor',
      '5 have 2 positional arguments',
      '3 have exactly 1 user',
      '2 match with all arguments',
    ])
    expect([root!.alone, root!.whole, inner!.nodes]).toEqual([5, 2, ['m0', 'm1']])
    expect(byLabel(one!, 'CallFunction(aten.sigmoid.default)').alone).toBe(2)
    expect(two!.expressions[0]).toMatchObject({ alone: 1, whole: 1, nodes: ['c0'] })
  })

  it('lists an argument that occurs twice once, with the pattern node of each expression', () => {
    const [first, second] = one!.expressions.filter((e) => e.label === "KeywordArg('x')")
    expect([first!.same, second!.same]).toEqual([null, first!.index])
    expect(first!.sentence).toBe('Accepts any value and passes it to the replacement as x.')
    expect(first!.notes).toEqual(['x is in 2 places; all must have the same value.'])
    expect(second!.sentence).toBe('Accepts only the value that x is bound to.')
    expect(one!.expressions.map((e) => e.patternNode)).toEqual([3, 2, 0, 1, 0, 3])
    expect(one!.findings).toEqual([])
  })

  it('binds arguments to the inputs of the nodes that match', () => {
    expect(byLabel(one!, "KeywordArg('x')").nodes).toEqual(['a', 'c0'])
  })

  it('has one stage if no constant is a wildcard', () => {
    const relu = `
      %x = placeholder[target=x]
      %r = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
      return r`
    expect(traced(relu, ['x'], LAYERS).stages.map((s) => s.title)).toEqual(['Both stages'])
  })

  it('ignores sizes and dtypes in stage one, but neither an index of getitem nor a string or None', () => {
    const search = `
      %x = placeholder[target=x]
      %v = call_function[target=torch.ops.aten.view.default](args = (%x, [4, 8]), kwargs = {})
      %s = call_function[target=torch.ops.aten.split.Tensor](args = (%v, 4, -1), kwargs = {})
      %g = call_function[target=operator.getitem](args = (%s, 0), kwargs = {})
      %c = call_function[target=torch.ops.prims.convert_element_type.default](args = (%g, torch.float16), kwargs = {})
      %o = call_function[target=torch.ops.aten.gelu.default](args = (%c,), kwargs = {approximate: none})
      return o`
    const { stages: both } = traced(search, ['x'], LAYERS)
    expect(both[0]!.expressions.map((e) => [e.label, e.comparedIn])).toEqual([
      ['CallFunction(aten.gelu.default)', 'both'],
      ['CallFunction(prims.convert_element_type.default)', 'both'],
      ['CallFunction(operator.getitem)', 'both'],
      ['CallFunction(aten.split.Tensor)', 'both'],
      ['CallFunction(aten.view.default)', 'both'],
      ["KeywordArg('x')", 'both'],
      ['Ignored() for [4, 8]', 'two'],
      ['Ignored() for 4', 'two'],
      ['Ignored() for -1', 'two'],
      ['0', 'both'],
      ['Ignored() for torch.float16', 'two'],
      ["'none'", 'both'],
    ])
    expect(both[1]!.expressions.map((e) => [e.label, e.comparedIn]).slice(6, 9)).toEqual([
      ['[2 items]', 'two'],
      ['4', 'two'],
      ['8', 'two'],
    ])
  })
})

describe('expressions of a hand-written pattern', () => {
  const sentence = (text: string): string => written(`output = ${text}`, LAYERS).expressions[0]!.sentence

  it('say what they accept', () => {
    expect(sentence("CallFunction(aten.exp.default, KeywordArg('x'), _users=MULTIPLE)")).toMatch(
      /any number of users, because it is an output/,
    )
    const inner = written(
      `e = CallFunction(aten.exp.default, Arg(), _users=MULTIPLE)
       m = CallFunction(aten.sigmoid.default, ExclusiveKeywordArg('p'), _users=2)
       output = CallFunction(aten.cat.default, [e, m, None], *, dim=1)`,
      LAYERS,
    )
    expect(inner.expressions.map((e) => [e.where, e.sentence])).toEqual([
      [
        null,
        'Accepts a call of aten.cat.default with 2 positional arguments, the keyword argument dim and any number of users, because it is an output.',
      ],
      ['argument 0', 'Accepts a list or tuple of exactly 3 items.'],
      ['argument 0[0]', 'Accepts a call of aten.exp.default with 1 positional argument and any number of users.'],
      ['argument 0', 'Accepts any value and passes it to the handler by position.'],
      ['argument 0[1]', 'Accepts a call of aten.sigmoid.default with 1 positional argument and exactly 2 users.'],
      ['argument 0', 'Accepts any value that no other exclusive argument has, and passes it to the handler as p.'],
      ['argument 0[2]', 'Accepts only the constant None.'],
      ['argument 1', 'Accepts any value and binds nothing.'],
      ['dim', 'Accepts only the constant 1.'],
    ])
    expect(inner.expressions[0]!.notes).toEqual([
      'Keyword arguments of the node that the expression does not name are not compared.',
      'If the node has fewer keyword arguments, defaults of its schema fill them in.',
    ])
    expect(new Set(inner.expressions.map((e) => e.comparedIn))).toEqual(new Set(['one']))
  })

  it('count users exactly, unless they are outputs', () => {
    const of = (users: string) =>
      written(
        `s = CallFunction(aten.sigmoid.default, *${users})
         output = CallFunction(aten.mul.Tensor, *, s)`,
        LAYERS,
      ).expressions.find((e) => e.label.includes('sigmoid'))!
    expect(of('').nodes).toEqual(['s0', 's1'])
    expect(of(', _users=2').nodes).toEqual(['s2'])
    expect(of(', _users=MULTIPLE').nodes).toEqual(['s0', 's1', 's2'])
  })

  it('draw one node per object, inputs first', () => {
    const g = explained(LAYERS, {
      initial: patternFromText(`s = CallFunction(aten.sigmoid.default, KeywordArg('x'))
        output = CallFunction(aten.mul.Tensor, KeywordArg('x'), s)`),
    })
    expect(g.stages[0]!.drawing).toEqual([
      { label: 'x', detail: 'KeywordArg', kind: 'input', inputs: [] },
      { label: 'aten.sigmoid.default', detail: 'CallFunction', kind: 'call', inputs: [0] },
      { label: 'aten.mul.Tensor', detail: 'CallFunction', kind: 'call', inputs: [0, 1] },
    ])
    expect(g.stages[0]!.expressions.map((e) => e.drawn)).toEqual([2, 0, 1, 0])
  })

  it('list the outputs of a MultiOutputPattern; users of outputs are not compared', () => {
    const stage = written(
      `s = CallFunction(aten.sigmoid.default, KeywordArg('x'))
       output = MultiOutputPattern([CallFunction(aten.mul.Tensor, KeywordArg('x'), s), s])`,
      LAYERS,
    )
    expect(stage.expressions.map((e) => [e.where, e.kind, e.same !== null])).toEqual([
      [null, 'MultiOutputPattern', false],
      ['output 0', 'CallFunction', false],
      ['argument 0', 'KeywordArg', false],
      ['argument 1', 'CallFunction', false],
      ['argument 0', 'KeywordArg', true],
      ['output 1', 'CallFunction', true],
    ])
    expect(stage.expressions[0]!.sentence).toBe(
      'Accepts 2 outputs: the first is tried at the anchor, the others from nodes that they share with it.',
    )
    // s2 has two users: as an output it matches.
    expect(stage.expressions[0]).toMatchObject({ whole: 3, nodes: ['m0', 'm1', 'm2'] })
  })

  it('explain ListOf and RepeatedExpr', () => {
    const g = graph(`
      %a = placeholder[target=a]
      %s = call_function[target=torch.ops.aten.split.Tensor](args = (%a, 4), kwargs = {})
      %g0 = call_function[target=operator.getitem](args = (%s, 0), kwargs = {})
      %g1 = call_function[target=operator.getitem](args = (%s, 1), kwargs = {})
      %c = call_function[target=torch.ops.aten.cat.default](args = ([%g0, %g1], 1), kwargs = {})
      return c`)
    const cat = written(
      `s = CallFunction(aten.split.Tensor, KeywordArg('x'), *, _users=MULTIPLE)
       g = CallFunction(operator.getitem, s, *)
       output = CallFunction(aten.cat.default, ListOf(g), 1)`,
      g,
    )
    expect(byLabel(cat, 'ListOf(…)').sentence).toBe(
      'Accepts a list or tuple of at least one item, each of which matches the expression below.',
    )
    expect(cat.expressions[0]).toMatchObject({ alone: 1, whole: 1 })
    expect(cat.expressions.find((e) => e.where === 'each item')).toMatchObject({ alone: 2, nodes: ['g0', 'g1'] })
    const repeated = written(
      `s = CallFunction(aten.split.Tensor, KeywordArg('x'), *, _users=MULTIPLE)
       output = RepeatedExpr(CallFunction(operator.getitem, s, *))`,
      g,
    )
    expect(repeated.expressions[0]).toMatchObject({ kind: 'RepeatedExpr', whole: 2 })
    expect(repeated.expressions[1]!.where).toBe('each call')
  })

  it('compare the operator that auto_functionalized wraps with the operator', () => {
    const g = graph(`
      %a = placeholder[target=a]
      %r = placeholder[target=r]
      %f = call_function[target=torch.ops.higher_order.auto_functionalized](args = (_C.silu_and_mul.default,), kwargs = {result: %r, input: %a})
      %f2 = call_function[target=torch.ops.higher_order.auto_functionalized](args = (_C.rms_norm.default,), kwargs = {result: %r, input: %a})
      %i = call_function[target=operator.getitem](args = (%f, 1), kwargs = {})
      %i2 = call_function[target=operator.getitem](args = (%f2, 1), kwargs = {})
      return (i, i2)`)
    const stage = written(
      `af = CallFunction(auto_functionalized, <OpOverload(op='_C.silu_and_mul', overload='default')>, result=KeywordArg('result'), input=KeywordArg('input'))
       output = CallFunction(operator.getitem, af, 1)`,
      g,
    )
    const af = stage.expressions[1]!
    expect(af.label).toBe('CallFunction(auto_functionalized of _C.silu_and_mul.default)')
    expect(af.sentence).toBe(
      'Accepts a call of auto_functionalized that wraps _C.silu_and_mul.default, with 1 positional argument, the keyword arguments result and input and exactly 1 user.',
    )
    expect(checksOf(af)[0]).toBe('1 node is _C.silu_and_mul.default in auto_functionalized')
    expect(stage.expressions[0]).toMatchObject({ alone: 2, whole: 1, nodes: ['i'] })
  })
})

describe('findings', () => {
  const findings = (text: string): string[] => written(text, LAYERS).findings.map((f) => f.sentence)

  it('name an absent operator first, with what the graph has instead', () => {
    expect(findings("output = CallFunction(aten.mul.Scalar, KeywordArg('x'), 0.5)")).toEqual([
      'No node of this graph is aten.mul.Scalar: the pattern cannot fire. The graph has aten.mul.Tensor (m0 and 4 more): overloads are compared exactly.',
    ])
    expect(findings("output = CallFunction(aten.exp_.default, KeywordArg('x'))")).toEqual([
      'No node of this graph is aten.exp_.default: the pattern cannot fire. The graph has aten.exp.default (e).',
    ])
    expect(findings("output = CallFunction(aten.silu.default, KeywordArg('x'))")).toEqual([
      'No node of this graph is aten.silu.default: the pattern cannot fire. The graph has what looks like its decomposition (s0 and m0).',
    ])
    expect(findings("output = CallFunction(aten.cos.default, KeywordArg('x'))")).toEqual([
      'No node of this graph is aten.cos.default: the pattern cannot fire.',
    ])
  })

  it('name the check that no node passes, with what the nodes have', () => {
    expect(findings("output = CallFunction(aten.mul.Tensor, KeywordArg('x'), 2.0)")).toEqual([
      'None of the 5 aten.mul.Tensor nodes has 2.0 as argument 1: 3 have a node, 1 has 0.5 and 1 has 0.25.',
    ])
    expect(findings("output = CallFunction(aten.mul.Tensor, KeywordArg('x'))")).toEqual([
      'None of the 5 aten.mul.Tensor nodes has 1 positional argument: 5 have 2 arguments.',
    ])
    expect(
      findings(`s = CallFunction(aten.sigmoid.default, KeywordArg('x'), _users=3)
        output = CallFunction(aten.mul.Tensor, KeywordArg('x'), s)`),
    ).toEqual(['None of the 3 aten.sigmoid.default nodes has exactly 3 users: 2 have 1 user and 1 has 2 users.'])
  })

  it('name the innermost expression whose arguments match nowhere', () => {
    expect(
      findings(`e = CallFunction(aten.exp.default, KeywordArg('x'), _users=MULTIPLE)
        s = CallFunction(aten.sigmoid.default, e)
        output = CallFunction(aten.mul.Tensor, KeywordArg('x'), s)`),
    ).toEqual(['2 nodes pass alone, but none with its arguments (s0 and 1 more).'])
  })
})
