import { expect, test } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { createSession } from './session'

const PYTHON = `import torch
from torch._inductor.pattern_matcher import (
    CallFunction, KeywordArg, PatternMatcherPass, register_graph_pattern,
)
aten = torch.ops.aten
patterns = PatternMatcherPass()
inner = CallFunction(aten.sigmoid.default, KeywordArg("x"))

@register_graph_pattern(
    CallFunction(
        aten.mul.Tensor,
        inner,
        CallFunction(aten.add.Tensor,
                     KeywordArg("x"), 1),
    ),
    pass_dict=patterns,
)
def handler(match, x):
    pass
`
const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    return x`

test('each expression of a hand-written pattern has the line that made it', async () => {
  const session = createSession(nodeAssets())
  await session.ready
  const file = (name: string, text: string) => ({ name, text })
  session.analyze({
    name: 'w',
    graph: file('g.txt', GRAPH),
    files: [file('p.py', PYTHON)],
    options: { timeLimitS: 10 },
  })
  const [stage] = session.explainPattern('patterns', 0).stages
  expect(stage!.expressions.map((e) => `${e.label} ${e.source?.file}:${e.source?.line}`)).toEqual([
    'CallFunction(aten.mul.Tensor) p.py:10',
    'CallFunction(aten.sigmoid.default) p.py:7',
    "KeywordArg('x') p.py:7",
    'CallFunction(aten.add.Tensor) p.py:13',
    "KeywordArg('x') p.py:14",
    '1 p.py:13',
  ])
})
