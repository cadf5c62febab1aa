/** Tests over lines that PyTorch 2.14.1 printed (testing/torch_2_14.txt), both raw and as people paste them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { plainText } from '../../base/message'
import { locate, parseDebugOutput, type DebugGraph, type DebugPass } from '.'
import { makeCause } from '../causes'

const LOG = readFileSync(new URL('./testing/torch_2_14.txt', import.meta.url), 'utf8')
const messages = LOG.trim()
  .split('\n')
  .map((l) => l.replace(/^.*?\] /, ''))
const essence = (text: string): unknown[] =>
  parseDebugOutput(text)
    .filter((l) => l.kind !== 'other')
    .map(({ kind, node, reason, patternText }) => [kind, node, reason, patternText?.replace(/\s+/g, ' ')])

describe('parseDebugOutput', () => {
  it('reads each line of a real log', () => {
    const lines = parseDebugOutput(LOG)
    expect(lines.map((l) => `${l.kind} ${l.node} ${l.reasonKind ?? ''}`.trim())).toEqual([
      'initial-failed cos_1 constant_args',
      'initial-matched cos',
      'specific-matched cos',
      'initial-failed relu_3 multiple_users',
      'initial-failed relu_2 function_mismatch',
      'initial-matched relu_1',
      'specific-matched relu_1',
      'initial-failed mul_2 function_mismatch',
      'initial-failed mul_2 multiple_users',
      'initial-matched mul_1',
      'specific-failed mul_1 constant_args',
      'initial-failed mul_1 function_mismatch',
      'initial-matched mul',
      'specific-failed mul constant_args',
      'initial-failed mul function_mismatch',
      'initial-matched relu',
      'specific-matched relu',
    ])
    expect(lines.every((l) => !l.truncated)).toBe(true)
    expect(lines[4]).toMatchObject({
      reasonNodes: ['sub'],
      partText: "CallFunction(aten.add.Tensor, KeywordArg('x'), KeywordArg('y'))",
    })
  })

  it.each([
    ['bare', (m: string) => m],
    ['a rank', (m: string) => `[rank0]:W1121 12:00:13.046000 4866 torch/_inductor/pattern_matcher.py:2683] [0/0] ${m}`],
    ['Python logging', (m: string) => `WARNING:torch._inductor.pattern_matcher:${m}`],
    ['2.1 to 2.2', (m: string) => `[2023-10-04 13:00:00,123] torch._inductor.pattern_matcher: [WARNING] ${m}`],
    [
      '2.2 with frame',
      (m: string) => `[2024-02-04 13:00:00,123] [0/0] torch._inductor.pattern_matcher: [WARNING] ${m}`,
    ],
    ['vLLM', (m: string) => `(EngineCore_0 pid=1234) WARNING 05-12 12:00:00 [pattern_matcher.py:2683] ${m}`],
    [
      'a worker',
      (m: string) => `(Worker_TP0 pid=77) W1121 12:00:13.046000 77 torch/_inductor/pattern_matcher.py:9] ${m}`,
    ],
    [
      'colors',
      (m: string) => `\u001b[33mW1121 12:00:13.046000 4866 torch/_inductor/pattern_matcher.py:2683]\u001b[0m ${m}`,
    ],
  ])('reads through the prefix of %s', (_, prefix) => {
    expect(essence(messages.map(prefix).join('\n'))).toEqual(essence(LOG))
  })

  it('joins lines that a terminal wrapped', () => {
    const wrapped = LOG.trim()
      .split('\n')
      .map((l) => l.match(/.{1,120}/g)!.join('\n'))
      .join('\n')
    const lines = parseDebugOutput(wrapped).filter((l) => l.kind !== 'other')
    expect(lines.map((l) => [l.kind, l.node])).toEqual(parseDebugOutput(LOG).map((l) => [l.kind, l.node]))
  })

  it('joins multi-line tree specs of args_structure, with and without a prefix on each line', () => {
    const message = `add(x, y) args_structure TreeSpec(tuple, None, [TreeSpec(tuple, None, [*]),
  TreeSpec(dict, ['input', '_all_bases'], [*,
    TreeSpec(tuple, None, [*])])]) TreeSpec(tuple, None, [TreeSpec(tuple, None, [*]),
  TreeSpec(dict, ['input'], [*])]) CallFunction(aten.add.Tensor, KeywordArg('x'))`
    for (const prefix of ['', 'W1121 12:00:13.046000 4866 torch/_inductor/pattern_matcher.py:2683] ']) {
      const text = message
        .split('\n')
        .map((l) => prefix + l)
        .join('\n')
      expect(parseDebugOutput(`${text}\n${messages[3]}`)).toMatchObject([
        {
          kind: 'initial-failed',
          reasonKind: 'args_structure',
          patternText: "CallFunction(aten.add.Tensor, KeywordArg('x'))",
        },
        { kind: 'initial-failed', reasonKind: 'multiple_users', line: 5 },
      ])
    }
  })

  it('keeps unrelated lines and marks them as not from the matcher', () => {
    const other = ['Traceback (most recent call last):', 'compiling(fn, 3)', 'INFO 05-12 hello', 'x = foo(bar) baz']
    const lines = parseDebugOutput([other[0], messages[3], ...other.slice(1)].join('\n'))
    expect(lines.map((l) => l.kind)).toEqual(['other', 'initial-failed', 'other', 'other', 'other'])
    expect(lines.map((l) => l.line)).toEqual([1, 2, 3, 4, 5])
  })

  it('parses as much as possible of a truncated line', () => {
    const whole = messages[10]!
    for (let n = 0; n <= whole.length; n += 7) expect(() => parseDebugOutput(whole.slice(0, n))).not.toThrow()
    expect(parseDebugOutput(whole.slice(0, 130))[0]).toMatchObject({
      kind: 'specific-failed',
      node: 'mul_1',
      reason: 'constant_args: mul_1 3.0!=2.0',
      truncated: true,
    })
  })

  it('parses tens of thousands of lines', () => {
    expect(parseDebugOutput(Array.from({ length: 1500 }, () => LOG.trim()).join('\n'))).toHaveLength(1500 * 17)
  })
})

/** A graph with the nodes that a log names: name, target, arguments, inputs by name. */
function graphOf(rows: readonly [string, string, string[]][]): DebugGraph {
  const at = new Map(rows.map(([name], i) => [name, i]))
  return {
    nodes: rows.map(([name, target, args]) => ({
      name,
      target,
      inner: null,
      args,
      inputs: args.flatMap((a) => at.get(a) ?? []),
      users: rows.flatMap(([, , theirs], i) => (theirs.includes(name) ? [i] : [])),
    })),
  }
}

describe('locate', () => {
  const graph = graphOf([
    ['x', 'x', []],
    ['y', 'y', []],
    ['sub', 'aten.sub.Tensor', ['x', 'y']],
    ['relu_2', 'aten.relu.default', ['sub']],
    ['add_2', 'aten.add.Tensor', ['x', 'y']],
    ['relu_3', 'aten.relu.default', ['add_2']],
    ['view', 'aten.view.default', ['x', '[4, 8]']],
    ['tanh', 'aten.tanh.default', ['view']],
    ['mul', 'aten.mul.Tensor', ['tanh', '2.0']],
    ['output', 'output', ['relu_2', 'add_2', 'relu_3', 'mul']],
  ])
  const cause = makeCause({
    reason: { kind: 'escaping-value', node: 'add_2', users: ['output'], dead: [] },
  })
  const passes: DebugPass[] = [
    {
      name: 'patterns',
      entries: [
        {
          index: 0,
          title: 'other',
          text: "relu_default = CallFunction(aten.relu.default, KeywordArg('x'))\noutput = CallFunction(aten.exp.default, relu_default, _users=0)",
        },
        {
          index: 1,
          title: 'search',
          text: "add_tensor = CallFunction(aten.add.Tensor, KeywordArg('x'), KeywordArg('y'))\noutput = CallFunction(aten.relu.default, add_tensor, _users=0)",
        },
        {
          index: 2,
          title: 'scaled',
          text: "view_default = CallFunction(aten.view.default, KeywordArg('x'), Ignored())\ntanh_default = CallFunction(aten.tanh.default, view_default)\noutput = CallFunction(aten.mul.Tensor, tanh_default, Ignored(), _users=0)",
        },
      ],
      nearMisses: [{ entry: 1, anchors: ['relu_3'], causes: [cause] }],
      matches: [],
    },
  ]
  const located = locate(parseDebugOutput(LOG), graph, passes)
  const of = (node: string, kind: string) => located.find((l) => l.node === node && l.kind === kind)!
  const names = (l: { about: number[] }): string[] => l.about.map((i) => graph.nodes[i]!.name)

  it('finds the node with the extra user, which PyTorch does not name', () => {
    const line = of('relu_3', 'initial-failed')
    expect(names(line)).toEqual(['add_2'])
    expect(line).toMatchObject({ pass: 'patterns', entry: 1, cause })
    expect(plainText(line.means ?? [])).toContain('relu_3 and output')
    expect(plainText(line.misleads ?? [])).toContain('neither the node nor who uses it')
  })

  it('distinguishes a different operator from a different number of arguments', () => {
    const line = of('relu_2', 'initial-failed')
    expect(names(line)).toEqual(['sub'])
    expect(plainText(line.means ?? [])).toContain('sub is aten.sub.Tensor, and the pattern has aten.add.Tensor')
    const arity = locate(
      parseDebugOutput(
        "relu_3(add_2,) function_mismatch: node=add_2, pattern=CallFunction(aten.add.Tensor, KeywordArg('x'), KeywordArg('y'), *) CallFunction(aten.relu.default, CallFunction(aten.add.Tensor, KeywordArg('x'), KeywordArg('y'), *), _users=0)",
      ),
      graph,
      [],
    )[0]!
    expect(plainText(arity.means ?? [])).toContain('2 in the graph, 3 in the pattern')
    expect(plainText(arity.misleads ?? [])).toContain('another operator')
  })

  it('links a stage-two line to its stage-one pattern', () => {
    const line = of('mul', 'specific-failed')
    expect(line).toMatchObject({ pass: 'patterns', entry: 2 })
    expect(names(line)).toEqual(['view'])
    expect(plainText(line.means ?? [])).toContain('view has 4 in the graph where the pattern has 2')
    expect(plainText(of('mul', 'initial-matched').misleads ?? [])).toContain('the next line')
  })

  it('reports a node that is not in the graph', () => {
    expect(of('cos', 'initial-matched')).toMatchObject({ nodeIndex: null, entry: null })
    expect(plainText(of('cos', 'initial-matched').misleads ?? [])).toContain('no node cos')
  })
})
