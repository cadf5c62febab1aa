/** Tests that patterns of gen_register_replacement and search_fn_pattern are aligned like traced ones. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'

const PATTERNS = `
import os
import torch
from torch._inductor.pattern_matcher import (
    CallFunction, Ignored, KeywordArg, PatternMatcherPass, fwd_only, gen_register_replacement, joint_fwd_bwd,
    register_replacement,
)
os.environ["PYTORCH_GEN_PATTERNS"] = "1"
aten = torch.ops.aten
patterns = PatternMatcherPass()

def masked(scores, mask):
    return torch.exp(torch.relu(scores + mask))

def replacement(scores, mask):
    return torch.sigmoid(mask + scores)

t = [torch.empty(4, 8, requires_grad=True), torch.empty(4, 8)]
`

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, s: "f32[4, 8]cpu", m: "f32[4, 8]cpu"):
        add: "f32[4, 8]cpu" = torch.ops.aten.add.Tensor(m, s)
        relu: "f32[4, 8]cpu" = torch.ops.aten.relu.default(add)
        neg: "f32[4, 8]cpu" = torch.ops.aten.neg.default(relu)
        exp: "f32[4, 8]cpu" = torch.ops.aten.exp.default(neg)
        return (exp,)
`

describe('a pattern that was traced before', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  const nearest = (code: string) =>
    explainCase(interpreter, { id: 'a', pattern_py: PATTERNS + code, graph: GRAPH }).passes[0]!.nearMisses

  it('aligns with the graph, with the lines of its search function', () => {
    const [miss] = nearest('gen_register_replacement("m", masked, replacement, t, fwd_only, patterns)\n')
    expect(miss).toMatchObject({ score: 3, of: 3 })
    expect(miss!.causes!.map((c) => [c.kind, c.graphNode, c.source?.line])).toEqual([['inserted-node', 'neg', 13]])
  })

  it('has variants of one class for inference and training', () => {
    const kinds = ['inference', 'training'].map(
      (kind) =>
        `gen_register_replacement("masked_${kind}", masked, replacement, t, ${kind === 'training' ? 'joint_fwd_bwd' : 'fwd_only'}, patterns)\n`,
    )
    const { passes } = explainCase(interpreter, { id: 'a', pattern_py: PATTERNS + kinds.join(''), graph: GRAPH })
    const { entries } = passes[0]!
    expect(entries.map((e) => [e.title, e.bindings.pattern_name])).toEqual([
      ['masked', "'masked_inference'"],
      ['masked', "'masked_training'"],
    ])
  })

  it('aligns as written where only the pattern is known', () => {
    const [miss] = nearest(`
given = CallFunction(aten.exp.default, CallFunction(aten.relu.default,
    CallFunction(aten.add.Tensor, KeywordArg("scores"), KeywordArg("mask"))))
register_replacement(masked, replacement, t, fwd_only, patterns, search_fn_pattern=given)
`)
    expect(miss).toMatchObject({ score: 3, of: 3 })
    expect(miss!.causes!.map((c) => [c.kind, c.graphNode])).toEqual([['inserted-node', 'neg']])
  })
})
