import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Duplicate } from '../protocol'
import { Session } from '../session/session'

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
first, second = PatternMatcherPass(), PatternMatcherPass()
def add(search, rows, into=first):
    register_replacement(search, lambda x: aten.sigmoid(x), [torch.empty(rows, 4)], fwd_only, into)
`
let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function duplicates(code: string): (Duplicate[] | undefined)[] {
  const graph = { name: 'g.txt', text: 'graph():\n    return ()\n' }
  const files = [{ name: 'p.py', text: HEAD + code }]
  const { report } = session.analyzeWhole({ name: 'w', graph, files, options: { timeLimitS: 10 } })
  if (report.python) throw new Error(report.python.traceback)
  return report.passes.map((p) => p.duplicates)
}

describe('one pattern registered twice', () => {
  it('is found even if the example inputs hide it from PyTorch', () => {
    expect(duplicates('for rows in (2, 3): add(lambda x: aten.relu(x + torch.ones(x.shape)), rows)')).toEqual([
      [{ entry: 1, first: { pass: 'first', entry: 0 } }],
      undefined,
    ])
  })
  it('is found in another pass', () => {
    expect(duplicates('add(lambda x: aten.relu(x), 2); add(lambda y: aten.relu(y), 2, second)')).toEqual([
      undefined,
      [{ entry: 0, first: { pass: 'first', entry: 0 } }],
    ])
  })
  it('is not reported if a constant distinguishes the two', () => {
    expect(duplicates('for k in (2, 3): add(lambda x: aten.relu(x * k), k)')).toEqual([undefined, undefined])
  })
})
