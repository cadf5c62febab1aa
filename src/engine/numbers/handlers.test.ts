/** Tests the numeric comparison of graphs that handlers of register_graph_pattern edit. */
import { beforeAll, describe, expect, it } from 'vitest'
import { complete } from '../../explain/pace'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace/types'
import { createSession, type Session } from '../session/session'
import type { NumbersResult } from './types'

const HEAD = `import torch
from torch._inductor.pattern_matcher import CallFunction, Ignored, KeywordArg, PatternMatcherPass, fwd_only, register_graph_pattern, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass()
`
const graph = (inputs: string, ...lines: string[]): string =>
  ['class M(torch.nn.Module):', `    def forward(self, ${inputs}):`, ...lines.map((l) => `        ${l}`), ''].join('\n')

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

/** The numeric check of a pass against no pass. */
function numbersOf(pattern: string, text: string): NumbersResult {
  const files = (code: string) => [{ name: 'p.py', text: HEAD + code }]
  session.analyze({ name: '', graph: { name: 'g', text }, files: files(pattern) } as Workspace)
  const trials = session.fixTrials()
  const base = trials.run(files(''))
  const run = trials.run(files(pattern))
  expect(run.failure).toBeNull()
  expect(run.total).toBeGreaterThan(0)
  return complete(trials.numbers(run, base, 60_000))
}

const TWICE = graph(
  'x: "f32[8, 16]"',
  'relu: "f32[8, 16]" = torch.ops.aten.relu.default(x)',
  'neg: "f32[8, 16]" = torch.ops.aten.neg.default(relu)',
  'neg_1: "f32[8, 16]" = torch.ops.aten.neg.default(neg)',
  'exp: "f32[8, 16]" = torch.ops.aten.exp.default(neg_1)',
  'return (exp, neg)',
)
const DOUBLE_NEG = `
@register_graph_pattern(CallFunction(aten.neg.default, CallFunction(aten.neg.default, KeywordArg("x"), _users=2)), pass_dict=patterns)
def handler(match, x):`

describe('numeric check of a handler', () => {
  it('reports equal numbers for replace_all_uses_with an equal value', () => {
    const { numbers, detail } = numbersOf(
      `${DOUBLE_NEG}
    match.output_node().replace_all_uses_with(x)
    match.erase_nodes()`,
      TWICE,
    )
    expect([numbers, detail.kinds, detail.compared]).toEqual(['equal', 1, 1])
  })

  it('reports different numbers for replace_all_uses_with another value', () => {
    const { numbers, detail } = numbersOf(
      `${DOUBLE_NEG}
    match.output_node().replace_all_uses_with(match.nodes[0])
    match.erase_nodes()`,
      TWICE,
    )
    expect([numbers, detail.output]).toEqual(['different', 'neg_1'])
  })

  it('compares nodes that the handler creates, and nodes that it changes in place', () => {
    const scaled = (factor: string): NumbersResult =>
      numbersOf(
        `
@register_graph_pattern(CallFunction(aten.mul.Tensor, CallFunction(aten.mul.Tensor, KeywordArg("x"), 2), 3), pass_dict=patterns)
def handler(match, x):
    out = match.output_node()
    with match.graph.inserting_before(out):
        new = match.graph.call_function(aten.mul.Tensor, (x, ${factor}))
    new.meta.update(out.meta)
    out.replace_all_uses_with(new)
    match.erase_nodes()
`,
        graph(
          'x: "f32[8, 16]"',
          'mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(x, 2)',
          'mul_1: "f32[8, 16]" = torch.ops.aten.mul.Tensor(mul, 3)',
          'return (mul_1,)',
        ),
      )
    expect(scaled('6').numbers).toBe('equal')
    expect(scaled('5').numbers).toBe('different')
    const target = (op: string): NumbersResult =>
      numbersOf(
        `
@register_graph_pattern(CallFunction(aten.mul.Tensor, KeywordArg("x"), 0.5), pass_dict=patterns)
def handler(match, x):
    node = match.output_node()
    node.target = aten.${op}.Tensor
    node.args = (x, 2)
`,
        graph(
          'x: "f32[8, 16]"',
          'mul: "f32[8, 16]" = torch.ops.aten.mul.Tensor(x, 0.5)',
          'relu: "f32[8, 16]" = torch.ops.aten.relu.default(mul)',
          'return (relu,)',
        ),
      )
    expect(target('div').numbers).toBe('equal')
    expect(target('sub').numbers).toBe('different')
  })

  it('runs the nodes above the inputs if the handler relies on their relation', () => {
    const { numbers } = numbersOf(
      `
@register_graph_pattern(CallFunction(aten.cat.default, [KeywordArg("a"), KeywordArg("b")], 1), pass_dict=patterns)
def handler(match, a, b):
    match.output_node().replace_all_uses_with(a.args[0])
    match.erase_nodes()
`,
      graph(
        'x: "f32[8, 16]"',
        'slice_1: "f32[8, 8]" = torch.ops.aten.slice.Tensor(x, 1, 0, 8)',
        'slice_2: "f32[8, 8]" = torch.ops.aten.slice.Tensor(x, 1, 8, 16)',
        'cat: "f32[8, 16]" = torch.ops.aten.cat.default([slice_1, slice_2], 1)',
        'relu: "f32[8, 16]" = torch.ops.aten.relu.default(cat)',
        'return (relu, slice_1, slice_2)',
      ),
    )
    expect(numbers).toBe('equal')
  })

  it('compares replace_by_example beside a replacement of the same pass', () => {
    const { numbers, detail } = numbersOf(
      `
register_replacement(lambda x: -torch.relu(x), lambda x: torch.relu(x) * -1, [torch.empty(8, 16)], fwd_only, patterns)
@register_graph_pattern(CallFunction(aten.exp.default, KeywordArg("x")), pass_dict=patterns)
def handler(match, x):
    match.replace_by_example(lambda y: torch.exp(y * 0.5) * torch.exp(y * 0.5), [x])
`,
      graph(
        'x: "f32[8, 16]"',
        'relu: "f32[8, 16]" = torch.ops.aten.relu.default(x)',
        'neg: "f32[8, 16]" = torch.ops.aten.neg.default(relu)',
        'exp: "f32[8, 16]" = torch.ops.aten.exp.default(neg)',
        'return (exp,)',
      ),
    )
    expect([numbers, detail.kinds, detail.compared]).toEqual(['close', 2, 2])
  })

  it('says that a handler changed nothing', () => {
    const { numbers, detail } = numbersOf(`${DOUBLE_NEG}\n    pass`, TWICE)
    expect([numbers, detail.reason]).toEqual(['unknown', 'the rest of the graph reads nothing that was edited'])
  })
})
