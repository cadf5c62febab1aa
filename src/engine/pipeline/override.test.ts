/** Tests subclasses of PatternMatcherPass that override `apply` or `__call__`: the override runs, not the matcher. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { Session } from '../session/session'

const GRAPH = `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        exp: "f32[8, 4]" = torch.ops.aten.exp.default(x);  x = None
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(exp);  exp = None
        return (neg,)
`

const HEAD = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
def register(into, search, replace):
    register_replacement(search, replace, [torch.empty(8, 4)], fwd_only, into)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

function run(text: string) {
  const files = [{ name: 'passes.py', text: HEAD + text }]
  const graph = { name: 'graph.txt', text: GRAPH }
  const { report } = session.analyze({ name: 'own', graph, files, options: { timeLimitS: 10 } })
  if (report.python) throw new Error(report.python.traceback)
  return {
    counts: report.passes.map((p) => [p.name, p.count]),
    after: report.after!.nodes.map((n) => n.target),
    did: report.pipeline!.stages.find((s) => s.kind === 'pass')!.did,
  }
}

describe('a class of patterns with an apply or __call__ of its own', () => {
  const patterns = (method: string, body: string): string => `class P(PatternMatcherPass):
    def ${method}(self, graph):
        ${body}
p = P()
register(p, lambda x: aten.neg(aten.exp(x)), lambda x: aten.tanh(x))
`
  const asSuch = (method: string) =>
    `P.${method} runs as user code in place of the matcher: its return value is not a number of matches.`
  const skipped = (method: string) => `P.${method} was called but did not apply these patterns.`
  const before = ['x', 'aten.exp.default', 'aten.neg.default', 'output']

  it.each(['apply', '__call__'])('reports %s that does not call the matcher, with no match', (method) => {
    const ran = run(patterns(method, 'return 999'))
    expect(ran.counts).toEqual([['p', 0]])
    expect(ran.after).toEqual(before)
    expect(ran.did!.notes).toEqual([skipped(method), asSuch(method)])
  })

  it.each([
    ['apply', 'super().apply'],
    ['__call__', 'self.apply'],
  ])('%s that runs it has its matches, whatever it returns', (method, call) => {
    const ran = run(patterns(method, `return ${call}(graph) + 5`))
    expect(ran.counts).toEqual([['p', 1]])
    expect(ran.after).toEqual(['x', 'aten.tanh.default', 'output'])
    expect(ran.did).toMatchObject({ notes: [asSuch(method)], error: null })
  })

  it('matches nothing if it raises, because nothing but itself applies it', () => {
    const ran = run(patterns('apply', 'raise ValueError("no")'))
    expect(ran.counts).toEqual([['p', 0]])
    expect(ran.after).toEqual(before)
    expect(ran.did).toMatchObject({ error: 'ValueError: no' })
  })

  it('may be set on the object, or on every pass', () => {
    const plain = `p = PatternMatcherPass()
register(p, lambda x: aten.neg(aten.exp(x)), lambda x: aten.tanh(x))
`
    for (const line of ['p.apply = lambda graph: 999', 'PatternMatcherPass.apply = lambda self, graph: 999'])
      expect(run(`${plain}${line}\n`).counts).toEqual([['p', 0]])
  })
})
