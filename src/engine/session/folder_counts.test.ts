import { beforeAll, describe, expect, it, vi } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import type { Workspace } from '../../workspace'
import { Session } from './session'

const PASS = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement

aten = torch.ops.aten
patterns = PatternMatcherPass()


def search(x):
    return aten.relu.default(aten.add.Tensor(x, 1))


register_replacement(search, lambda x: aten.relu.default(x), [torch.empty(4)], fwd_only, patterns)
`
const graphOf = (times: number): string =>
  [
    'class G(torch.nn.Module):',
    '    def forward(self, x_0: "f32[4]"):',
    ...Array.from({ length: times }, (_, i) => [
      `        add_${i}: "f32[4]" = torch.ops.aten.add.Tensor(x_${i}, 1)`,
      `        x_${i + 1}: "f32[4]" = torch.ops.aten.relu.default(add_${i})`,
    ]).flat(),
    `        return (x_${times},)`,
  ].join('\n')
const workspace = (text: string, times = 1): Workspace => ({
  name: 'w',
  graph: { name: `g${times}`, text: graphOf(times) },
  files: [{ name: 'p.py', text }],
  options: { timeLimitS: 10 },
})

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

describe('counts of a folder', () => {
  it('are those of a report, and Python runs once for several graphs', () => {
    const run = vi.spyOn(session.interpreter.host, 'run')
    const counts = [1, 3, 2].map((n) => session.counts(workspace(PASS, n)))
    expect(counts.map((c) => c.passes)).toEqual(
      [1, 3, 2].map((count) => [{ pass: 'patterns', patterns: 1, count, unshaped: 0, error: null }]),
    )
    expect(run).toHaveBeenCalledTimes(1)
    expect(session.analyze(workspace(PASS, 3)).report.passes[0]!.count).toBe(3)
    // The analysis took Python.
    session.counts(workspace(PASS, 2))
    expect(run).toHaveBeenCalledTimes(3)
    run.mockRestore()
  })

  it('say why a folder does not run, and which functions nobody calls', () => {
    expect(session.counts(workspace('x = 1\nx / 0\n'))).toMatchObject({
      passes: [],
      failure: 'p.py:2: ZeroDivisionError: division by zero',
    })
    expect(session.counts(workspace('x = 1\n')).failure).toMatch(/PatternMatcherPass/)
    const late = PASS.replace('register_replacement(search', 'def register():\n    register_replacement(search')
    expect(session.counts(workspace(late)).uncalled).toEqual(['p.register'])
  })

  it('name the exception that ends a pass, and what is wrong with the graph', () => {
    const raising = PASS.replace('patterns)\n', 'patterns, extra_check=lambda m: 1 / 0)\n')
    expect(session.counts(workspace(raising)).passes).toMatchObject([{ error: 'ZeroDivisionError: division by zero' }])
    const given = workspace(PASS)
    const bad = { ...given, graph: { name: 'bad', text: 'graph():\n    %x : [num_users=1] = placeholder[target=x\n' } }
    expect(session.counts(bad)).toMatchObject({ notes: [expect.stringContaining('bad:2:')] })
  })
})
