import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { createSession, type Session } from '../session/session'
import type { CompareReport } from './types'

const GRAPH = `class <lambda>(torch.nn.Module):
    def forward(self, x: "f16[8, 16][16, 1]cpu", w: "f16[16, 16][16, 1]cpu", w1: "f16[16, 16][16, 1]cpu"):
        mm: "f16[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(x, w)
        mul: "f16[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(mm, 0.5)
        relu: "f16[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(mul)
        mm_1: "f16[8, 16][16, 1]cpu" = torch.ops.aten.mm.default(relu, w1)
        mul_1: "f16[8, 16][16, 1]cpu" = torch.ops.aten.mul.Tensor(mm_1, 0.5)
        relu_1: "f16[8, 16][16, 1]cpu" = torch.ops.aten.relu.default(mul_1)
        return (relu_1,)`

const FUSION = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

patterns = PatternMatcherPass()


def scaled_relu(x, w):
    return torch.relu(torch.mm(x, w) * 0.5)


def replace(x, w):
    return torch.mm(x, w)


inputs = [torch.empty(4, 4, dtype=torch.float16), torch.empty(4, 4, dtype=torch.float16)]
register_replacement(
    scaled_relu, replace, inputs, fwd_only, patterns,
    extra_check=lambda match: match.kwargs["x"].meta["val"].dtype == torch.float16,
)
`

let session: Session
beforeAll(async () => {
  session = createSession(nodeAssets())
  await session.ready
})

function compare(now: string): CompareReport {
  const options = { timeLimitS: 60 }
  const files = [{ name: 'fusion.py', text: FUSION }]
  const graphs = [{ name: 'old.py', text: GRAPH }]
  session.analyze({ name: 'test', graph: { name: 'new.py', text: now }, graphs, files, options })
  return session.compare('old.py', 'old')
}

const lostAt = ({ lost }: CompareReport): [string[], string, string][] =>
  lost.map((m) => [m.places.map((p) => p.node).sort(), m.how, m.sentence])
const BACK = 'undone in the new graph, the match is back.'

describe('the change that takes a match away', () => {
  it.each<[string, string, string[], string]>([
    [
      'a constant',
      GRAPH.replace('(mm_1, 0.5)', '(mm_1, 0.25)'),
      ['relu_1'],
      `mul_1 has 0.25 instead of 0.5 as argument 2: ${BACK}`,
    ],
    [
      'a constant in every layer',
      GRAPH.replaceAll('0.5', '0.25'),
      ['relu', 'relu_1'],
      `mul has 0.25 instead of 0.5 as argument 2 (2 places): ${BACK}`,
    ],
    [
      'an overload',
      GRAPH.replace('mul.Tensor(mm_1', 'mul.Scalar(mm_1'),
      ['relu_1'],
      `mul_1 runs aten.mul.Scalar instead of aten.mul.Tensor: ${BACK}`,
    ],
    [
      'a target',
      GRAPH.replace('relu.default(mul_1)', 'gelu.default(mul_1)'),
      ['relu_1'],
      `relu_1 runs aten.gelu.default instead of aten.relu.default: ${BACK}`,
    ],
    [
      'an inserted node',
      GRAPH.replace(
        'mul_1: ',
        'clone: "f16[8, 16][16, 1]cpu" = torch.ops.aten.clone.default(mm_1)\n        mul_1: ',
      ).replace('Tensor(mm_1', 'Tensor(clone'),
      ['relu_1'],
      `aten.clone.default (clone) is inserted before mul_1: ${BACK}`,
    ],
    [
      'a second user',
      GRAPH.replace(
        'return (relu_1,)',
        'sin: "f16[8, 16][16, 1]cpu" = torch.ops.aten.sin.default(mul_1)\n        return (relu_1, sin)',
      ),
      ['relu_1'],
      `aten.sin.default (sin) is inserted: ${BACK}`,
    ],
    [
      'a removed node',
      GRAPH.replace(/ +mul_1: .*\n/, '').replace('(mul_1)', '(mm_1)'),
      ['relu_1'],
      `aten.mul.Tensor (mul_1) is removed before relu_1: ${BACK}`,
    ],
    ['a dtype that extra_check reads', GRAPH.replaceAll('f16', 'bf16'), ['relu', 'relu_1'], ''],
  ])('%s', (name, now, nodes, sentence) => {
    const found = lostAt(compare(now))
    expect(found.map(([at]) => at)).toEqual([nodes])
    expect(found[0]![1]).toBe('undone')
    if (sentence !== '') expect(found[0]![2]).toBe(sentence)
    else expect(found[0]![2]).toContain('float16')
  })

  it('names changes that only decide together', () => {
    const found = compare(
      GRAPH.replace('(mm_1, 0.5)', '(mm_1, 0.25)').replace('relu.default(mul_1)', 'gelu.default(mul_1)'),
    )
    expect(found.lost).toMatchObject([{ how: 'undone', decided: [expect.anything(), expect.anything()] }])
    expect(found.lost[0]!.sentence).toMatch(/^2 changes together: /)
    expect(found.kept).toEqual([{ pass: 'patterns', count: 1 }])
  })

  it('is looked for the other way round for a match that is won', () => {
    session.analyze({
      name: 'test',
      graph: { name: 'new.py', text: GRAPH },
      graphs: [{ name: 'old.py', text: GRAPH.replace('(mm_1, 0.5)', '(mm_1, 0.25)') }],
      files: [{ name: 'fusion.py', text: FUSION }],
      options: { timeLimitS: 60 },
    })
    const { lost, won } = session.compare('old.py', 'old')
    expect(lost).toEqual([])
    expect(won).toMatchObject([
      {
        how: 'undone',
        sentence: 'mul_1 has 0.5 instead of 0.25 as argument 2: alone in the old graph, the match appears there.',
      },
    ])
  })
})

it('finds no change and loses no match under other names', () => {
  const renamed = GRAPH.replaceAll('mm_1', 'product').replaceAll('relu', 'act').replaceAll('aten.act', 'aten.relu')
  const { changes, lost, won, kept } = compare(renamed)
  expect([changes, lost, won]).toEqual([[], [], []])
  expect(kept).toEqual([{ pass: 'patterns', count: 2 }])
})
