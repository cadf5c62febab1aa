/** Tests the node.meta keys that an extra_check reads, and the cause of a rejection. */
import { beforeAll, describe, expect, it } from 'vitest'
import { nodeAssets } from '../../python/node_assets'
import { Session } from './session'

const graph = (relu: string, neg: string): string => `class GraphModule(torch.nn.Module):
    def forward(self, x: "f32[8, 4]"):
        ${relu}
        relu: "f32[8, 4]" = torch.ops.aten.relu.default(x);  x = None
        ${neg}
        neg: "f32[8, 4]" = torch.ops.aten.neg.default(relu);  relu = None
        return (neg,)
`
const on = (label: string | null): string =>
  `${label === null ? '' : `# stream_label: ${label} `}# No stacktrace found for following nodes`

const CODE = `import torch
from torch._inductor.pattern_matcher import PatternMatcherPass, fwd_only, register_replacement
aten = torch.ops.aten
patterns = PatternMatcherPass()

def one_stream(match):
    labels = {node.meta.get("stream_label") for node in match.nodes if node.op == "call_function"}
    return len(labels) == 1

register_replacement(lambda x: aten.neg(aten.relu(x)), lambda x: aten.tanh(x), [torch.empty(8, 4)], fwd_only, patterns,
                     extra_check=one_stream)
`

let session: Session
beforeAll(async () => {
  session = new Session(nodeAssets())
  await session.ready
})

const analyzed = (text: string, code = CODE) =>
  session.analyzeWhole({
    name: 'streams',
    graph: { name: 'graph.py', text },
    files: [{ name: 'patterns.py', text: code }],
    options: { timeLimitS: 10 },
  }).report

describe('an extra_check over node.meta', () => {
  it('sees the keys from the graph’s comments', () => {
    expect(analyzed(graph(on('side'), on('side'))).passes[0]!.count).toBe(1)
    expect(analyzed(graph(on(null), on(null))).passes[0]!.count).toBe(1)
    expect(analyzed(graph(on('side'), on(null))).passes[0]!.count).toBe(0)
    expect(analyzed(graph(on('1'), on('2'))).graph.nodes.map((n) => n.meta)).toEqual([
      undefined,
      [['meta["stream_label"]', '1']],
      [['meta["stream_label"]', '2']],
      undefined,
    ])
  })

  it('explains a rejection by the nodes’ values', () => {
    const [miss] = analyzed(graph(on('side'), on(null))).passes[0]!.nearMisses
    const cause = miss!.causes![0]!
    expect(cause).toMatchObject({ kind: 'extra-check', argument: 'stream_label', expected: 'one stream_label' })
    expect(cause.sentence).toContain(`node.meta["stream_label"] is 'side' on relu, and absent on neg`)
    expect(cause.sentence).toContain('on one stream in the model')
  })

  it('is reported without a reason if it read nothing', () => {
    const code = CODE.replace('extra_check=one_stream', 'extra_check=lambda match: False')
    const [miss] = analyzed(graph(on('side'), on(null)), code).passes[0]!.nearMisses
    expect(miss!.causes![0]!.sentence).toMatch(/extra_check of .* returned False$/)
  })
})
