/** Why a search of SubgraphMatcher, as replace_pattern makes it, finds nothing; and that PyTorch's recorded matches have no cause. */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { explainPair } from '../../explain/explain'
import { nodeAssets } from '../../python/node_assets'
import { caseExplanation, caseRun, explainCase } from '../cases/cases'
import { Interpreter } from '../run/interpreter'

const HEAD = `import torch
from torch.fx.subgraph_rewriter import replace_pattern
aten = torch.ops.aten
`
const TAIL = `
def fuse(gm):
    replace_pattern(gm, pattern, replacement)
`
const ATEN = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]", y: "f32[8, 4]"):
        mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(x, 0.5)
        add: "f32[8, 4]" = torch.ops.aten.add.Tensor(mul, y)
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(add)
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(relu)
        double: "f32[8, 4]" = torch.ops.aten.add.Tensor(exp, exp)
        tanh: "f32[8, 4]" = torch.ops.aten.tanh.default(double)
        return (tanh, add)
`
const DYNAMO = `class GraphModule(torch.nn.Module):
    def forward(self, L_x_: "f32[8, 4]"):
        h: "f32[8, 4]" = self.fc(L_x_)
        r: "f32[8, 4]" = torch.relu(h)
        t: "f32[8, 4]" = r.tanh()
        s: "f32[8]" = torch.sum(t, dim=-1, keepdim=False)
        return (s,)
`
const both = (args: string, value: string): string =>
  `def pattern(${args}):\n    return ${value}\ndef replacement(${args}):\n    return ${value}`

type Case = [what: string, graph: string, python: string, kind: string, part: string, fix: string | null]
const CASES: Case[] = [
  [
    'a literal',
    ATEN,
    both('x, y', 'aten.add.Tensor(aten.mul.Tensor(x, 0.25), y)'),
    'constant',
    '0.5',
    'Change 0.25 to 0.5',
  ],
  ['the type of a literal', ATEN, both('x', 'aten.mul.Tensor(x, 1) * 1'), 'wrong-operator', '.mul', null],
  [
    'a user outside',
    ATEN,
    both('x, y', 'aten.relu.default(aten.add.Tensor(x, y))'),
    'escaping-intermediate',
    'add',
    'Return kept',
  ],
  [
    'a user outside, and a replacement in which the carried change raises',
    ATEN,
    'def pattern(x, y):\n    return aten.relu.default(aten.add.Tensor(x, y))\ndef replacement(x, y):\n    return aten.tanh.default(x)',
    'escaping-intermediate',
    'add',
    null,
  ],
  ['operands', ATEN, both('x, y', 'aten.add.Tensor(y, aten.mul.Tensor(x, 0.5))'), 'operand-order', 'add', 'Swap y'],
  [
    'an operator less',
    ATEN,
    both('x', 'aten.exp.default(aten.neg.default(aten.relu.default(x)))'),
    'missing-node',
    'neg',
    'Leave out',
  ],
  [
    'one value for two arguments',
    ATEN,
    both('x, y', 'aten.tanh.default(aten.add.Tensor(x, y))'),
    'repeated-argument',
    'x and y',
    'Use x in place of y',
  ],
  [
    'functions for operators',
    ATEN,
    both('x', 'torch.exp(torch.relu(x))'),
    'graph-level',
    'torch.ops.aten',
    'Write torch.relu as',
  ],
  [
    'a function for a method',
    DYNAMO,
    both('x', 'torch.tanh(torch.relu(x))'),
    'wrong-operator',
    '.tanh',
    'Write torch.tanh as .tanh',
  ],
  [
    'one function for a method',
    DYNAMO,
    both('x', 'torch.tanh(x)'),
    'wrong-operator',
    '.tanh',
    'Write torch.tanh as .tanh',
  ],
  [
    'keywords',
    DYNAMO,
    both('x', 'torch.sum(x.tanh(), keepdim=False, dim=-1)'),
    'kwarg-order',
    'keepdim, dim',
    'Swap the keyword arguments',
  ],
  [
    'arguments by position',
    DYNAMO,
    both('x', 'torch.sum(x.tanh(), -1, keepdim=False)'),
    'arity',
    '1 positional argument',
    null,
  ],
  [
    'the path of a module',
    DYNAMO,
    `class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
    def forward(self, x):
        return torch.relu(self.linear(x))
pattern = torch.fx.symbolic_trace(Block())
def replacement(x):
    return x`,
    'wrong-operator',
    'h is self.fc (Linear) in the graph, the pattern has self.linear (Linear) there: replace_pattern compares modules by their path',
    null,
  ],
]

interface Recorded {
  id: string
  file: string
  graph: string
}
const recorded = readFileSync(new URL('../../../conformance/rewriter/recorded.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

describe('a search of SubgraphMatcher', () => {
  let interpreter: Interpreter
  beforeAll(async () => {
    interpreter = await Interpreter.start(nodeAssets())
  })

  it.each(CASES)('misses by %s', (...[, graph, python, kind, part, fix]) => {
    const input = { id: 'case', pattern_py: HEAD + python + TAIL, graph, passes: ['fuse'] }
    const { passes } = explainCase(interpreter, input, { fixes: true })
    const [cause] = passes.flatMap((p) => [...p.nearMisses.flatMap((m) => m.causes ?? []), ...p.causes])
    expect(cause).toMatchObject({ kind, sentence: expect.stringContaining(part) as string })
    const fixes = cause!.fixes ?? []
    if (fix === null) expect(fixes).toEqual([])
    else
      expect(fixes[0]).toMatchObject({
        title: expect.stringContaining(fix) as string,
        matchesBefore: 0,
        matchesAfter: 1,
      })
  })

  it('says which filter refuses a match, and what a match overlaps', () => {
    const ids = ['filters', 'overlapping-odd-chain', 'would-form-a-cycle']
    const sentences = recorded
      .filter((c) => ids.includes(c.id))
      .map(({ id, file, graph }) => {
        const { passes } = explainCase(interpreter, { id, pattern_py: file, graph })
        return passes.flatMap((p) => p.nearMisses).map((m) => m.causes![0]!.sentence)[0]
      })
    expect(sentences).toEqual([
      expect.stringContaining('an earlier match of the pattern already has one of these nodes'),
      expect.stringContaining('a node outside the match lies between its nodes'),
      expect.stringContaining('the match filter of pattern returned False at user_pattern.py'),
    ])
  })

  it('says which earlier rewrite made the node whose missing value a filter reads, until FakeTensorProp sets it', () => {
    const graph = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        _guards_fn = self._guards_fn(x);  _guards_fn = None
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(x)
        mul: "f32[8, 4]" = torch.ops.aten.mul.Tensor(relu, 0.5)
        tanh: "f32[8, 4]" = torch.ops.aten.tanh.default(mul)
        return (tanh,)
`
    const python = (between: string): string => `import torch
from torch.fx.passes.fake_tensor_prop import FakeTensorProp
from torch.fx.subgraph_rewriter import replace_pattern, replace_pattern_with_filters
aten = torch.ops.aten
def has_rank_2(match, graph, pattern):
    for node in match.nodes_map.values():
        if node.op == "call_function":
            val = node.meta.get("val")
            if val is None or val.ndim != 2:
                return False
    return True
def fuse(gm):
    replace_pattern(gm, lambda x: aten.mul.Tensor(aten.relu.default(x), 0.5), lambda x: aten.hardtanh.default(x))
    ${between}
    replace_pattern_with_filters(
        gm, lambda x: aten.tanh.default(aten.hardtanh.default(x)), lambda x: aten.sigmoid.default(x), [has_rank_2]
    )
`
    const explained = (between: string) =>
      explainCase(interpreter, { id: 'made', pattern_py: python(between), graph, passes: ['fuse'] }).passes
    const [, second] = explained('pass')
    expect(second!.nearMisses.map((m) => m.causes![0]!.sentence)).toEqual([
      expect.stringContaining(
        'returned False at user_pattern.py:10: if val is None; it read node.meta["val"], which is absent on hardtanh_default: user_pattern.py:13 makes the node',
      ),
    ])
    const propagated = explained(
      'FakeTensorProp(gm).propagate(*[n.meta["val"] for n in gm.graph.nodes if n.op == "placeholder"])',
    )
    expect(propagated.map((p) => p.count)).toEqual([1, 1])
  })

  it('lints arguments in another order, and literals that are ignored', () => {
    const python = `${HEAD.replace('replace_pattern', 'replace_pattern, replace_pattern_with_filters')}
def pattern(x, y):
    return aten.add.Tensor(aten.mul.Tensor(x, 0.25), y)
def replacement(y, x):
    return aten.sub.Tensor(x, y)
def fuse(gm):
    replace_pattern_with_filters(gm, pattern, replacement, ignore_literals=True)
`
    const input = { id: 'lints', pattern_py: python, graph: ATEN.replace('(tanh, add)', '(tanh,)'), passes: ['fuse'] }
    const { lints } = explainCase(interpreter, input, {}).passes[0]!
    expect(lints.map((l) => l.sentence)).toEqual([
      'ignore_literals takes any literal: mul has 0.5 where the pattern has 0.25, and the replacement does not receive it',
      expect.stringContaining('the replacement function takes (y, x) and the search function (x, y)'),
    ])
  })

  it('has no cause where PyTorch matched, and one where it did not', () => {
    // Matched by name, and with options that compare the output and the inputs.
    const others = ['node-name-match', 'output-and-inputs-matched']
    const wrong: string[] = []
    let searches = 0
    for (const { id, file, graph } of recorded.filter((c) => !others.includes(c.id))) {
      const { run } = caseRun(interpreter, { id, pattern_py: file, graph }, 'attempts')
      const explained = caseExplanation(interpreter, run, {})
      run.pipeline.passes.forEach(({ toExplain }, i) => {
        const { nearMisses, causes } = explained.passes[i]!
        for (const { index } of toExplain.entries) {
          searches++
          const matches = toExplain.matches.filter((m) => m.entry === index)
          const pairs = matches.map((m) => explainPair({ ...toExplain, matches: [] }, index, m.node))
          if (pairs.some((p) => p!.causes!.length > 0)) wrong.push(`${id}: a match has a cause`)
          const told = [...nearMisses.filter((m) => m.entry === index), ...causes.filter((c) => c.entry === index)]
          if (matches.length === 0 && told.length === 0) wrong.push(`${id}: a miss has none`)
        }
      })
    }
    expect(wrong).toEqual([])
    expect(searches).toBeGreaterThan(60)
  })

  it('are explained up to a number, which the stage says', () => {
    const file = `${HEAD}
def pattern(x):
    return aten.relu.default(aten.neg.default(x))
def replacement(x):
    return x
def fuse(gm):
    for _ in range(203):
        replace_pattern(gm, pattern, replacement)
`
    const input = { id: 'many', pattern_py: file, graph: ATEN, passes: ['fuse'] }
    const { run } = caseRun(interpreter, input, 'attempts')
    expect(run.pipeline.stages.flatMap((stage) => stage.did?.notes ?? [])).toEqual([
      'SubgraphMatcher searched 203 times; the first 200 searches are explained.',
    ])
    expect(run.pipeline.passes.flatMap((pass) => pass.toExplain.entries)).toHaveLength(200)
  })
})
